package screen

import (
	"errors"
	"reflect"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/widgets/overlay"
)

// Stack is the dialogs over a screen. The person's input goes to the top one, the messages of
// commands go to all of them. Make it with [NewStack].
type Stack struct {
	keys   keys.Map
	answer func(any) tea.Cmd
	w, h   int
	st     *themes.Styles
	layers []layer
}

// layer is a dialog and the dialog that opened it; the opener is nil for the screen.
type layer struct{ dialog, opener Dialog }

// NewStack is an empty stack. Answer takes the answers of the dialogs that the screen opens.
func NewStack(k keys.Map, st *themes.Styles, answer func(any) tea.Cmd) Stack {
	return Stack{keys: k, st: st, answer: answer}
}

// Open puts a dialog on top, in place of an open one of the same type and scope.
func (s *Stack) Open(d Dialog) tea.Cmd { return s.open(d, nil) }

func (s *Stack) open(d, opener Dialog) tea.Cmd {
	if scope := d.Scope(); scope != "" {
		s.remove(func(l layer) bool { return l.dialog.Scope() == scope && reflect.TypeOf(l.dialog) == reflect.TypeOf(d) })
	}
	s.layers = append(s.layers, layer{d, opener})
	d.SetStyles(s.st)
	d.SetSize(s.w, s.h)
	return s.follow(d, d.Init())
}

// Update passes a message on. taken is true for the person's input and for an [Addressed] message;
// all others are for the screen, too.
func (s *Stack) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	if msg, ok := msg.(Addressed); ok {
		if s.has(msg.To()) {
			return s.send(msg.To(), msg), true
		}
		return msg.Missed(), true
	}
	if len(s.layers) == 0 {
		return nil, false
	}
	top := s.layers[len(s.layers)-1].dialog
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if own, ok := top.(OwnKeys); ok && own.OwnKey(msg) {
			return s.send(top, msg), true
		}
		if id, ok := s.keys.Lookup(top.Scope(), msg.String()); ok && !msg.Paste && offers(top, id) {
			return s.send(top, ActionMsg{ID: id}), true
		}
		return s.send(top, msg), true
	case ClickMsg, WheelMsg:
		return s.send(top, msg), true
	case ActionMsg:
		if !offers(top, msg.ID) {
			return nil, false
		}
		return s.send(top, msg), true
	}
	var cmds []tea.Cmd
	for _, l := range slices.Backward(slices.Clone(s.layers)) {
		if s.has(l.dialog) {
			cmds = append(cmds, s.send(l.dialog, msg))
		}
	}
	return tea.Batch(cmds...), false
}

func offers(d Dialog, id string) bool {
	return slices.ContainsFunc(d.Actions(), func(a Action) bool { return a.ID == id })
}

func (s *Stack) send(d Dialog, msg tea.Msg) tea.Cmd { return s.follow(d, d.Update(msg)) }

// follow carries out what a dialog asked for while one of its methods ran, and batches the
// resulting commands with the method's own.
func (s *Stack) follow(d Dialog, cmd tea.Cmd) tea.Cmd {
	b, opener := d.base(), Dialog(nil)
	if i := slices.IndexFunc(s.layers, func(l layer) bool { return l.dialog == d }); i >= 0 {
		opener = s.layers[i].opener
	}
	answers, opened, closed, from := b.answers, b.opened, b.closed, d
	b.answers, b.opened, b.closed = nil, nil, false
	if closed {
		s.remove(func(l layer) bool { return l.dialog == d })
		from = opener // what it opens takes its place
	}
	cmds := []tea.Cmd{cmd}
	for _, a := range answers {
		if opener == nil {
			cmds = append(cmds, s.answer(a))
		} else if s.has(opener) {
			cmds = append(cmds, s.send(opener, a))
		}
	}
	for _, x := range opened {
		cmds = append(cmds, s.open(x, from))
	}
	return tea.Batch(cmds...)
}

// remove takes dialogs off the stack, with the dialogs that they opened.
func (s *Stack) remove(which func(layer) bool) {
	var gone []Dialog
	s.layers = slices.DeleteFunc(slices.Clone(s.layers), func(l layer) bool {
		if which(l) || l.opener != nil && slices.Contains(gone, l.opener) {
			gone = append(gone, l.dialog)
			return true
		}
		return false
	})
	for _, d := range gone {
		d.Closed()
	}
}

func (s *Stack) has(d Dialog) bool {
	return slices.ContainsFunc(s.layers, func(l layer) bool { return l.dialog == d })
}

// Close takes the dialog of a scope off the stack, without an answer.
func (s *Stack) Close(scope string) {
	s.remove(func(l layer) bool { return l.dialog.Scope() == scope })
}

// Clear closes all dialogs but those that keep something irreplaceable.
func (s *Stack) Clear() {
	s.remove(func(l layer) bool {
		k, ok := l.dialog.(Keeper)
		return !ok || !k.Keep()
	})
}

// View draws the dialogs over a frame of the screen.
func (s *Stack) View(frame string) string {
	for _, l := range s.layers {
		frame = overlay.Dialog(s.st, frame, l.dialog.View())
	}
	return frame
}

// SetSize tells the screen's size to all dialogs, and to those to come.
func (s *Stack) SetSize(w, h int) {
	s.w, s.h = w, h
	for _, l := range s.layers {
		l.dialog.SetSize(w, h)
	}
}

// SetStyles gives the styles to all dialogs, and to those to come.
func (s *Stack) SetStyles(st *themes.Styles) {
	s.st = st
	for _, l := range s.layers {
		l.dialog.SetStyles(st)
	}
}

// Top is the dialog that has the keys, nil for none.
func (s *Stack) Top() Dialog {
	if len(s.layers) == 0 {
		return nil
	}
	return s.layers[len(s.layers)-1].dialog
}

// Has reports whether the dialog of a scope is open.
func (s *Stack) Has(scope string) bool {
	return slices.ContainsFunc(s.layers, func(l layer) bool { return l.dialog.Scope() == scope })
}

// Actions are the actions of the top dialog.
func (s *Stack) Actions() []Action {
	if d := s.Top(); d != nil {
		return d.Actions()
	}
	return nil
}

// ShortHelp is the help of the top dialog.
func (s *Stack) ShortHelp() []key.Binding {
	if d := s.Top(); d != nil {
		return d.ShortHelp()
	}
	return nil
}

// Capturing reports whether the top dialog swallows the shell's keys.
func (s *Stack) Capturing() bool {
	d := s.Top()
	return d != nil && d.Capturing()
}

// TakesLetters reports whether the top dialog takes a letter without capturing; see
// [TakesLetters].
func (s *Stack) TakesLetters() bool {
	t, ok := s.Top().(TakesLetters)
	return ok && t.TakesLetters()
}

// Unsaved describes what the dialogs would lose at quit, "" for nothing.
func (s *Stack) Unsaved() string {
	for _, l := range slices.Backward(s.layers) {
		if u, ok := l.dialog.(Unsaved); ok {
			if lost := u.Unsaved(); lost != "" {
				return lost
			}
		}
	}
	return ""
}

// Flush lets the dialogs save all unsaved work, once the screen's loop has ended; see [Flusher].
func (s *Stack) Flush() error {
	var errs []error
	for _, l := range s.layers {
		if f, ok := l.dialog.(Flusher); ok {
			errs = append(errs, f.Flush())
		}
	}
	return errors.Join(errs...)
}
