package compose

import (
	"github.com/charmbracelet/bubbles/key"

	"darkroom/tui/dialogs/past"
	"darkroom/tui/widgets/helpbar"
	"darkroom/tui/widgets/items"
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
	for _, d := range m.dialogHelp() {
		g := helpbar.Group{Title: d.title, Bindings: m.deps.Keys.Bindings(scoped(d.scope, d.verbs)...)}
		if d.scope == scopeBatch {
			g.Bindings = append(g.Bindings,
				key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup pgdn", "jobs of the batch")),
				key.NewBinding(key.WithKeys("alt+up"), key.WithHelp("alt+↑↓", "one job of the batch")))
		}
		if d.open {
			open = append(open, g)
		} else {
			rest = append(rest, g)
		}
	}
	return append(open, rest...)
}

// dialogKeys are the actions of a dialog.
type dialogKeys struct {
	title, scope string
	verbs        []string
	open         bool
}

func (m *Model) dialogHelp() []dialogKeys {
	return []dialogKeys{
		{"In the choice of a model", scopePick, []string{"star", "refresh"}, m.picksModel()},
		{"In the list of files", "files", []string{"take", "mark", "up", "recent", "hidden", "all", "close"}, m.refs.files != nil},
		{"In the list of results", "results", []string{"take", "show", "close"}, m.refs.found.dialog != nil},
		{"In the prompts that were sent", past.Scope, past.Verbs(), m.over.Has(past.Scope)},
		{"In items and objects", scopeItems, items.Actions(), m.items.dialog != nil},
		{"In a batch", scopeBatch, batchVerbs(), m.batch.dialog != nil},
		{"In the presets", scopePresets, presetVerbs(), m.presets.open()},
		{"In a better prompt", scopeImprove, m.improveVerbs(), m.improves()},
	}
}

// scoped are the actions of a scope by their whole names.
func scoped(scope string, verbs []string) []string {
	out := make([]string, len(verbs))
	for i, v := range verbs {
		out[i] = scope + "." + v
	}
	return out
}
