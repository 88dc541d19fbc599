// Package pasted takes what is pasted into Compose, and files that are chosen. A command looks at
// it; typing, clicks and requests wait meanwhile, so that their order is kept, and nothing is
// submitted without it.
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

// maxDropped bounds the text that may be read as dropped files, in bytes.
const maxDropped = 64 << 10

// askedFirst is why something requested before a question could be seen is not sent.
const askedFirst = "there was a question about what was pasted; do it again"

// Options are what an [Intake] works with.
type Options struct {
	// Read reads a curl command or a JSON body of any format.
	Read func(text string, h intake.Hint) (intake.Result, error)
	Doc  *document.Document
	Over *screen.Stack
	Do   func(tea.Msg) tea.Cmd // does a key, a click or an action
	// Paste pastes into the focused text, else into the prompt.
	Paste func(text []rune) tea.Cmd
	// Attach makes files references of a field, "" for whichever takes them.
	Attach func(files []media.File, field string) tea.Cmd
}

// Intake finds out what was pasted: a request, files on this machine, or a text; where the person
// has to decide, it asks. Make it with [New].
type Intake struct {
	queue
	o Options
}

// New returns an intake into which nothing was pasted.
func New(o Options) *Intake {
	in := &Intake{o: o}
	in.form = form{do: o.Do, paste: o.Paste, asks: in.Asks, chooses: in.chooses}
	return in
}

// Look has a command look at chosen files; what follows waits for it.
func (in *Intake) Look(find func() Found) tea.Cmd { return in.look(nil, find) }

// RequestHint is what is assumed of a request that does not say it.
func (in *Intake) RequestHint() intake.Hint {
	s := in.o.Doc.Sheet
	return intake.Hint{Modality: s.Modality, Model: s.Chosen[s.Modality].Model}
}

// Take checks whether a pasted text is a request, or names files; false for a plain text.
func (in *Intake) Take(runes []rune) (tea.Cmd, bool) {
	if cmd, ok := in.takeRequest(string(runes)); ok {
		return cmd, true
	}
	return in.takeFiles(runes)
}

// request is a pasted text that was read as one.
type request struct {
	text pasteText
	got  intake.Result
}

// takeRequest is false for a text that does not look like a request, or when the focused field
// takes JSON.
func (in *Intake) takeRequest(text string) (tea.Cmd, bool) {
	f, ok := in.o.Doc.Sheet.FieldNamed(in.o.Doc.Sheet.Form.Focused())
	if !intake.Looks(text) || !intake.IsCommand(text) && ok && f.Kind.IsJSON() && !in.o.Doc.Side.Alone() {
		return nil, false
	}
	read, hint := in.o.Read, in.RequestHint()
	ready := make(chan pasteText, 1)
	return in.look(func() pasteText { return redacted(text, ready) }, func() Found {
		kept := redact(text)
		ready <- kept
		got, err := read(text, hint)
		return func() (tea.Cmd, string) {
			if err != nil {
				return in.noRequest(request{kept, got}, err), ""
			}
			return in.o.Over.Open(askFill(request{kept, got})), ""
		}
	}), true
}

// noRequest pastes as text what turned out not to be a request.
func (in *Intake) noRequest(r request, err error) tea.Cmd {
	if r.got.Command && r.text.text != "" {
		why := screen.Toast(screen.Info, r.text.after("kept as text, it fills no form: "+client.CleanLine(err.Error())))
		return tea.Batch(in.o.Paste([]rune(r.text.text)), why)
	}
	return in.pasteKept(r.text)
}

