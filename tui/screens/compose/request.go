package compose

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/intake"
	"darkroom/client/media"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/datauri"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/confirm"
)

// tagRequest marks the request as JSON that is in the editor.
const tagRequest = "#request"

// editing is a request that is in the editor.
type editing struct {
	text    string            // as it was handed over
	format  string            // whose names it is in
	files   map[string]string // references to files, by what stood for them in the request
	dropped []string          // fields that the format does not carry: they stay as they are
	// d is the draft that the request was made of.
	d client.Draft
	// What is no part of a request and stays with the form that it is of: the values that its
	// model does not take, what is said of its prompt, the jobs that it comes from.
	struck  client.Values
	rest    screen.ComposeDraft
	origin  *sheet.Origin
	reading string // the job of an origin that is still being read
	at      late.Form
}

// editingMsg is a request that is ready for the editor.
type editingMsg struct {
	edit editing
	err  error
}

// readMsg is a request from the editor, as it was read.
type readMsg struct {
	edit editing
	text string
	got  intake.Result
	err  error
}

// editRequest opens the request as JSON in the person's editor: references as the form has
// them, no file is read.
func (m *Model) editRequest() tea.Cmd {
	if text := m.requests.broken; text != "" {
		m.requests.edit.at = m.now()
		return func() tea.Msg { return screen.EditMsg{Text: text, Suffix: ".json", Tag: tagRequest} }
	}
	e := m.beginEdit()
	d := m.sheet.Draft.Clone()
	for name, v := range d.Values {
		d.Values[name] = datauri.MapTexts(m.sheet.Data.Shrink(v), func(s string) string {
			if media.Scheme(s) != "file" {
				return s
			}
			token := "data:application/x-darkroom-file;base64," + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "file-%04d", len(e.files)))
			e.files[token] = s
			return token
		})
	}
	g := m.deps.Gateway
	return func() tea.Msg {
		p, err := g.Preview(d, e.format)
		if err != nil {
			return editingMsg{err: err}
		}
		e.format = p.Format
		for _, x := range p.Dropped {
			e.dropped = append(e.dropped, x.Field)
		}
		e.text = string(p.Body) + "\n"
		for token, file := range e.files {
			e.text = strings.ReplaceAll(e.text, quoted(token), quoted(file))
		}
		return editingMsg{edit: e}
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a text has a JSON form
		return s
	}
	return string(b)
}

func (m *Model) openRequest(msg editingMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Warn, "there is no request to edit yet: "+client.CleanLine(msg.err.Error()))
	}
	m.requests.edit = msg.edit
	edit := screen.EditMsg{Text: msg.edit.text, Suffix: ".json", Tag: tagRequest}
	return func() tea.Msg { return edit }
}

// editedRequest reads what came back from the editor.
func (m *Model) editedRequest(text string) tea.Cmd {
	if strings.TrimSpace(text) == strings.TrimSpace(m.requests.edit.text) {
		m.requests.broken = ""
		return nil
	}
	hint, e := m.readHint(), m.requests.edit
	hint.Format = e.format
	g := m.deps.Gateway
	return func() tea.Msg {
		got, err := g.ReadRequest(text, hint)
		return readMsg{edit: e, text: text, got: got, err: err}
	}
}

// readBack fills the form with the edited request. What the format does not carry, and
// values that did not apply, stay as they are; so does what no request tells.
func (m *Model) readBack(msg readMsg) tea.Cmd {
	r := &m.requests
	if msg.err != nil {
		r.edit, r.broken = msg.edit, msg.text
		again := strings.TrimSpace(m.deps.Keys.Keys("compose.edit-request") + " opens it again as you left it")
		return screen.Toast(screen.Bad, "the form is as it was: "+client.CleanLine(msg.err.Error())+"; "+again)
	}
	r.broken = ""
	got, e := msg.got, msg.edit
	d := &got.Draft
	d.Values = d.Values.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	for name, v := range d.Values {
		d.Values[name] = m.sheet.Data.Expand(datauri.MapTexts(v, func(s string) string {
			if file, ok := e.files[s]; ok {
				return file
			}
			return s
		}))
	}
	if got.Format == e.format {
		e.stay(d)
	}
	for name, v := range e.struck {
		if _, set := d.Values[name]; !set {
			d.Values[name] = v
		}
	}
	take := func() tea.Cmd {
		return m.askFiles(got, e.d.LocalFiles(), func(got intake.Result) tea.Cmd { return m.fillEdited(got, e) })
	}
	if m.requests.ask != nil {
		return m.late.Offer("the request from the editor", take)
	}
	return m.takeOrOffer(e.at, "the request from the editor", take)
}

