package compose

import (
	"github.com/charmbracelet/bubbles/key"

	"darkroom/tui/widgets/helpbar"
)

// HelpTitles implements helpbar.Titled: a key may mean one thing on the form and another in a
// dialog, so each has a heading.
func (m *Model) HelpTitles() []string {
	groups := m.helpGroups(make([][]key.Binding, 3))
	out := make([]string, len(groups))
	for i, g := range groups {
		out[i] = g.Title
	}
	return out
}

// helpGroups are the form's own keys and those of each dialog: one that is open stands first.
func (m *Model) helpGroups(own [][]key.Binding) []helpbar.Group {
	var open, rest []helpbar.Group
	for i, title := range []string{"Compose", "Compose: what is sent", "Compose: references"} {
		rest = append(rest, helpbar.Group{Title: title, Bindings: own[i]})
	}
	for _, d := range dialogs() {
		g := helpbar.Group{Title: d.title, Bindings: append(m.deps.Keys.Bindings(d.ids()...), d.more...)}
		if m.over.Has(d.scope()) {
			open = append(open, g)
		} else {
			rest = append(rest, g)
		}
	}
	return append(open, rest...)
}
