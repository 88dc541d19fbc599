package edits

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/client/media"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/datauri"
	"darkroom/tui/screens/compose/internal/late"
)

// Gateway makes and reads requests.
type Gateway interface {
	Preview(d client.Draft, format string) (client.Preview, error)
	// ReadRequest reads a curl command or a JSON body of any format.
	ReadRequest(text string, h intake.Hint) (intake.Result, error)
}

// form is the form at the time its request is handed to the editor.
type form struct {
	draft  client.Draft
	format string
	struck client.Values // values that the draft's model does not take: they stay
	at     late.State
	// fill puts what came back into the form. It knows what no request tells.
	fill func(intake.Result) tea.Cmd
}

// request is a request that is in the editor.
type request struct {
	form    form
	text    string            // as it was handed over
	format  string            // whose names it is in
	files   map[string]string // references to files, by what stood for them in the request
	dropped []string          // fields that the format does not carry: they stay as they are
}

// requests take a request through the editor as JSON, and read it back. References appear as in the
// form: no file is read.
type requests struct {
	gateway Gateway
	key     string // that opens the editor, "" for none
	now     request
	broken  string // what came from the editor and is no request, as it was left: it is opened again
}

// readyMsg brings a request that is ready for the editor.
type readyMsg struct {
	request request
	err     error
}

// readMsg brings a request from the editor, as it was read.
type readMsg struct {
	request request
	text    string
	got     intake.Result
	err     error
}

// open makes the request of a form for the editor; a request that was left broken is opened again.
func (k *requests) open(f form, data datauri.Store) tea.Cmd {
	if k.broken != "" {
		k.now.form.at = f.at
		return open(k.broken, ".json", tagRequest)
	}
	r := request{form: f, files: map[string]string{}}
	d := f.draft.Clone()
	for name, v := range d.Values {
		d.Values[name] = datauri.MapTexts(data.Shrink(v), func(s string) string {
			if media.Scheme(s) != "file" {
				return s
			}
			token := "data:application/x-darkroom-file;base64," + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "file-%04d", len(r.files)))
			r.files[token] = s
			return token
		})
	}
	g := k.gateway
	return func() tea.Msg {
		p, err := g.Preview(d, f.format)
		if err != nil {
			return readyMsg{err: err}
		}
		r.format = p.Format
		for _, x := range p.Dropped {
			r.dropped = append(r.dropped, x.Field)
		}
		r.text = string(p.Body) + "\n"
		for token, file := range r.files {
			r.text = strings.ReplaceAll(r.text, quoted(token), quoted(file))
		}
		return readyMsg{request: r}
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a text has a JSON form
		return s
	}
	return string(b)
}

// ready hands a request to the editor.
func (k *requests) ready(msg readyMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Warn, "there is no request to edit yet: "+client.CleanLine(msg.err.Error()))
	}
	k.now = msg.request
	return open(k.now.text, ".json", tagRequest)
}

// edited reads what came back from the editor; nil when it is unchanged.
func (k *requests) edited(text string, hint intake.Hint) tea.Cmd {
	if strings.TrimSpace(text) == strings.TrimSpace(k.now.text) {
		k.broken = ""
		return nil
	}
	g, r := k.gateway, k.now
	hint.Format = r.format
	return func() tea.Msg {
		got, err := g.ReadRequest(text, hint)
		return readMsg{request: r, text: text, got: got, err: err}
	}
}

// read is an edited request, and the form that it goes back into. Values that did not apply, or
// that the format does not carry, stay as they were. For a text that is not a request it is false,
// and the command says so.
func (k *requests) read(msg readMsg, data datauri.Store) (got intake.Result, f form, cmd tea.Cmd, ok bool) {
	r := msg.request
	if msg.err != nil {
		k.now, k.broken = r, msg.text
		again := strings.TrimSpace(k.key + " opens it again as you left it")
		return got, f, screen.Toast(screen.Bad, "the form is as it was: "+client.CleanLine(msg.err.Error())+"; "+again), false
	}
	k.broken = ""
	got = msg.got
	d := &got.Draft
	d.Values = d.Values.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	for name, v := range d.Values {
		d.Values[name] = data.Expand(datauri.MapTexts(v, func(s string) string {
			if file, ok := r.files[s]; ok {
				return file
			}
			return s
		}))
	}
	if got.Format == r.format {
		r.stay(d)
	}
	for name, v := range r.form.struck {
		if _, set := d.Values[name]; !set {
			d.Values[name] = v
		}
	}
	return got, r.form, nil, true
}

// stay keeps what the format does not carry.
func (r *request) stay(d *client.Draft) {
	was := &r.form.draft
	own := map[string][2]*string{
		client.FieldModel: {&d.Model, &was.Model}, client.FieldModelName: {&d.ModelName, &was.ModelName},
		client.FieldMode: {&d.Mode, &was.Mode}, client.FieldPrompt: {&d.Prompt, &was.Prompt},
	}
	for name, x := range own {
		if *x[0] == "" && slices.Contains(r.dropped, name) {
			*x[0] = *x[1]
		}
	}
	for _, name := range r.dropped {
		v, had := was.Values[name]
		if _, set := d.Values[name]; had && !set {
			d.Values[name] = v
		}
	}
}
