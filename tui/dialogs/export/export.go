// Package export is the dialog that asks as what, and where to, chosen jobs are written, and what is
// left out. It writes nothing itself.
package export

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/bundle"
	pack "darkroom/jobs/export"
	"darkroom/themes"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// Scope names the dialog; it has no keys or actions of its own.
const Scope = "export"

// Chosen is the answer, with which the dialog closes.
type Chosen struct {
	pack.Options
	Path    string // absolute
	Replace bool   // a file that is there already
	About   any
}

// Rows of the dialog, and values of theirs.
const (
	rowForm = "form"
	rowFile = "file"
	rowSend = "send"

	with    = "with"
	without = "without"
	write   = "write"
	back    = "back"
)

// part is what can be left out.
type part struct{ id, label string }

func parts() []part {
	return []part{{"prompts", "Prompts"}, {"media", "Media"}, {"paths", "Local paths"}, {"queries", "Address ?…"}}
}

// Dialog is the dialog.
type Dialog struct {
	screen.Base
	what   string // that is exported
	begins string // what the usual name begins with
	now    time.Time
	about  any
	// only is the one form, "" for a choice; list says what goes in, nil where nobody is told.
	only   pack.Form
	list   func(bundle.Options) ([]string, error)
	listed []string
	asked  int // listings; only the newest counts
	form   *form.Form
	typed  bool // the file was named by the person
	busy   bool
	wrong  string
}

// New is the dialog about so many jobs; now names the file. About comes back with the answer.
func New(n int, now time.Time, about any) *Dialog {
	return &Dialog{what: "Export " + human.Plural(n, "job"), begins: "jobs-", now: now, about: about}
}

// ForBundle is the dialog for a bundle alone. List says what goes in, a line a file; it is called in a
// command, whenever something else is left out.
func ForBundle(title string, list func(bundle.Options) ([]string, error), now time.Time, about any) *Dialog {
	return &Dialog{what: title, begins: "bundle-", only: pack.Bundle, list: list, now: now, about: about}
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	d.form = form.New("export/", d.Styles)
	d.form.SetText(rowForm, string(cmp.Or(d.only, pack.CSV)))
	for _, p := range parts() {
		d.form.SetText(p.id, with)
	}
	d.name()
	d.rows()
	d.form.Focus(rowForm)
	if d.only != "" {
		d.form.Focus(rowFile)
	}
	d.layout()
	return d.relist()
}

// listing is what goes in.
type listing struct {
	to    *Dialog
	n     int
	lines []string
}

// To implements screen.Addressed.
func (m listing) To() screen.Dialog { return m.to }

// Missed implements screen.Addressed.
func (m listing) Missed() tea.Cmd { return nil }

// relist finds out what goes in.
func (d *Dialog) relist() tea.Cmd {
	if d.list == nil {
		return nil
	}
	d.asked++
	o, n := d.options(), d.asked
	return func() tea.Msg {
		lines, err := d.list(o)
		if err != nil {
			lines = []string{"✗ " + err.Error()}
		}
		for i := range lines {
			lines[i] = client.CleanLine(lines[i])
		}
		return listing{to: d, n: n, lines: lines}
	}
}

func (d *Dialog) options() bundle.Options {
	return bundle.Options{NoPrompts: d.out(0), NoMedia: d.out(1), NoPaths: d.out(2), NoQueries: d.out(3), Made: d.now}
}

// name names the file after the form, unless the person has.
func (d *Dialog) name() {
	if !d.typed {
		d.form.SetText(rowFile, d.begins+d.now.Format("2006-01-02-150405")+d.chosen().Ext())
	}
}

func (d *Dialog) chosen() pack.Form { return pack.Form(d.form.Text(rowForm)) }

func (d *Dialog) rows() {
	var rows []form.Field
	if d.only == "" {
		rows = append(rows, form.Field{ID: rowForm, Label: "As", Kind: form.Choice, Options: []form.Option{
			{Value: string(pack.CSV), Label: "sheet"}, {Value: string(pack.JSON), Label: "JSON"}, {Value: string(pack.Bundle), Label: "bundle"}}})
	}
	rows = append(rows, form.Field{ID: rowFile, Label: "File", Kind: form.Text, Hint: "a name, or a path"})
	for _, p := range parts() {
		rows = append(rows, form.Field{ID: p.id, Label: p.label, Kind: form.Choice, Options: []form.Option{
			{Value: with, Label: "go in"}, {Value: without, Label: "left out"}}})
	}
	rows = append(rows, form.Field{ID: rowSend, Kind: form.Buttons, Options: []form.Option{
		{Value: write, Label: "Write"}, {Value: back, Label: "Leave it"}}})
	d.form.SetFields(rows)
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	return []key.Binding{keys.Fixed("tab", "next"), keys.Fixed("←→", "choose"), keys.Fixed("enter", "write"), keys.Fixed("esc", "leave it")}
}

// SetSize implements screen.Dialog.
func (d *Dialog) SetSize(w, h int) {
	d.Base.SetSize(w, h)
	d.layout()
}

// SetStyles implements screen.Dialog.
func (d *Dialog) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	if d.form != nil {
		d.form.SetStyles(st)
	}
}

