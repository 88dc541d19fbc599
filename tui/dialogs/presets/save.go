package presets

import (
	"errors"
	"maps"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/human"
	"darkroom/themes"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

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

// Form is the content to save. It is also a message to the dialog when the form below has changed.
type Form struct {
	Draft client.Draft
	Mode  batch.PromptMode
	Vars  map[string]string // of the template
}

// SaveDialog saves the form under a name.
type SaveDialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*SaveDialog]
	begin    Keep
	draft    Form
	form     *form.Form
	busy     bool
	failed   string
}

// savedMsg brings the outcome of saving.
type savedMsg struct {
	to   *SaveDialog
	path string
	err  error
}

// To implements screen.Addressed.
func (m savedMsg) To() screen.Dialog { return m.to }

// Missed implements screen.Addressed.
func (m savedMsg) Missed() tea.Cmd {
	if m.err != nil {
		return screen.Toast(screen.Bad, "the preset was not saved: "+client.CleanLine(m.err.Error()))
	}
	return tea.Batch(screen.Toast(screen.Good, "preset saved, "+client.CleanLine(m.path)), changed)
}

// NewSave is the dialog that saves a form; begin are its initial values.
func NewSave(o Options, draft Form, begin Keep) *SaveDialog {
	table := []screen.Command[*SaveDialog]{
		{ID: Keeps, Title: titleKeep, Word: "save", Do: func(d *SaveDialog) tea.Cmd { return d.save(false) }},
		{ID: actClose, Title: titleClose, Word: "back", Do: func(d *SaveDialog) tea.Cmd { d.Close(); return nil }},
	}
	return &SaveDialog{o: o, commands: screen.Bind(o.Keys, table), draft: draft, begin: begin}
}

// Init implements screen.Dialog.
func (d *SaveDialog) Init() tea.Cmd {
	d.form = form.New(zoneSave, d.Styles)
	where := whereOwn
	if d.begin.Project {
		where = whereProject
	}
	for id, text := range map[string]string{rowName: d.begin.Name, rowAbout: d.begin.About, rowWhere: where, rowPrompt: promptKept} {
		d.form.SetText(id, text)
	}
	d.rows()
	d.form.Focus(rowName)
	d.layout()
	return nil
}

// Scope implements screen.Dialog.
func (d *SaveDialog) Scope() string { return Scope }

// Actions implements screen.Dialog.
func (d *SaveDialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *SaveDialog) ShortHelp() []key.Binding { return d.commands.Line(Keeps, actClose) }

// SetSize implements screen.Dialog.
func (d *SaveDialog) SetSize(w, h int) {
	d.Base.SetSize(w, h)
	d.layout()
}

// SetStyles implements screen.Dialog.
func (d *SaveDialog) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	if d.form != nil {
		d.form.SetStyles(st)
	}
}

func (d *SaveDialog) size() (w, h int) { return min(d.W, 76), min(d.H, 14) }

func (d *SaveDialog) layout() {
	if d.form != nil {
		iw, ih := widgets.Inner(d.size())
		d.form.SetSize(iw, max(3, min(ih-2, 6)))
	}
}

// Update implements screen.Dialog. While it saves, no typing is accepted: the outcome is about
// what was written.
func (d *SaveDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Form:
		d.draft = msg
		d.rows()
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case savedMsg:
		return d.saved(msg)
	case ask.Agreed:
		return d.save(true)
	case tea.KeyMsg:
		if d.busy {
			return nil
		}
		return d.follow(d.form.Update(form.InLine(msg)))
	case screen.ClickMsg:
		if !d.busy {
			return d.follow(d.form.Click(msg))
		}
	}
	return nil
}

func (d *SaveDialog) follow(ev form.Event) tea.Cmd {
	switch ev.Kind {
	case form.Changed:
		d.failed = ""
	case form.Pressed:
		if ev.Value == buttonBack {
			d.Close()
			return nil
		}
		return d.save(false)
	}
	d.rows()
	return nil
}

