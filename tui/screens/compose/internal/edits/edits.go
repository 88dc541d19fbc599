// Package edits takes parts of the form of Compose through the person's editor: the text of a field
// or of an item, or the whole request as JSON. What comes back goes into the form that it was taken
// from, and into no other.
package edits

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/intake"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/late"
)

// What is in the editor, apart from fields, which have their names.
const (
	tagRequest = "#request"
	tagItem    = "#item"
)

// Intake asks about a request that was read, and fills the form from it.
type Intake interface {
	RequestHint() intake.Hint
	Asks() bool
	Fill(got intake.Result, had []client.LocalFile, fill func(intake.Result) tea.Cmd) tea.Cmd
}

// Options are what an [Editor] works with.
type Options struct {
	Gateway Gateway
	Doc     *document.Document
	Over    *screen.Stack
	Late    *late.Box
	Intake  Intake
	Key     string // that opens the request in the editor, "" for none
}

// Editor knows what is in the person's editor. Make it with [New].
type Editor struct {
	o        Options
	at       late.State // when a text was handed over
	requests requests
}

// New is an editor with nothing handed over.
func New(o Options) *Editor { return &Editor{o: o, requests: requests{gateway: o.Gateway, key: o.Key}} }

// Open opens the focused text, else the prompt; over the dialog of items, the text that is edited
// there.
func (d *Editor) Open() tea.Cmd {
	d.at = d.o.Late.Now()
	if d.o.Over.Has(pieces.Scope) {
		cmd, _ := d.o.Over.Update(pieces.EditMsg{})
		return cmd
	}
	id, text, suffix := d.o.Doc.Sheet.Edited()
	return open(text, suffix, id)
}

func open(text, suffix, tag string) tea.Cmd {
	return func() tea.Msg { return screen.EditMsg{Text: text, Suffix: suffix, Tag: tag} }
}

// OpenPieces opens the text of an item, or else the whole value as JSON.
func (d *Editor) OpenPieces(a pieces.Edit) tea.Cmd {
	if a.Written {
		return open(a.Text, ".txt", tagItem)
	}
	s := d.o.Doc.Sheet
	return open(s.Data.Unfold(s.Form.Text(a.Name)), ".json", a.Name)
}

// OpenRequest opens the request as JSON. When it comes back, the form keeps its jobs, how its
// prompt is meant, and the origin that it is compared with.
func (d *Editor) OpenRequest() tea.Cmd {
	s := d.o.Doc.Sheet
	whole, from, reading := s.Whole(), s.Origin, s.Reading
	f := form{draft: s.Draft.Clone(), format: s.Effective().Format, struck: client.Values{}, at: d.o.Late.Now()}
	for _, name := range s.Struck() {
		f.struck[name] = s.Values[name]
	}
	f.fill = func(got intake.Result) tea.Cmd {
		origin, reading := from, reading
		if now := s.Origin; origin == nil && now != nil && now.Job == reading { // which came meanwhile
			origin, reading = now, ""
		}
		rest := screen.ComposeDraft{Draft: client.Draft{Parents: whole.Draft.Parents}, Expand: whole.Expand, Vars: whole.Vars}
		cmd := d.o.Doc.FillFrom(got, rest, "taken from the editor")
		s.Origin, s.Reading = origin, reading
		d.o.Doc.Refresh()
		return cmd
	}
	return d.requests.open(f, s.Data)
}

// Update handles the results of its own commands, and screen.EditedMsg; nil for anything else.
func (d *Editor) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.EditedMsg:
		return d.edited(msg)
	case readyMsg:
		return d.requests.ready(msg)
	case readMsg:
		return d.read(msg)
	}
	return nil
}

func (d *Editor) edited(msg screen.EditedMsg) tea.Cmd {
	switch {
	case msg.Err != nil:
		return screen.Toast(screen.Bad, "the text is as it was: "+client.CleanLine(msg.Err.Error()))
	case msg.Tag == tagRequest:
		return d.requests.edited(msg.Text, d.o.Intake.RequestHint())
	case msg.Tag == tagItem:
		return d.editedItem(msg.Text)
	}
	put := func() tea.Cmd {
		return d.o.Doc.Set(msg.Tag, d.o.Doc.Sheet.Data.Fold(strings.TrimSuffix(msg.Text, "\n")))
	}
	if d.o.Late.Replaced(d.at) {
		return d.o.Late.Offer("the text from the editor for "+client.CleanLine(d.o.Doc.Label(msg.Tag)), put)
	}
	return put()
}

func (d *Editor) editedItem(text string) tea.Cmd {
	if !d.o.Over.Has(pieces.Scope) || d.o.Late.Replaced(d.at) {
		return d.o.Late.Offer("an edited item, to copy", func() tea.Cmd {
			return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the text from the editor"} }
		})
	}
	cmd, _ := d.o.Over.Update(pieces.EditedMsg{Text: strings.TrimSuffix(text, "\n")})
	return cmd
}

// read fills the form with a request that comes from the editor.
func (d *Editor) read(msg readMsg) tea.Cmd {
	got, f, cmd, ok := d.requests.read(msg, d.o.Doc.Sheet.Data)
	if !ok {
		return cmd
	}
	const what = "the request from the editor"
	take := func() tea.Cmd { return d.o.Intake.Fill(got, f.draft.LocalFiles(), f.fill) }
	if d.o.Intake.Asks() {
		return d.o.Late.Offer(what, take)
	}
	return d.o.Late.Put(f.at, what, take)
}
