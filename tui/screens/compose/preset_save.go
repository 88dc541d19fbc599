package compose

import (
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/form"
)

// saveDialog keeps the form under a name.
type saveDialog struct {
	form   *form.Form
	busy   bool
	failed string
}

// Rows of the dialog.
const (
	rowName   = "name"
	rowAbout  = "about"
	rowWhere  = "where"
	rowPrompt = "prompt"
	rowSend   = "send"

	whereOwn     = "own"
	whereProject = "project"
	promptKept   = "kept"
	promptLeft   = "left"
	buttonSave   = "save"
	buttonBack   = "back"

	zoneSave = "compose-save/"
)

// presetSavedMsg says how saving went.
type presetSavedMsg struct {
	dialog *saveDialog // that it was asked for in
	path   string
	err    error
}

// openSave opens the dialog that saves the form, once its references are resolved.
func (m *Model) openSave() tea.Cmd {
	if off := m.offShelf(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	if list := m.sheet.Unresolved(); len(list) > 0 {
		m.ready = m.showSave
		return sheet.Resolve(list, sheet.ThenGoOn)
	}
	return m.showSave()
}

func (m *Model) showSave() tea.Cmd {
	m.refresh()
	s := &saveDialog{form: form.New(zoneSave, m.st)}
	if x, ok := m.presets.current(); ok {
		s.form.SetText(rowName, x.Name)
		s.form.SetText(rowAbout, x.Description)
		if x.Project {
			s.form.SetText(rowWhere, whereProject)
		}
	} else if l := m.presets.list; l != nil {
		s.form.SetText(rowName, strings.Join(strings.Fields(l.Query()), "-"))
	}
	if s.form.Text(rowWhere) == "" {
		s.form.SetText(rowWhere, whereOwn)
	}
	s.form.SetText(rowPrompt, promptKept)
	m.presets.save, m.onlyPane = s, false
	m.saveRows()
	s.form.Focus(rowName)
	m.layoutPresets()
	return nil
}

func (m *Model) saveRows() {
	s := m.presets.save
	rows := []form.Field{
		{ID: rowName, Label: "Name", Kind: form.Text, Hint: "letters, digits, - _ and ."},
		{ID: rowAbout, Label: "About", Kind: form.Text, Hint: "what it is for"},
		{ID: rowWhere, Label: "Where", Kind: form.Choice, Options: []form.Option{
			{Value: whereOwn, Label: "your own"}, {Value: whereProject, Label: "this project"}}},
	}
	if written(m.sheet.Draft.Prompt) {
		rows = append(rows, form.Field{ID: rowPrompt, Label: "Prompt", Kind: form.Choice, Options: []form.Option{
			{Value: promptKept, Label: "kept"}, {Value: promptLeft, Label: "left out"}}})
	}
	label := strings.TrimSpace("Save " + m.deps.Keys.Keys("presets.save"))
	if s.busy {
		label = "saving …"
	}
	rows = append(rows, form.Field{ID: rowSend, Kind: form.Buttons, Options: []form.Option{
		{Value: buttonSave, Label: label}, {Value: buttonBack, Label: "Back"}}})
	s.form.SetFields(rows)
}

func (m *Model) saveEvent(ev form.Event) tea.Cmd {
	s := m.presets.save
	switch ev.Kind {
	case form.Changed:
		s.failed = ""
	case form.Pressed:
		if ev.Value == buttonBack {
			return m.presetsDo("close")
		}
		return m.savePreset(false)
	}
	m.saveRows()
	return nil
}

// presetToSave is what the dialog says, as a preset.
func (m *Model) presetToSave() (p expand.Preset, project bool) {
	s := m.presets.save
	d := m.sheet.Draft.Clone()
	p = expand.Preset{Name: strings.TrimSpace(s.form.Text(rowName)), Description: strings.TrimSpace(s.form.Text(rowAbout)), Draft: d}
	if s.form.Text(rowPrompt) == promptLeft || !written(d.Prompt) {
		p.Draft.Prompt = ""
	}
	if p.Draft.Prompt != "" && m.sheet.Template.Mode.Template() {
		p.Expand = expand.Mode(m.sheet.Template.Mode)
		p.Variables = maps.Clone(m.sheet.Template.Vars)
	}
	if len(p.Draft.Values) == 0 {
		p.Draft.Values = nil
	}
	return p, s.form.Text(rowWhere) == whereProject
}

// savePreset writes what the dialog says.
func (m *Model) savePreset(replace bool) tea.Cmd {
	s := m.presets.save
	if s == nil || s.busy {
		return nil
	}
	p, project := m.presetToSave()
	if p.Name == "" {
		s.form.Focus(rowName)
		s.failed = "a name is needed: it is the file's, too"
		return nil
	}
	s.busy, s.failed = true, ""
	m.saveRows()
	shelf := m.deps.Shelf
	return func() tea.Msg {
		path, err := shelf.Save(p, project, replace)
		return presetSavedMsg{s, path, err}
	}
}

func (m *Model) presetSaved(msg presetSavedMsg) tea.Cmd {
	s := m.presets.save
	if s != msg.dialog {
		s = nil // it was left meanwhile; another one may be open, which stays
	}
	if s != nil {
		s.busy = false
		m.saveRows()
	}
	switch {
	case msg.err != nil && s == nil:
		return screen.Toast(screen.Bad, "the preset was not saved: "+client.CleanLine(msg.err.Error()))
	case existsAlready(msg.err):
		m.askPresets("Replace preset "+client.CleanLine(strings.TrimSpace(s.form.Text(rowName)))+"?",
			client.CleanLine(msg.err.Error())+". What it held is gone then.", "Replace", func() tea.Cmd { return m.savePreset(true) })
		return nil
	case msg.err != nil:
		s.failed = "not saved: " + client.CleanLine(msg.err.Error())
		return nil
	}
	if s != nil {
		m.presets.save = nil
	}
	said := screen.Toast(screen.Good, "preset saved, "+client.CleanLine(msg.path))
	if m.presets.list == nil {
		return said
	}
	return tea.Batch(said, m.readPresets())
}
