// Package looks keeps how a person looks at the jobs, beyond the end of the console.
package looks

import (
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/kept"
)

// Store keeps the look. Its methods touch the disk, and are called in commands.
type Store interface {
	// Load is the look that was kept, false when there was none.
	Load() (kept.Look, bool, error)
	Save(kept.Look) error
}

// Keeper saves the look. Every save writes the newest one, so that the order in which commands run
// does not matter.
type Keeper struct {
	To Store // nil keeps none

	writing sync.Mutex // held while the disk is touched

	mu   sync.Mutex // guards what follows
	want kept.Look
	done kept.Look // what was saved, or was tried to be
}

// Loaded is the look that was kept.
type Loaded struct {
	Look kept.Look
	Kept bool
	Err  error
}

// Saved is the outcome of keeping it.
type Saved struct{ Err error }

// Load reads the look that was kept.
func (k *Keeper) Load() tea.Cmd {
	if k.To == nil {
		return nil
	}
	return func() tea.Msg {
		look, kept, err := k.To.Load()
		return Loaded{look, kept, err}
	}
}

// Set notes the look that is on the disk.
func (k *Keeper) Set(l kept.Look) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.want, k.done = l, l
}

// Keep saves a look if it has changed.
func (k *Keeper) Keep(l kept.Look) tea.Cmd {
	if k.To == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if l == k.want {
		return nil
	}
	k.want = l
	return func() tea.Msg { return Saved{k.Save()} }
}

// Save saves a look that is not saved yet.
func (k *Keeper) Save() error {
	if k.To == nil {
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
	return k.To.Save(l)
}