// pasteKept pastes a text, and says what was taken out of it.
func (in *Intake) pasteKept(t pasteText) tea.Cmd {
	var cmds []tea.Cmd
	if t.text != "" {
		cmds = append(cmds, in.o.Paste([]rune(t.text)))
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

// takeFiles checks whether a pasted text consists of files that exist, which is how terminals paste
// what is dropped onto them; false for a text that cannot.
func (in *Intake) takeFiles(runes []rune) (tea.Cmd, bool) {
	s := in.o.Doc.Sheet
	field := s.Form.Focused()
	if spec, ok := s.Pieces.Spec(field); len(runes) > maxDropped || in.o.Doc.Side.Alone() || ok && spec.HoldsMedia() { // whose dialog takes lines
		return nil, false
	}
	text := string(runes)
	lists := media.Dropped(text)
	if len(lists) == 0 {
		return nil, false
	}
	return in.look(func() pasteText { return pasteText{text: text} }, func() Found {
		for _, list := range lists {
			if files, err := media.LookAll(list); err == nil {
				return func() (tea.Cmd, string) { return in.attach(dropped{runes, files}, field) }
			}
		}
		return func() (tea.Cmd, string) { return in.o.Paste(runes), "" }
	}), true
}

// attach makes files references of the field that takes them, or asks.
func (in *Intake) attach(x dropped, field string) (cmd tea.Cmd, missing string) {
	f, ok := in.o.Doc.Sheet.FieldNamed(field)
	if !ok || !f.Kind.Refers() {
		return in.o.Over.Open(askDrop(x)), ""
	}
	if f.Kind == catalog.Media && len(x.files) > 1 {
		missing = "not all files are taken: look at them, then do it again"
	}
	return in.o.Attach(x.files, f.Name), missing
}

// Fill fills the form from a request, by calling fill. A request, which somebody else may have
// written, can name files on this machine; before they get into the form, it asks. Files that the
// form already had need no question.
func (in *Intake) Fill(got intake.Result, had []client.LocalFile, fill func(intake.Result) tea.Cmd) tea.Cmd {
	files := slices.DeleteFunc(got.Files(), func(path string) bool {
		return slices.ContainsFunc(had, func(f client.LocalFile) bool { return f.Path() == path })
	})
	if len(files) == 0 {
		return fill(got)
	}
	return in.o.Over.Open(askAttach(attachment{got, files, fill}))
}

// Answer takes the answer to a question about something pasted. What was waiting for it was typed
// into the text that still has the focus.
func (in *Intake) Answer(a ask.Chosen) tea.Cmd {
	switch about := a.About.(type) {
	case request:
		switch a.ID {
		case answerFill:
			left := in.drop() // it was for the form that was there
			fill := func(got intake.Result) tea.Cmd {
				return in.o.Doc.FillFrom(got, screen.ComposeDraft{}, "filled from what was pasted")
			}
			return tea.Batch(in.Fill(about.got, nil, fill), left)
		case answerText:
			return tea.Batch(in.pasteKept(about.text), in.release(askedFirst))
		}
	case dropped:
		switch a.ID {
		case answerRefs:
			typed := in.release(askedFirst)
			return tea.Batch(in.o.Attach(about.files, ""), typed)
		case answerText:
			return tea.Batch(in.o.Paste(about.text), in.release(askedFirst))
		}
	case attachment:
		return about.take(a.ID == answerAttach)
	default:
		return nil
	}
	return in.release(askedFirst)
}

// Asks reports whether a question about something pasted is open.
func (in *Intake) Asks() bool {
	return in.o.Over.Has(scopeRequest) || in.o.Over.Has(scopeAttach) || in.o.Over.Has(scopeDropped)
}

func (in *Intake) chooses() bool { return in.o.Over.Has(choose.Scope) }

// Chosen goes on with what was waiting for a choice, once there is none any more.
func (in *Intake) Chosen() tea.Cmd {
	if in.waiting() && !in.chooses() {
		return in.release(askedFirst)
	}
	return nil
}

// ReleaseAll puts everything pasted and typed into the current form, in order, and submits nothing:
// it waits for no look, and answers a question about what was pasted with "as text". Afterwards
// nothing waits. It terminates: each round ends a look or a question, and only what was waiting,
// which no longer grows, can begin another.
func (in *Intake) ReleaseAll(why string) tea.Cmd {
	const asText = "kept as text, since the question about it was not answered"
	var cmds []tea.Cmd
	answer := func(name, id, said string) {
		cmd, _ := in.o.Over.Update(ask.Choice{Name: name, ID: id})
		cmds = append(cmds, screen.Toast(screen.Warn, why+": "+said), cmd)
	}
	for {
		switch {
		case in.Looking():
			cmds = append(cmds, in.end(why))
		case in.o.Over.Has(scopeAttach):
			answer(scopeAttach, answerLeave, "files on this machine left out, since the question about them was not answered")
		case in.o.Over.Has(scopeRequest):
			answer(scopeRequest, answerText, asText)
		case in.o.Over.Has(scopeDropped):
			answer(scopeDropped, answerText, asText)
		case in.waiting(): // for what is to be chosen
			in.o.Over.Close(choose.Scope)
			cmds = append(cmds, in.release(askedFirst))
		default:
			return tea.Batch(cmds...)
		}
	}
}

// Unsaved tells what was pasted or typed but is not in the form yet, and what becomes of it at
// quit; "" for nothing.
func (in *Intake) Unsaved() string {
	if lost := in.unsaved(); lost != "" {
		return lost
	}
	switch {
	case in.o.Over.Has(scopeAttach):
		return "A question about files on this machine is open in Compose: quitting leaves them out, keeps the rest in the form, and submits nothing."
	case in.Asks():
		return "A question about what was pasted in Compose is open: quitting keeps it as text, with what was typed after it, and submits nothing."
	case in.waiting():
		return "Compose has a question open: quitting keeps what you typed, and submits nothing."
	}
	return ""
}
