package compose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
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
	if verb, ok := strings.CutPrefix(id, scopeItems+"."); ok {
		return m.itemsDo(verb)
	}
	if verb, ok := strings.CutPrefix(id, scopePast+"."); ok {
		return m.pastDo(verb)
	}
	if verb, ok := strings.CutPrefix(id, scopeBatch+"."); ok {
		return m.batchDo(verb)
	}
	if verb, ok := strings.CutPrefix(id, scopePresets+"."); ok {
		return m.presetsDo(verb)
	}
	if verb, ok := strings.CutPrefix(id, scopeImprove+"."); ok {
		return m.improveDo(verb)
	}
	if verb, ok := strings.CutPrefix(id, scopePick+"."); ok {
		return m.pickDo(verb)
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
		m.addReference()
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

// addReference goes to the first field for references, preferring an empty one.
func (m *Model) addReference() {
	first := ""
	for i := range m.fields {
		name := m.fields[i].Name
		if !m.media(name) {
			continue
		}
		if first == "" {
			first = name
		}
		if m.form.Text(name) == "" {
			first = name
			break
		}
	}
	if first != "" {
		m.goTo(first)
		m.form.Click(zonePrefix+first+"/+", 0, false)
	}
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

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	k := m.deps.Keys
	if m.requests.ask != nil {
		fixed := func(keys, what string) key.Binding {
			return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, what))
		}
		return []key.Binding{fixed("f", "fill the form"), fixed("t", "keep as text"), fixed("esc", "cancel")}
	}
	if m.presets.open() {
		return m.presetsHelp()
	}
	if m.batch.dialog != nil {
		return m.batchHelp()
	}
	if m.refs.open() {
		return m.refsBindings()
	}
	if m.improves() {
		return m.improveBindings()
	}
	if m.picksModel() {
		return []key.Binding{key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "take")), k.Short("pick.star", "star"),
			k.Short("pick.refresh", "ask again"), key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back"))}
	}
	if m.picking != "" {
		return []key.Binding{key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "take")), key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back"))}
	}
	if m.past.dialog != nil {
		return []key.Binding{k.Short("past.take", "prompt"), k.Short("past.job", "whole job"), k.Short("past.close", "back")}
	}
	if m.items.dialog != nil {
		return m.itemsBindings()
	}
	if m.paneOnly() {
		return []key.Binding{
			key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "form")),
			k.Short("compose.copy", "copy"), k.Short("compose.edit-request", "edit"), k.Short("compose.view-json", "JSON"),
			k.Short("compose.view-curl", "curl"), k.Short("compose.view-wire", "every format"), k.Short("compose.submit", "submit"),
		}
	}
	return []key.Binding{
		k.Short("compose.submit", "submit"), k.Short("compose.next-field", "next"),
		k.Short("compose.model", "model"), k.Short("compose.editor", "editor"), k.Short("compose.history", "history"),
		k.Short("compose.more", "more"), k.Short("compose.view-json", "request"),
	}
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	k := m.deps.Keys
	fixed := func(keys, what string) key.Binding {
		return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, what))
	}
	groups := [][]key.Binding{
		append(k.Bindings("compose.next-field", "compose.prev-field", "compose.model", "compose.improve", "compose.star", "pick.star", "pick.refresh", "compose.editor",
			"compose.history", "compose.add-reference", "compose.items", "compose.more"),
			fixed("←→", "choose, or step through values"), fixed("enter", "open, press, next field"),
			fixed("esc", "leave the text, so that digits change the screen")),
		append(k.Bindings("compose.submit", "compose.submit-many", "compose.template", "compose.batch", "compose.show-batch",
			"compose.presets", "compose.save-preset", "compose.to-compare", "compose.view-json",
			"compose.view-curl", "compose.view-wire", "compose.copy", "compose.edit-request", "compose.clear",
			"compose.bring-back", "compose.revert", "compose.next-check"),
			fixed("alt+↑↓", "scroll the request"), fixed("ctrl+_", "undo; right after a form was filled or cleared, the whole of it"), fixed("ctrl+y", "redo")),
	}
	groups = m.withRefs(groups)
	if m.improves() {
		return append([][]key.Binding{m.improveHelp()}, groups...)
	}
	found := k.Bindings("past.take", "past.job", "past.close")
	if m.past.dialog != nil {
		return append([][]key.Binding{found}, groups...)
	}
	return append(m.withBatch(append(m.withItems(groups), found)), m.improveHelp())
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	offCopy, offBack := "", ""
	if !m.preview.have || m.preview.got.err != nil {
		offCopy = "there is no request yet"
	}
	if len(m.formers) == 0 {
		offBack = "nothing was cleared or replaced"
	}
	k := m.deps.Keys
	act := func(verb, off string) screen.Action {
		return screen.Action{ID: scope + "." + verb, Title: k.Title(scope + "." + verb), Off: off}
	}
	offSubmit := ""
	if m.sending {
		offSubmit = "a submission is on its way"
	}
	offRun := ""
	if m.batch.run.group == "" {
		offRun = "no batch was submitted yet"
	}
	offShelf := m.offShelf()
	return append(slices.Concat(m.presetsActions(), m.batchActions(), m.refsActions(), m.pastActions(), m.itemsActions(), m.pickActions(), m.improveActions()), []screen.Action{
		act("submit", offSubmit), act("submit-many", offSubmit), act("template", offSubmit), act("batch", offSubmit),
		act("show-batch", offRun), act("presets", offShelf), act("save-preset", offShelf), act("to-compare", m.compareOff()), act("model", ""),
		act("editor", ""), act("history", ""), act("add-reference", ""), act("items", m.offItems()), act("more", ""), act("view-json", ""), act("view-curl", ""), act("view-wire", ""),
		act("copy", offCopy), act("clear", ""),
		act("edit-request", offCopy), act("bring-back", offBack), act("revert", m.offRevert()),
		act("next-check", m.offJump()), act("improve", m.offImprove()), act("star", m.offStar(m.chosen[m.modality].model)),
	}...)
}
