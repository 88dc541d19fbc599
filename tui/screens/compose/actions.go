package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/dialogs/batch"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/edits"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/request"
)

// do does an action by its name.
func (m *Model) do(id string) tea.Cmd {
	if cmd, ok := m.over.Update(screen.ActionMsg{ID: id}); ok {
		return cmd
	}
	if cmd, ok := m.refsDo(strings.TrimPrefix(id, scope+".")); ok {
		return cmd
	}
	switch strings.TrimPrefix(id, scope+".") {
	case "submit":
		return m.submit(m.sheet.Copies())
	case "submit-many":
		return m.openBatch(batch.OfCopies, false)
	case "template":
		return m.openBatch(batch.OfTemplate, false)
	case "batch":
		return m.openBatch(batch.OfFile, false)
	case "show-batch":
		return m.showRun()
	case "presets":
		return m.openPresets()
	case "save-preset":
		return m.openSave()
	case "next-field":
		return m.move(tea.KeyTab)
	case "prev-field":
		return m.move(tea.KeyShiftTab)
	case "model":
		return m.pickModel()
	case "improve":
		return m.openImprove()
	case "star":
		return m.models.Star(m.sheet.Chosen[m.sheet.Modality].Model)
	case "editor":
		return m.edit()
	case "history":
		return m.openPast()
	case "edit-request":
		return m.editRequest()
	case "add-reference":
		return m.addReference()
	case "items":
		return m.openAny()
	case "more":
		m.sheet.More = !m.sheet.More
		m.sheet.Form.SetFields(m.sheet.Rows())
	case "to-compare":
		return m.askCompare()
	case "view-json":
		return m.view(request.JSON)
	case "view-curl":
		return m.view(request.Curl)
	case "view-wire":
		return m.view(request.Wire)
	case "copy":
		return m.copy()
	case "clear":
		return m.clearForm()
	case "revert":
		if off := m.sheet.OffRevert(); off != "" {
			return screen.Toast(screen.Info, off)
		}
		m.sheet.Revert()
		return m.touched()
	case "next-check":
		return m.nextProblem()
	case "checks-down":
		return m.scrollChecks(m.checks.Page())
	case "checks-up":
		return m.scrollChecks(-m.checks.Page())
	case "bring-back":
		return m.bringBack()
	}
	return nil
}

// move changes the field also from where a key would not.
func (m *Model) move(k tea.KeyType) tea.Cmd {
	if m.room().Alone() {
		m.onlyPane = false
		return nil
	}
	return m.handle(m.sheet.Form.Key(tea.KeyMsg{Type: k}))
}

// edit opens the focused text, else the prompt, in the person's editor.
func (m *Model) edit() tea.Cmd {
	m.editor = m.now()
	if m.over.Has(pieces.Scope) {
		cmd, _ := m.over.Update(pieces.EditMsg{})
		return cmd
	}
	id, text, suffix := m.sheet.Edited()
	msg := screen.EditMsg{Text: text, Suffix: suffix, Tag: id}
	return func() tea.Msg { return msg }
}

func (m *Model) handleEdited(msg screen.EditedMsg) tea.Cmd {
	if msg.Err != nil {
		return screen.Toast(screen.Bad, "the text is as it was: "+client.CleanLine(msg.Err.Error()))
	}
	if msg.Tag == edits.Tag {
		return m.edits.Edited(msg.Text, m.readHint())
	}
	if msg.Tag == tagItem {
		return m.editedItem(msg.Text)
	}
	return m.editedText(msg)
}

// askCompare hands the draft to Compare once its files were looked at, or says why not.
func (m *Model) askCompare() tea.Cmd {
	if off := m.sheet.CompareOff(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	if why := m.pasting.Barred(); why != "" {
		return screen.Toast(screen.Warn, "not handed to Compare: "+why)
	}
	m.pasting.BarRest("Compare was asked for before") // what was pressed then is meant for that
	if look := m.sheet.ResolveLocal(references.GoOn); look != nil {
		m.ready = m.toCompare
		return look
	}
	return m.toCompare()
}

// toCompare opens Compare with the draft as it is.
func (m *Model) toCompare() tea.Cmd {
	open := screen.Open(screen.Compare, screen.CompareDraft{Draft: m.sheet.WideDraft(), Format: m.sheet.ChosenFormat()})
	if m.sheet.AsksFirst() {
		return tea.Batch(open, screen.Toast(screen.Warn, "the prompt goes to Compare as it stands: templates are filled in when they are submitted from Compose"))
	}
	return open
}
