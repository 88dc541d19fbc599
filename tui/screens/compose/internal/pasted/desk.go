package pasted

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/intake"
	"darkroom/client/media"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
)

// maxDropped bounds the text that is looked at as dropped files, in bytes.
const maxDropped = 64 << 10

// askedFirst is why nothing is sent that was asked for before a question could be seen.
const askedFirst = "there was a question about what was pasted; do it again"

// Options are what a [Desk] works with.
type Options struct {
	// Read reads a curl command or a JSON body of any format.
	Read func(text string, h intake.Hint) (intake.Result, error)
	Doc  *document.Document
	Over *screen.Stack
	Do   func(tea.Msg) tea.Cmd // does a key, a click or an action
	// Paste pastes a text into the focused text, else into the prompt.
	Paste func(text []rune) tea.Cmd
	// Attach makes files references of a field, "" for whichever takes them.
	Attach func(files []media.File, field string) tea.Cmd
}

// Desk finds out what was pasted: a request, files of this machine, or a text; and asks where the
// person has to say. Make it with [NewDesk].
type Desk struct {
	Queue
	o Options
}

// NewDesk is a desk with nothing on it.
func NewDesk(o Options) *Desk {
	d := &Desk{o: o}
	d.Queue = New(Form{Do: o.Do, Paste: func(text string) tea.Cmd { return o.Paste([]rune(text)) }, Asks: d.Asks, Chooses: d.chooses})
	return d
}

// RequestHint is what is supposed of a request that does not say it.
func (d *Desk) RequestHint() intake.Hint {
	s := d.o.Doc.Sheet
	return intake.Hint{Modality: s.Modality, Model: s.Chosen[s.Modality].Model}
}

// Take looks whether a pasted text is a request, or names files; false for a plain text.
func (d *Desk) Take(runes []rune) (tea.Cmd, bool) {
	if cmd, ok := d.takeRequest(string(runes)); ok {
		return cmd, true
	}
	return d.takeFiles(runes)
}

// request is a pasted text that was read as one.
type request struct {
	text Text
	got  intake.Result
}

// takeRequest is false for a text that does not look like a request, or when JSON is what the focused
// field takes.
func (d *Desk) takeRequest(text string) (tea.Cmd, bool) {
	f, ok := d.o.Doc.Sheet.FieldNamed(d.o.Doc.Sheet.Form.Focused())
	if !intake.Looks(text) || !intake.IsCommand(text) && ok && f.Kind.IsJSON() && !d.o.Doc.Side.Alone() {
		return nil, false
	}
	read, hint := d.o.Read, d.RequestHint()
	ready := make(chan Text, 1)
	return d.Look(func() Text { return redacted(text, ready) }, func() Found {
		kept := redact(text)
		ready <- kept
		got, err := read(text, hint)
		return func() (tea.Cmd, string) {
			if err != nil {
				return d.noRequest(request{kept, got}, err), ""
			}
			return d.o.Over.Open(askFill(request{kept, got})), ""
		}
	}), true
}

// noRequest pastes what is no request as a text.
func (d *Desk) noRequest(r request, err error) tea.Cmd {
	if r.got.Command && r.text.text != "" {
		why := screen.Toast(screen.Info, r.text.after("kept as text, it fills no form: "+client.CleanLine(err.Error())))
		return tea.Batch(d.o.Paste([]rune(r.text.text)), why)
	}
	return d.pasteText(r.text)
}

// pasteText pastes a text, and says what was taken out of it.
func (d *Desk) pasteText(t Text) tea.Cmd {
	var cmds []tea.Cmd
	if t.text != "" {
		cmds = append(cmds, d.o.Paste([]rune(t.text)))
	}
	if t.said != "" {
		cmds = append(cmds, screen.Toast(screen.Warn, t.said))
	}
	return tea.Batch(cmds...)
}

// dropped is a pasted text that names files.
type dropped struct {
	text  []rune
	files []media.File
}

// takeFiles looks whether a pasted text consists of files that are there, as terminals paste
// what is dropped onto them; false for a text that cannot.
func (d *Desk) takeFiles(runes []rune) (tea.Cmd, bool) {
	s := d.o.Doc.Sheet
	field := s.Form.Focused()
	if spec, ok := s.Pieces.Spec(field); len(runes) > maxDropped || d.o.Doc.Side.Alone() || ok && spec.HoldsMedia() { // whose dialog takes lines
		return nil, false
	}
	text := string(runes)
	lists := media.Dropped(text)
	if len(lists) == 0 {
		return nil, false
	}
	return d.Look(func() Text { return Text{text: text} }, func() Found {
		for _, list := range lists {
			if files, err := media.LookAll(list); err == nil {
				return func() (tea.Cmd, string) { return d.drop(dropped{runes, files}, field) }
			}
		}
		return func() (tea.Cmd, string) { return d.o.Paste(runes), "" }
	}), true
}

