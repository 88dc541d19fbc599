package queue

import (
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/gallery"
	"darkroom/tui/screen"
)

// Looks keeps the look beyond the end of the console. Its methods touch the disk, and are called in
// commands.
type Looks interface {
	// Load is the look that was kept, false when there was none.
	Load() (kept.Look, bool, error)
	Save(kept.Look) error
}

// keeper saves the look. Every save writes the newest one, so that the order in which commands run
// does not matter.
type keeper struct {
	to      Looks      // nil keeps none
	writing sync.Mutex // held while the disk is touched

	mu   sync.Mutex // guards what follows
	want kept.Look
	done kept.Look // what was saved, or was tried to be
}

// lookMsg is the look that was kept.
type lookMsg struct {
	look kept.Look
	kept bool
	err  error
}

// lookSaved is the outcome of keeping it.
type lookSaved struct{ err error }

// usualLook is the look of a person who has chosen none.
func usualLook() kept.Look { return kept.Look{Cells: gallery.UsualWidth} }

// load reads the look that was kept.
func (k *keeper) load() tea.Cmd {
	if k.to == nil {
		return nil
	}
	return func() tea.Msg {
		look, kept, err := k.to.Load()
		return lookMsg{look, kept, err}
	}
}

// set notes the look that is on the disk.
func (k *keeper) set(l kept.Look) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.want, k.done = l, l
}

// keep saves a look if it has changed.
func (k *keeper) keep(l kept.Look) tea.Cmd {
	if k.to == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if l == k.want {
		return nil
	}
	k.want = l
	return func() tea.Msg { return lookSaved{k.save()} }
}

// save saves a look that is not saved yet.
func (k *keeper) save() error {
	if k.to == nil {
		return nil
	}
	k.writing.Lock()
	defer k.writing.Unlock()
	k.mu.Lock()
	l, same := k.want, k.want == k.done
	k.done = l
	k.mu.Unlock()
	if same {
		return nil
	}
	return k.to.Save(l)
}

// takeLook applies the look that was kept, unless the person has chosen another one meanwhile.
func (m *Model) takeLook(msg lookMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Warn, "the last view of the jobs could not be read: "+client.CleanLine(msg.err.Error()))
	}
	if !msg.kept || m.list.look() != usualLook() {
		return nil
	}
	m.gallery = msg.look.Gallery
	m.list.grid.SetWidth(msg.look.Cells)
	m.keep.set(m.list.look())
	m.layout()
	return nil
}
