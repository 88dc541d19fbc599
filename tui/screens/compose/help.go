package compose

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	c := &m.commands
	if m.over.Top() != nil {
		return m.over.ShortHelp()
	}
	if m.latest.Focused() {
		return append(m.latest.ShortHelp(), c.Line(actSubmit)...)
	}
	if m.doc.Side.Alone() {
		return slices.Insert(c.Line(actCopy, actEdit, actJSON, actCurl, actWire, actSubmit), 0, keys.Fixed("esc", "form"))
	}
	out := append(c.Line(actSubmit, actNext, sheet.ActModel, sheet.ActEditor, actHistory, sheet.ActMore), m.deps.Keys.Short(actJSON, "request"))
	if m.sheet.Form.Focused() != client.FieldPrompt {
		out = slices.Insert(out, 1, c.Line(actPrompt)...)
	}
	if m.latest.Any() {
		out = slices.Insert(out, 1, c.Line(actLatest)...)
	}
	if m.sheet.Form.Paused() {
		out = slices.Insert(out, 0, keys.Fixed("enter", "type"))
	}
	return out
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	var out [][]key.Binding
	for _, g := range m.groups() {
		var bound []key.Binding
		for _, a := range g.rows {
			bound = append(bound, m.deps.Keys.Binding(a.ID))
		}
		out = append(out, append(bound, g.more...))
	}
	return out
}

// HelpTitles implements helpbar.Titled: a key may mean one thing on the form and another in a
// dialog, so each has a heading.
func (m *Model) HelpTitles() []string {
	var out []string
	for _, g := range m.groups() {
		out = append(out, g.title)
	}
	return out
}

// groups are what the help shows, open dialogs first.
func (m *Model) groups() []group {
	var open, rest []group
	for _, g := range groups() {
		if m.over.Has(g.rows[0].Scope()) {
			open = append(open, g)
		} else {
			rest = append(rest, g)
		}
	}
	return append(open, rest...)
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	return slices.Concat(m.over.Actions(), m.commands.Actions(m), m.latest.Actions())
}