// stay keeps what the format does not carry.
func (e *editing) stay(d *client.Draft) {
	own := map[string][2]*string{
		client.FieldModel: {&d.Model, &e.d.Model}, client.FieldModelName: {&d.ModelName, &e.d.ModelName},
		client.FieldMode: {&d.Mode, &e.d.Mode}, client.FieldPrompt: {&d.Prompt, &e.d.Prompt},
	}
	for name, x := range own {
		if *x[0] == "" && slices.Contains(e.dropped, name) {
			*x[0] = *x[1]
		}
	}
	for _, name := range e.dropped {
		v, had := e.d.Values[name]
		if _, set := d.Values[name]; had && !set {
			d.Values[name] = v
		}
	}
}

// beginEdit is the form as its request is handed to the editor.
func (m *Model) beginEdit() editing {
	e := editing{format: m.sheet.Effective().Format, files: map[string]string{}, d: m.sheet.Draft.Clone(), struck: client.Values{},
		rest: m.sheet.Whole(), origin: m.sheet.Origin, reading: m.sheet.Reading, at: m.now()}
	for _, name := range m.sheet.Struck() {
		e.struck[name] = m.sheet.Values[name]
	}
	return e
}

// fillEdited fills the form with an edited request. It goes on being what it was: of the same
// jobs, with its prompt taken for the same, and compared with the same origin.
func (m *Model) fillEdited(got intake.Result, e editing) tea.Cmd {
	rest := screen.ComposeDraft{Draft: client.Draft{Parents: e.rest.Draft.Parents}, Expand: e.rest.Expand, Vars: e.rest.Vars}
	from, reading := e.origin, e.reading
	if now := m.sheet.Origin; from == nil && now != nil && now.Job == reading { // which came meanwhile
		from, reading = now, ""
	}
	cmd := m.fillOver(got, rest, "taken from the editor")
	m.sheet.Origin, m.sheet.Reading = from, reading
	m.refresh()
	return cmd
}

// Answers to whether the files that a request names are attached.
const (
	answerAttach = "attach"
	answerLeave  = "leave"
)

// leftFiles is said when nobody answers any more whether files are attached.
const leftFiles = "files of this machine left out, since the question about them was not answered"

// maxFilesNamed is how many files the question names, and maxFileShown how many letters of each:
// the last ones, which tell most.
const (
	maxFilesNamed = 6
	maxFileShown  = 76
)

// askFiles asks before files of this machine get into the form because a request names them,
// which somebody else may have written; fill then takes it with or without them. Those that the
// form had are no question.
func (m *Model) askFiles(got intake.Result, had []client.LocalFile, fill func(intake.Result) tea.Cmd) tea.Cmd {
	files := slices.DeleteFunc(got.Files(), func(path string) bool {
		return slices.ContainsFunc(had, func(f client.LocalFile) bool { return f.Path() == path })
	})
	if len(files) == 0 {
		return fill(got)
	}
	said := []string{"The request names " + filesOf(len(files)) + " of this machine, which would be sent with it:"}
	for i, path := range files {
		if i == maxFilesNamed {
			said = append(said, fmt.Sprintf("and %d more", len(files)-i))
			break
		}
		said = append(said, shownPath(path))
	}
	ask := confirm.New("Attach files of this machine?", strings.Join(said, "\n"), answerLeave,
		confirm.Button{ID: answerLeave, Label: "Leave out", Key: "o"},
		confirm.Button{ID: answerAttach, Label: "Attach", Key: "a"})
	m.requests.ask = &ask
	m.requests.attach = func(with bool) tea.Cmd {
		took, said := got, tea.Cmd(nil)
		if !with {
			took = got.LeaveOut(files)
			said = screen.Toast(screen.Info, filesOf(len(files))+" of this machine left out")
		}
		return tea.Batch(fill(took), said)
	}
	return nil
}

// shownPath is a path as it is read at once: without its detours, the end of a long one.
func shownPath(path string) string {
	r := []rune(client.CleanLine(filepath.Clean(path)))
	if len(r) > maxFileShown {
		return "…" + string(r[len(r)-maxFileShown+1:])
	}
	return string(r)
}

func filesOf(n int) string { return human.Plural(n, "file") }
