package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// do does an action by its name.
func (m *Model) do(id string) tea.Cmd {
	if cmd, ok := m.over.Update(screen.ActionMsg{ID: id}); ok {
		return cmd
	}
	for _, dialog := range []struct {
		scope string
		do    func(verb string) tea.Cmd
	}{
		{scopeItems, m.itemsDo}, {scopeBatch, m.batchDo},
		{scopePresets, m.presetsDo}, {scopeImprove, m.improveDo}, {scopePick, m.pickDo},
	} {
		if verb, ok := strings.CutPrefix(id, dialog.scope+"."); ok {
			return dialog.do(verb)
		}
	}
	if cmd, ok := m.refsDo(id); ok {
		return cmd
	}
	switch strings.TrimPrefix(id, scope+".") {
	case "submit":
		return m.submit(m.copies())
	case "submit-many":
		return m.openBatch(ofCopies, false)
	case "template":
		return m.openBatch(ofTemplate, false)
	case "batch":
		return m.openBatch(ofFile, false)
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
		return m.pickModel(client.FieldModel)
	case "improve":
		return m.openImprove()
	case "star":
		return m.star(m.chosen[m.modality].model)
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
		m.more = !m.more
		m.form.SetFields(m.rows())
	case "to-compare":
		return m.askCompare()
	case "view-json":
		return m.view(tabJSON)
	case "view-curl":
		return m.view(tabCurl)
	case "view-wire":
		return m.view(tabWire)
	case "copy":
		return m.copy()
	case "clear":
		return m.clearForm()
	case "revert":
		return m.revert()
	case "next-check":
		return m.nextProblem()
	case "checks-down":
		return m.scrollChecks(m.checksPage())
	case "checks-up":
		return m.scrollChecks(-m.checksPage())
	case "bring-back":
		return m.bringBack()
	}
	return nil
}

// move changes the field also from where a key would not.
func (m *Model) move(k tea.KeyType) tea.Cmd {
	if m.paneOnly() {
		m.onlyPane = false
		return nil
	}
	return m.handle(m.form.Key(tea.KeyMsg{Type: k}))
}

// view shows the request in a form. On a narrow screen the same again goes back; formats
// side by side first take the whole of a wide one.
func (m *Model) view(t tab) tea.Cmd {
	again := m.preview.tab == t
	switch {
	case m.narrow():
		m.onlyPane = !m.onlyPane || !again
	case t == tabWire && again:
		m.onlyPane = !m.onlyPane
	default:
		m.onlyPane = false
	}
	m.preview.tab = t
	return m.shownTab()
}

// shownTab follows another tab: the formats side by side are made when they show.
func (m *Model) shownTab() tea.Cmd {
	m.showPreview()
	if m.preview.tab == tabWire {
		return m.makePreview()
	}
	return nil
}

func (m *Model) copy() tea.Cmd {
	p := m.preview
	if p.tab == tabWire && len(p.got.wire) > 0 {
		m.openCopy()
		return nil
	}
	if !p.have || p.got.err != nil {
		return screen.Toast(screen.Warn, "there is no request to copy yet")
	}
	if p.tab == tabCurl {
		return m.copyCurl(m.draft, m.effective().format, "the curl command")
	}
	return m.copyBody(m.draft, m.effective().format, "the request")
}

// edit opens the focused text, else the prompt, in the person's editor.
func (m *Model) edit() tea.Cmd {
	m.editor = m.asks()
	if m.items.dialog != nil {
		return m.editItems()
	}
	id, suffix := client.FieldPrompt, ".txt"
	for i := range m.fields {
		if f := &m.fields[i]; f.Name == m.form.Focused() && (m.form.Capturing() || m.pieces(f.Name)) {
			id = f.Name
			if structured(f.Kind) {
				suffix = ".json"
			}
		}
	}
	msg := screen.EditMsg{Text: m.data.unfold(m.form.Text(id)), Suffix: suffix, Tag: id}
	return func() tea.Msg { return msg }
}

func (m *Model) edited(msg screen.EditedMsg) tea.Cmd {
	if msg.Err != nil {
		return screen.Toast(screen.Bad, "the text is as it was: "+client.CleanLine(msg.Err.Error()))
	}
	if msg.Tag == tagRequest {
		return m.editedRequest(msg.Text)
	}
	if msg.Tag == tagItem {
		return m.editedItem(msg.Text)
	}
	return m.editedText(msg)
}
