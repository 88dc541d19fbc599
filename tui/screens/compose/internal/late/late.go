// Package late keeps what arrived after the form that it was asked for had been replaced.
package late

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/tui/screen"
)

// State is the state of the form when something was requested that arrives later. What arrives goes
// into no other form by itself: it waits until the person takes it.
type State struct {
	Edits, Fills uint64 // how often it was changed, and how often another one took its place
	Dialog       bool   // something was open over it
	Pasting      bool   // something pasted was looked at
}

// untouched reports whether nobody has changed the form since, and no dialog was opened over it; a
// paste still under way counts as a change.
func (f State) untouched(now State) bool {
	return !now.Pasting && f.Edits == now.Edits && !f.replaced(now) && (f.Dialog || !now.Dialog)
}

func (f State) replaced(now State) bool { return f.Fills != now.Fills }

// most bounds how many are kept.
const most = 20

// OverForm is why nothing is put into the form while a dialog is open over it.
const OverForm = "a dialog is open over the form: esc closes it"

// Box keeps what came late. Make it with [New].
type Box struct {
	key  string
	now  func() State
	list []thing // the newest last
}

type thing struct {
	what string // in a few clean words
	take func() tea.Cmd
}

// New is an empty box. The key takes something out, "" for none; now returns the state of the form.
func New(key string, now func() State) *Box { return &Box{key: key, now: now} }

// Now is the state of the form at the moment of a request.
func (b *Box) Now() State { return b.now() }

// Put goes on with something requested when the form was at, unless the person has gone on with the
// form meanwhile: then it is offered instead.
func (b *Box) Put(at State, what string, take func() tea.Cmd) tea.Cmd {
	if !at.untouched(b.now()) {
		return b.Offer(what, take)
	}
	return take()
}

// Replaced reports whether another form has taken the place of the one at that time.
func (b *Box) Replaced(at State) bool { return at.replaced(b.now()) }

// Offer keeps something, and says how to take it.
func (b *Box) Offer(what string, take func() tea.Cmd) tea.Cmd {
	b.list = append(b.list, thing{what, take})
	if len(b.list) > most {
		b.list = slices.Delete(b.list, 0, 1)
	}
	return screen.Toast(screen.Warn, b.Hint())
}

// Hint says what is waiting to be taken, "" for nothing.
func (b *Box) Hint() string {
	if len(b.list) == 0 {
		return ""
	}
	s := "the form was changed and stays as it is; kept is " + b.list[len(b.list)-1].what
	if n := len(b.list) - 1; n > 0 {
		s += " and " + human.Plural(n, "other")
	}
	if b.key != "" {
		s += ": " + b.key + " takes it"
	}
	return s
}

// Off says why nothing can be taken, "" when something can.
func (b *Box) Off() string {
	switch {
	case len(b.list) == 0:
		return "nothing waits to be taken"
	case b.now().Dialog:
		return OverForm
	}
	return ""
}

// Take goes on with what came last, in the form as it is now. The box must not be empty.
func (b *Box) Take() tea.Cmd {
	n := len(b.list) - 1
	x := b.list[n]
	b.list = b.list[:n]
	return x.take()
}
