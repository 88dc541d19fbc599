// Package times is the one choice of how points in time are written where jobs and
// tasks are explained: Queue and Inspect. Elsewhere they are in the zone of this machine.
package times

import (
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/tui/screen"
)

// Store keeps the choice beyond the end of the console. It touches the disk, and is called in commands.
type Store interface {
	Save(human.TimeStyle) error
}

// Choice is how times are written. The screens share one; it is used by bubbletea's loop only. A nil
// Choice is that of this machine's zone.
type Choice struct {
	style human.TimeStyle
	store Store // nil keeps nothing

	writing sync.Mutex // held while the disk is touched
	mu      sync.Mutex // guards want
	want    human.TimeStyle
}

// New is the choice that was kept; one that nobody knows is [human.Local].
func New(kept human.TimeStyle, s Store) *Choice {
	if _, ok := human.ParseTimeStyle(string(kept)); !ok {
		kept = human.Local
	}
	return &Choice{style: kept, store: s}
}

// At is how times are written now, with the zone of now as that of this machine.
func (c *Choice) At(now time.Time) human.Times { return human.Times{Style: c.Style(), Now: now} }

// Style is the choice.
func (c *Choice) Style() human.TimeStyle {
	if c == nil {
		return human.Local
	}
	return c.style
}

// words say a style.
func words(s human.TimeStyle) string {
	switch s {
	case human.UTC:
		return "times are in UTC now"
	case human.Relative:
		return "times are ages now"
	}
	return "times are in the zone of this machine now"
}

// Turn goes on to the next style, and keeps it. Every save writes the newest choice, in whatever order
// commands run.
func (c *Choice) Turn() tea.Cmd {
	if c == nil {
		return nil
	}
	c.style = c.style.Next()
	c.mu.Lock()
	c.want = c.style
	c.mu.Unlock()
	return tea.Batch(screen.Toast(screen.Info, words(c.style)), c.keep)
}

// keep saves the newest choice.
func (c *Choice) keep() tea.Msg {
	if c.store == nil {
		return nil
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	style := c.want
	c.mu.Unlock()
	if err := c.store.Save(style); err != nil {
		return screen.ToastMsg{Level: screen.Warn, Text: "how times are written could not be kept: " + err.Error()}
	}
	return nil
}