func (d *Dialog) size() (w, h int) {
	if d.list != nil {
		return min(d.W, 76), min(d.H, 24)
	}
	return min(d.W, 70), min(d.H, 14)
}

func (d *Dialog) layout() {
	if d.form != nil {
		iw, ih := widgets.Inner(d.size())
		d.form.SetSize(iw, max(2, min(ih-1, 9)))
	}
}

// looked says whether there is a file already.
type looked struct {
	to    *Dialog
	path  string
	there bool
	err   error
}

// To implements screen.Addressed.
func (m looked) To() screen.Dialog { return m.to }

// Missed implements screen.Addressed.
func (m looked) Missed() tea.Cmd { return nil }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case looked:
		return d.found(msg)
	case listing:
		if msg.n == d.asked {
			d.listed = msg.lines
		}
	case ask.Agreed:
		if path, ok := msg.About.(string); ok {
			d.answer(path, true)
		}
	case tea.KeyMsg:
		if d.busy {
			return nil
		}
		if msg.String() == "esc" {
			d.Close()
			return nil
		}
		focus := d.form.Focused()
		if msg.String() == "enter" && focus != rowSend {
			return d.look()
		}
		return d.follow(d.form.Update(form.InLine(msg)))
	case screen.ClickMsg:
		if !d.busy {
			return d.follow(d.form.Click(msg))
		}
	}
	return nil
}

func (d *Dialog) follow(ev form.Event) tea.Cmd {
	switch ev.Kind {
	case form.Changed:
		d.wrong = ""
		d.typed = d.typed || ev.ID == rowFile
		d.name()
		if ev.ID != rowFile {
			return d.relist()
		}
	case form.Pressed:
		if ev.Value == back {
			d.Close()
			return nil
		}
		return d.look()
	}
	return nil
}

// look finds out whether the file is there.
func (d *Dialog) look() tea.Cmd {
	name := strings.TrimSpace(d.form.Text(rowFile))
	if name == "" {
		d.form.Focus(rowFile)
		d.wrong = "name a file"
		return nil
	}
	d.busy = true
	return func() tea.Msg {
		m := looked{to: d}
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				m.err = err
				return m
			}
			name = filepath.Join(home, rest)
		}
		if m.path, m.err = filepath.Abs(name); m.err != nil {
			return m
		}
		info, err := os.Stat(filepath.Dir(m.path))
		switch {
		case err != nil:
			m.err = err
		case !info.IsDir():
			m.err = &os.PathError{Op: "open", Path: filepath.Dir(m.path), Err: os.ErrInvalid}
		default:
			_, err := os.Lstat(m.path)
			m.there = err == nil
		}
		return m
	}
}

func (d *Dialog) found(m looked) tea.Cmd {
	d.busy = false
	switch {
	case m.err != nil:
		d.wrong = client.CleanLine(m.err.Error())
	case m.there:
		d.Open(ask.Decide("Replace "+client.CleanLine(filepath.Base(m.path))+"?", client.CleanLine(m.path)+" is there already. Its contents will be replaced.", "Leave it", "Replace", m.path))
	default:
		d.answer(m.path, false)
	}
	return nil
}

func (d *Dialog) answer(path string, replace bool) {
	c := Chosen{Path: path, Replace: replace, About: d.about}
	c.Form, c.Options.Options = d.chosen(), d.options()
	d.Close()
	d.Answer(c)
}

func (d *Dialog) out(i int) bool { return d.form.Text(parts()[i].id) == without }

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := d.size()
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 || d.form == nil {
		return widgets.Fit("", w, h)
	}
	lines := widgets.TrimBlank(d.form.Lines())
	text, ink := cmp.Or(d.wrong, d.says()), widgets.NewInk(d.Styles.Muted)
	if d.wrong != "" {
		text, ink = "✗ "+text, widgets.NewInk(d.Styles.Bad)
	}
	for _, l := range widgets.WrapLines(text, max(4, iw), max(0, ih-len(lines))) {
		lines = append(lines, ink.Text(l))
	}
	lines = append(lines, d.files(iw, ih-len(lines))...)
	h = min(h, len(lines)+2)
	title := widgets.NewInk(d.Styles.DialogTitle).Text(d.what)
	return widgets.Box(d.Styles, title, "", strings.Join(lines[:min(len(lines), ih)], "\n"), w, h, true)
}

// files are the lines of what goes in, as far as there is room for them.
func (d *Dialog) files(w, room int) []string {
	all := d.listed
	if len(all) == 0 || room < 3 {
		return nil
	}
	out, ink := []string{""}, widgets.NewInk(d.Styles.Faint)
	if more := len(all) - (room - 1); more > 0 {
		all = append(all[:len(all)-more-1:len(all)-more-1], "… and "+human.Plural(more+1, "file")+" more")
	}
	for _, l := range all {
		out = append(out, ink.Text(widgets.Truncate(l, w)))
	}
	return out
}

// says what the form is.
func (d *Dialog) says() string {
	switch d.chosen() {
	case pack.JSON:
		return "What lists and the detail show of each job, as JSON."
	case pack.Bundle:
		return "A zip for support: a summary, timelines, requests and answers. `darkroom inspect --bundle` opens it."
	}
	return "One row per job. No cell is a formula."
}
