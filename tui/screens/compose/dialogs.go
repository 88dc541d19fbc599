package compose

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/batch"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/improve"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/dialogs/past"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/dialogs/refs"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/attach"
	"darkroom/tui/screens/compose/internal/latest"
)

// Rows are the actions of the screen and of its dialogs, for the key map.
func Rows() []keys.Action {
	var all []keys.Action
	for _, g := range groups() {
		all = append(all, g.rows...)
	}
	return all
}

// group is the set of actions under one heading of the help.
type group struct {
	title string
	rows  []keys.Action // of one scope
	more  []key.Binding // keys that cannot be bound
}

// groups are the actions of the form and of the dialogs over it, in the order of the help.
func groups() []group {
	return []group{
		{"Compose", screen.Rows(formCommands()), []key.Binding{
			keys.Fixed("←→", "choose, or step through values"), keys.Fixed("enter", "open, press, next field"),
			keys.Fixed("esc", "leave the text: digits change screens"),
		}},
		{"Compose: what is sent", screen.Rows(sendCommands()), []key.Binding{
			keys.Fixed("alt+↑↓", "scroll the request"), keys.Fixed("ctrl+_", "undo; right after a form was filled or cleared, the whole of it"),
			keys.Fixed("ctrl+y", "redo"),
		}},
		{latest.Title, screen.Rows(latest.Commands()), []key.Binding{keys.Fixed("esc", "back to the prompt; tab as well")}},
		{"Compose: references", screen.Rows(refCommands()), nil},
		{models.Title, screen.Rows(models.Commands()), nil},
		{refs.TitleFiles, screen.Rows(refs.FileCommands()), nil},
		{refs.TitleResults, screen.Rows(refs.ResultCommands()), nil},
		{past.Title, screen.Rows(past.Commands()), nil},
		{pieces.Title, screen.Rows(pieces.Commands()), nil},
		{batch.Title, screen.Rows(batch.Commands()), batch.Keys()},
		{presets.Title, screen.Rows(presets.Commands()), nil},
		{improve.Title, screen.Rows(improve.Commands()), nil},
	}
}

// open puts a dialog over the form.
func (m *Model) open(d screen.Dialog) tea.Cmd {
	m.doc.Side.ShowForm()
	return m.over.Open(d)
}

// answer handles the answer of a dialog over the form.
func (m *Model) answer(a any) tea.Cmd {
	switch a := a.(type) {
	case past.Taken:
		return m.takePast(a)
	case ask.Agreed:
		if about, ok := a.About.(latest.Reject); ok {
			return m.latest.Rejected(about)
		}
	case ask.Chosen:
		if about, ok := a.About.(*attach.Heads); ok {
			about.Forget()
		}
		return m.pasting.Answer(a)
	case batch.Said:
		return m.doc.Said(a.Mode, a.Vars)
	case batch.Submit:
		return m.sending.SendBatch(a)
	case pieces.Said:
		return m.structured.Said(a)
	case pieces.Edit:
		return m.edits.OpenPieces(a)
	case pieces.Other:
		return m.do(a.ID)
	case presets.Taken:
		return m.presets.Take(a)
	case presets.Keep:
		return m.presets.Keep(a)
	case choose.Picked:
		return m.picked(a)
	case models.Picked:
		return m.pickedModel(a)
	case improve.Asks:
		return m.models.SetImprover(a.Model)
	case improve.Taken:
		return m.improved(a)
	}
	return m.refs.Answer(a)
}

// leaveDialogs closes the dialogs left open here when the person went elsewhere and came back with
// something else: they were about the former form, and text pasted or typed last goes into that
// form. An answer that was asked for and paid for stays.
func (m *Model) leaveDialogs() tea.Cmd {
	cmd := m.pasting.ReleaseAll("the form was replaced")
	m.over.Clear()
	m.heads.Forget()
	m.doc.Leave()
	return cmd
}
