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
)

// Rows are the actions of the screen and of its dialogs, for the key map.
func Rows() []keys.Action {
	all := keys.Of(scope)
	for _, d := range dialogs() {
		all = append(all, d.rows...)
	}
	return all
}

// entry is a dialog with keys of its own and its heading in the help.
type entry struct {
	title string
	rows  []keys.Action
	more  []key.Binding // keys that cannot be bound
}

// scope is that of the dialog's keys.
func (e entry) scope() string { return e.rows[0].Scope() }

func (e entry) ids() []string {
	out := make([]string, len(e.rows))
	for i, a := range e.rows {
		out[i] = a.ID
	}
	return out
}

// dialogs are those over the form, in the order of the help.
func dialogs() []entry {
	return []entry{
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
	m.onlyPane = false
	return m.over.Open(d)
}

// answer takes what a dialog over the form answers.
func (m *Model) answer(a any) tea.Cmd {
	switch a := a.(type) {
	case past.Taken:
		return m.takePast(a)
	case ask.Chosen:
		return m.handleAnswer(a)
	case refs.Chosen:
		return m.addFiles(a.Paths)
	case refs.Found:
		return m.takeFound(a)
	case batch.Said:
		return m.promptSaid(a)
	case batch.Submit:
		return m.sendBatch(a)
	case pieces.Said:
		return m.saidPieces(a)
	case pieces.Edit:
		return m.editPieces(a)
	case pieces.Other:
		return m.do(a.ID)
	case presets.Taken:
		return m.takePreset(a)
	case presets.Keep:
		return m.keepPreset(a)
	case choose.Picked:
		return m.picked(a)
	case models.Picked:
		return m.pickedModel(a)
	case improve.Asks:
		return m.models.SetImprover(a.Model)
	case improve.Taken:
		return m.improved(a)
	}
	return nil
}

// handleAnswer takes the answer to a question.
func (m *Model) handleAnswer(a ask.Chosen) tea.Cmd {
	switch a.Name {
	case askDropped:
		return m.droppedAnswered(a.ID)
	case askHeads:
		m.heads.said = nil
	}
	return nil
}