// drop makes files references of the field that takes them, or asks.
func (d *Desk) drop(x dropped, field string) (cmd tea.Cmd, missing string) {
	f, ok := d.o.Doc.Sheet.FieldNamed(field)
	if !ok || !f.Kind.Refers() {
		return d.o.Over.Open(askDrop(x)), ""
	}
	if f.Kind == catalog.Media && len(x.files) > 1 {
		missing = "not all files are taken: look at them, then do it again"
	}
	return d.o.Attach(x.files, f.Name), missing
}

// Fill fills the form from a request, by fill. It asks before files of this machine get into the
// form because the request names them, which somebody else may have written. Those that the form
// had are no question.
func (d *Desk) Fill(got intake.Result, had []client.LocalFile, fill func(intake.Result) tea.Cmd) tea.Cmd {
	files := slices.DeleteFunc(got.Files(), func(path string) bool {
		return slices.ContainsFunc(had, func(f client.LocalFile) bool { return f.Path() == path })
	})
	if len(files) == 0 {
		return fill(got)
	}
	return d.o.Over.Open(askAttach(attachment{got, files, fill}))
}

// Answer takes the answer to a question of the desk's. What has waited for it was typed where the
// focus is still.
func (d *Desk) Answer(a ask.Chosen) tea.Cmd {
	switch about := a.About.(type) {
	case request:
		switch a.ID {
		case answerFill:
			left := d.Drop() // it was for the form that was there
			fill := func(got intake.Result) tea.Cmd {
				return d.o.Doc.FillFrom(got, screen.ComposeDraft{}, "filled from what was pasted")
			}
			return tea.Batch(d.Fill(about.got, nil, fill), left)
		case answerText:
			return tea.Batch(d.pasteText(about.text), d.Release(askedFirst))
		}
	case dropped:
		switch a.ID {
		case answerRefs:
			typed := d.Release(askedFirst)
			return tea.Batch(d.o.Attach(about.files, ""), typed)
		case answerText:
			return tea.Batch(d.o.Paste(about.text), d.Release(askedFirst))
		}
	case attachment:
		return about.take(a.ID == answerAttach)
	default:
		return nil
	}
	return d.Release(askedFirst)
}

// Asks reports whether a question about something pasted is open.
func (d *Desk) Asks() bool {
	return d.o.Over.Has(AskRequest) || d.o.Over.Has(AskAttach) || d.o.Over.Has(AskDropped)
}

func (d *Desk) chooses() bool { return d.o.Over.Has(choose.Scope) }

// Chosen does what has waited for a choice, when there is none any more.
func (d *Desk) Chosen() tea.Cmd {
	if d.Waiting() && !d.chooses() {
		return d.Release(askedFirst)
	}
	return nil
}

// ReleaseAll puts all that was pasted and typed into the form that is there, in its order, and
// submits nothing of it: no look is waited for any longer, and a question about what was pasted is
// answered "as text". Afterwards nothing waits. It comes to an end, since each round ends a look or
// a question, and only what has waited, which grows no more, can begin another.
func (d *Desk) ReleaseAll(why string) tea.Cmd {
	const asText = "kept as text, since the question about it was not answered"
	var cmds []tea.Cmd
	answer := func(name, id, said string) {
		cmd, _ := d.o.Over.Update(ask.Choice{Name: name, ID: id})
		cmds = append(cmds, screen.Toast(screen.Warn, why+": "+said), cmd)
	}
	for {
		switch {
		case d.Looking():
			cmds = append(cmds, d.End(why))
		case d.o.Over.Has(AskAttach):
			answer(AskAttach, answerLeave, "files of this machine left out, since the question about them was not answered")
		case d.o.Over.Has(AskRequest):
			answer(AskRequest, answerText, asText)
		case d.o.Over.Has(AskDropped):
			answer(AskDropped, answerText, asText)
		case d.Waiting(): // for what is to be chosen
			d.o.Over.Close(choose.Scope)
			cmds = append(cmds, d.Release(askedFirst))
		default:
			return tea.Batch(cmds...)
		}
	}
}

// Unsaved tells what is pasted or typed and not in the form yet, and what becomes of it at quit; ""
// for nothing.
func (d *Desk) Unsaved() string {
	if lost := d.Queue.Unsaved(); lost != "" {
		return lost
	}
	switch {
	case d.o.Over.Has(AskAttach):
		return "A question about files of this machine is open in Compose: quitting leaves them out, keeps the rest in the form, and submits nothing."
	case d.Asks():
		return "A question about what was pasted in Compose is open: quitting keeps it as text, with what was typed behind it, and submits nothing."
	case d.Waiting():
		return "What was typed in Compose waits for a choice: quitting keeps it in the form, and submits nothing."
	}
	return ""
}