func (d *SaveDialog) rows() {
	rows := []form.Field{
		{ID: rowName, Label: "Name", Kind: form.Text, Hint: "letters, digits, - _ and ."},
		{ID: rowAbout, Label: "About", Kind: form.Text, Hint: "what it is for"},
		{ID: rowWhere, Label: "Where", Kind: form.Choice, Options: []form.Option{
			{Value: whereOwn, Label: "your own"}, {Value: whereProject, Label: "this project"}}},
	}
	if expand.Says(d.draft.Draft.Prompt) {
		rows = append(rows, form.Field{ID: rowPrompt, Label: "Prompt", Kind: form.Choice, Options: []form.Option{
			{Value: promptKept, Label: "kept"}, {Value: promptLeft, Label: "left out"}}})
	}
	label := strings.TrimSpace("Save " + d.commands.Key(Keeps))
	if d.busy {
		label = "saving …"
	}
	rows = append(rows, form.Field{ID: rowSend, Kind: form.Buttons, Options: []form.Option{
		{Value: buttonSave, Label: label}, {Value: buttonBack, Label: "Back"}}})
	d.form.SetFields(rows)
}

// preset is the dialog's input as a preset.
func (d *SaveDialog) preset() (p expand.Preset, project bool) {
	p = expand.Preset{Name: strings.TrimSpace(d.form.Text(rowName)), Description: strings.TrimSpace(d.form.Text(rowAbout)), Draft: d.draft.Draft.Clone()}
	if d.form.Text(rowPrompt) == promptLeft || !expand.Says(p.Draft.Prompt) {
		p.Draft.Prompt = ""
	}
	if p.Draft.Prompt != "" && d.draft.Mode.Template() {
		p.Expand = d.draft.Mode.Expand()
		p.Variables = maps.Clone(d.draft.Vars)
	}
	if len(p.Draft.Values) == 0 {
		p.Draft.Values = nil
	}
	return p, d.form.Text(rowWhere) == whereProject
}

// save writes the preset.
func (d *SaveDialog) save(replace bool) tea.Cmd {
	if d.busy {
		return nil
	}
	p, project := d.preset()
	if p.Name == "" {
		d.form.Focus(rowName)
		d.failed = "a name is needed: it is the file's, too"
		return nil
	}
	d.busy, d.failed = true, ""
	d.rows()
	shelf := d.o.Shelf
	return func() tea.Msg {
		path, err := shelf.Save(p, project, replace)
		return savedMsg{d, path, err}
	}
}

func (d *SaveDialog) saved(msg savedMsg) tea.Cmd {
	d.busy = false
	d.rows()
	switch {
	case msg.err == nil:
		d.Close()
		return msg.Missed()
	case errors.Is(msg.err, expand.ErrPresetExists):
		d.Open(question("Replace preset "+client.CleanLine(strings.TrimSpace(d.form.Text(rowName)))+"?",
			client.CleanLine(msg.err.Error())+". Its old contents are lost.", "Replace", nil))
	default:
		d.failed = "not saved: " + client.CleanLine(msg.err.Error())
	}
	return nil
}

// View implements screen.Dialog.
func (d *SaveDialog) View() string {
	w, h := d.size()
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	lines := widgets.TrimBlank(d.form.Lines())
	text, ink := d.says(), widgets.NewInk(d.Styles.Muted)
	if d.failed != "" {
		text, ink = "✗ "+d.failed, widgets.NewInk(d.Styles.Bad)
	}
	if room := ih - len(lines) - 1; room > 0 {
		lines = append(lines, "")
		for _, l := range widgets.WrapLines(client.CleanLine(text), max(4, iw), room) {
			lines = append(lines, ink.Text(l))
		}
	}
	h = min(h, len(lines)+2)
	return widgets.BoxFooter(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text("Save as a preset"), "", "", strings.Join(lines[:min(len(lines), ih)], "\n"), w, h, true)
}

// says is where the file goes, and what it contains.
func (d *SaveDialog) says() string {
	p, project := d.preset()
	s := client.CleanLine(d.o.Shelf.Folder(project)) + ": " + string(p.Draft.Modality) + " " + client.CleanLine(p.Draft.Model) + ", " +
		human.Plural(len(p.Draft.Values), "value")
	if n := len(p.Draft.Extra); n > 0 {
		s += ", " + human.Plural(n, "raw addition")
	}
	switch {
	case p.Draft.Prompt == "":
		s += ", no prompt"
	case p.Expand != "":
		s += ", the prompt as a template"
	default:
		s += ", the prompt"
	}
	if project {
		s += ". Files that it names have to be in that folder; everybody in the project can read it."
	}
	return s
}
