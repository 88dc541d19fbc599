// Package sights is what was seen of ids in this session of the console, look by look, and which one of
// them is watched to its end. It asks nobody: it says when to look again.
package sights

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/sighting"
	"darkroom/tui/screen"
)

// most is of how many ids something is kept.
const most = 256

// Due says that it is time to look at the watched id again.
type Due struct{ turn int }

// Book holds what was seen. It is used by bubbletea's loop only. Make it with [New].
type Book struct {
	// Pause waits, or reports false where the context ends before; tests have their own.
	Pause func(ctx context.Context, d time.Duration) bool

	of    map[string]*sighting.Watch
	order []string // the ids, the oldest first

	on     string // the id that is watched, "" for none
	turn   int    // an earlier Due is dropped
	cancel context.CancelFunc
}

// New is an empty book.
func New() *Book {
	return &Book{Pause: pause, of: map[string]*sighting.Watch{}, cancel: func() {}}
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Seen is what was seen of an id, oldest first.
func (b *Book) Seen(id string) sighting.List {
	if w := b.of[id]; w != nil {
		return w.Seen
	}
	return nil
}

// Watching reports whether an id is watched.
func (b *Book) Watching(id string) bool { return id != "" && b.on == id }

// Saw takes a look at an id in. Where it is watched, the command waits for the next look, or says how
// it ended.
func (b *Book) Saw(id string, x sighting.Look) tea.Cmd {
	if id == "" {
		return nil
	}
	w := b.of[id]
	if w == nil {
		if b.order = append(b.order, id); len(b.order) > most {
			old := b.order[0]
			if old == b.on {
				old, b.order[1] = b.order[1], old
			}
			delete(b.of, old)
			b.order = slices.Delete(b.order, 0, 1)
		}
		w = &sighting.Watch{}
		b.of[id] = w
	}
	wait, _ := w.Saw(x, rand.Float64()) //nolint:gosec // a delay
	if b.on != id {
		return nil
	}
	if w.Outcome != sighting.Going {
		b.Stop()
		return screen.Toast(level(w.Outcome), "watched to its end: "+string(w.Outcome))
	}
	return b.after(wait)
}

func level(o sighting.Outcome) screen.Level {
	if o == sighting.Completed {
		return screen.Good
	}
	return screen.Warn
}

// Watch watches an id in place of the one before; the next look is due at once.
func (b *Book) Watch(id string) tea.Cmd {
	b.Stop()
	b.on = id
	return b.after(0)
}

// Stop watches nothing any more.
func (b *Book) Stop() {
	b.cancel()
	b.on = ""
	b.turn++
}

// Take reports whether a message means that the watched id is to be looked at now.
func (b *Book) Take(d Due) bool { return b.on != "" && d.turn == b.turn }

// after waits for the next look.
func (b *Book) after(d time.Duration) tea.Cmd {
	b.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	b.turn++
	turn, wait := b.turn, b.Pause
	return func() tea.Msg {
		if !wait(ctx, d) {
			return nil
		}
		return Due{turn}
	}
}
