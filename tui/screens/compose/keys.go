package compose

import (
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

const scope = string(screen.Compose)

// key does what a key means.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if m.picking != "" {
		// What is picked here has a plain name: marks, selectors and joiners find nothing.
		k.Runes = slices.DeleteFunc(slices.Clone(k.Runes), func(r rune) bool {
			return unicode.IsMark(r) || unicode.Is(unicode.Cf, r)
		})
		if cmd, ok := m.pickKey(k); ok {
			return cmd
		}
		if m.picksModel() && m.picksFree() {
			return m.pickerEvent(m.freeKey(k))
		}
		return m.pickerEvent(m.picker.Update(k))
	}
	if m.refs.open() {
		return m.refsKey(k)
	}
	if m.improves() {
		return m.improveKey(k)
	}
	if ask := m.requests.ask; ask != nil {
		if k.Paste {
			return nil
		}
		m.frame.fresh = false
		return m.answered(ask.HandleKey(k.String()))
	}
	if m.presets.open() {
		return m.presetsKey(k)
	}
	if m.batch.dialog != nil {
		return m.batchKey(k)
	}
	if m.past.dialog != nil {
		return m.pastKey(k)
	}
	if m.items.dialog != nil {
		return m.itemsKey(k)
	}
	name := k.String()
	if k.Paste {
		if cmd, ok := m.readPasted(k.Runes); ok {
			return cmd
		}
		if cmd, ok := m.readDropped(k.Runes); ok {
			return cmd
		}
	}
	if !k.Paste {
		if id, ok := m.deps.Keys.Lookup(scope, name); ok {
			return m.do(id)
		}
	}
	if m.paneOnly() {
		if name == "esc" {
			m.onlyPane = false
			return nil
		}
		m.preview.pane.HandleKey(name)
		return nil
	}
	if k.Paste {
		return m.pasteText(k.Runes)
	}
	if cmd, ok := m.undone(name); ok {
		return cmd
	}
	switch name {
	case "alt+up", "ctrl+up":
		m.preview.pane.Move(-3)
		return nil
	case "alt+down", "ctrl+down":
		m.preview.pane.Move(3)
		return nil
	}
	return m.handle(m.form.Key(k))
}

// pasteTarget moves the focus to where pasted text can go: the focused text, else the
// prompt.
func (m *Model) pasteTarget() {
	at := m.form.Focused()
	if m.form.Focus(at); !m.form.Capturing() {
		m.form.Focus(client.FieldPrompt)
	}
}

// do does an action by its name.
func (m *Model) do(id string) tea.Cmd {
	for _, dialog := range []struct {
		scope string
		do    func(verb string) tea.Cmd
	}{
		{scopeItems, m.itemsDo}, {scopePast, m.pastDo}, {scopeBatch, m.batchDo},
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
		if off := m.compareOff(); off != "" {
			return screen.Toast(screen.Info, off)
		}
		if list := m.localFields(""); len(list) > 0 {
			return resolve(list, toCompare)
		}
		return m.toCompare()
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
	text, what := string(p.got.preview.Body), "the request"
	if p.tab == tabCurl {
		text, what = p.got.curl, "the curl command"
	}
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
}

// edit opens the focused text, else the prompt, in the person's editor.
func (m *Model) edit() tea.Cmd {
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
		return screen.Toast(screen.Bad, "the editor failed, the text is as it was: "+client.CleanLine(msg.Err.Error()))
	}
	if msg.Tag == tagRequest {
		return m.editedRequest(msg.Text)
	}
	if msg.Tag == tagItem {
		return m.editedItem(msg.Text)
	}
	m.form.SetText(msg.Tag, m.data.fold(strings.TrimSuffix(msg.Text, "\n")))
	return m.changed(msg.Tag)
}

// openPicker lets a value of a row be picked by a few letters.
func (m *Model) openPicker(id string) tea.Cmd {
	if id == client.FieldModel {
		return m.pickModel(id)
	}
	m.picking, m.onlyPane = id, false
	m.picker = picker.New("Choose", "", m.optionItems(id))
	m.picker.Select(m.form.Text(id))
	return nil
}

func (m *Model) pickerEvent(ev picker.Event) tea.Cmd {
	switch ev {
	case picker.Picked:
		id := m.picking
		m.picking = ""
		it, ok := m.picker.Current()
		if !ok {
			return nil
		}
		if id == pickTarget || id == pickName {
			return m.refPicked(id, it.ID)
		}
		if id == pickCopy {
			return m.copyWire(it.ID)
		}
		if it.ID == asTyped {
			it.ID = strings.TrimSpace(m.picker.Query())
		}
		if id == pickImprover {
			return m.improveWith(it.ID)
		}
		if cmd, ok := m.pickedColumn(id, it.ID); ok {
			return cmd
		}
		m.form.SetText(id, it.ID)
		return m.changed(id)
	case picker.Cancelled:
		if m.picking == pickImprover && m.improve.model == "" {
			m.improve = improving{}
		}
		m.picking = ""
	}
	return nil
}
