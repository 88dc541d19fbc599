package queue

import (
	"slices"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// Look is how a person looks at the jobs.
type Look struct {
	Gallery bool `json:"gallery"`
	// Cells is the width of the gallery's cells that was chosen, in cells of the terminal.
	Cells int `json:"cells,omitempty"`
}

// Looks keeps the look over the end of the console. Its methods touch the disk, and are
// called in commands.
type Looks interface {
	// Load is the look that was kept, false where none was.
	Load() (Look, bool, error)
	Save(Look) error
}

// keeper saves the look. Whoever saves writes the newest one, so that the order in which
// commands run does not matter.
type keeper struct {
	writing sync.Mutex // held while the disk is touched

	mu   sync.Mutex // guards what follows
	want Look
	done Look // what was saved, or was tried to be
}

// set takes a look over, and reports whether it is to be saved.
func (k *keeper) set(l Look) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	changed := l != k.want
	k.want = l
	return changed
}

// loaded takes the look over that the disk has.
func (k *keeper) loaded(l Look) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.want, k.done = l, l
}

func (k *keeper) save(to Looks) error {
	k.writing.Lock()
	defer k.writing.Unlock()
	k.mu.Lock()
	l, same := k.want, k.want == k.done
	k.done = l
	k.mu.Unlock()
	if same {
		return nil
	}
	return to.Save(l)
}

// lookMsg is the look that was kept.
type lookMsg struct {
	look Look
	kept bool
	err  error
}

// lookSaved is the outcome of keeping it.
type lookSaved struct{ err error }

// loadLook reads the look that was kept.
func (m *Model) loadLook() tea.Cmd {
	to := m.deps.Looks
	if to == nil {
		return nil
	}
	return func() tea.Msg {
		look, kept, err := to.Load()
		return lookMsg{look, kept, err}
	}
}

// lookCame takes over the look that was kept, unless the person has chosen another one by now.
func (m *Model) lookCame(msg lookMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Warn, "how the jobs were looked at is not known: "+client.CleanLine(msg.err.Error()))
	}
	if !msg.kept || m.currentLook() != usualLook() {
		return nil
	}
	m.gallery.on = msg.look.Gallery
	if level := slices.Index(cellWidths(), msg.look.Cells); level >= 0 {
		m.gallery.level = level
	}
	m.keep.loaded(m.currentLook())
	m.layout()
	return nil
}

// currentLook is how the jobs are looked at now.
func (m *Model) currentLook() Look { return Look{m.gallery.on, cellWidths()[m.gallery.level]} }

func usualLook() Look { return Look{Cells: cellWidths()[usualCell]} }

// keepLook saves the look where it has changed.
func (m *Model) keepLook() tea.Cmd {
	to := m.deps.Looks
	if to == nil || !m.keep.set(m.currentLook()) {
		return nil
	}
	return func() tea.Msg { return lookSaved{m.keep.save(to)} }
}

func (m *Model) lookKept(msg lookSaved) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	return screen.Toast(screen.Warn, "it is not remembered after the end: "+client.CleanLine(msg.err.Error()))
}

// Flush saves a look that is not saved yet.
func (m *Model) Flush() error {
	if m.deps.Looks == nil {
		return nil
	}
	return m.keep.save(m.deps.Looks)
}
