package preview

import tea "github.com/charmbracelet/bubbletea"

// Awaited is a preview for one place, of which only the newest is waited for. The zero value
// waits for none.
type Awaited struct {
	Wanted Key
	Got    ReadyMsg
	Have   bool // Got is what is wanted
}

// Load asks for a preview when it is another one than the last, and reports whether it is.
func (a *Awaited) Load(l *Loader, r Request) (cmd tea.Cmd, another bool) {
	if r.Key() == a.Wanted && !l.Lost(r.Key()) {
		return nil, false
	}
	a.Wanted = r.Key()
	a.Got, a.Have = l.Peek(r)
	return l.Load(r), true
}

// Take takes over a preview, and reports whether it is the one that is wanted.
func (a *Awaited) Take(msg ReadyMsg) bool {
	if msg.Key != a.Wanted {
		return false
	}
	a.Got, a.Have = msg, true
	return true
}

// Forget waits for none.
func (a *Awaited) Forget() { a.Have, a.Wanted = false, Key{} }
