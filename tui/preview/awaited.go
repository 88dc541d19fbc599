package preview

import tea "github.com/charmbracelet/bubbletea"

// Awaited is the preview for one place: it waits only for the one asked for last. The zero value
// waits for none.
type Awaited struct {
	Wanted Key
	Got    ReadyMsg
	Have   bool // Got is what is wanted
}

// Load asks for a preview unless it is the one asked for last, and reports whether it asked.
func (a *Awaited) Load(l *Loader, r Request) (cmd tea.Cmd, another bool) {
	if r.Key() == a.Wanted && !l.Lost(r.Key()) {
		return nil, false
	}
	a.Wanted = r.Key()
	a.Got, a.Have = l.Peek(r)
	return l.Load(r), true
}

// Take takes in a preview if it is the wanted one, and reports whether it is.
func (a *Awaited) Take(msg ReadyMsg) bool {
	if msg.Key != a.Wanted {
		return false
	}
	a.Got, a.Have = msg, true
	return true
}

// Forget ends the waiting, and forgets what came.
func (a *Awaited) Forget() { a.Have, a.Wanted = false, Key{} }
