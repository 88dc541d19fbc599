// Package lag has a detail follow the cursor of a list when the cursor rests.
package lag

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
)

// Lag has the detail follow the cursor when that rests: while keys come one soon after another, the
// list alone is drawn. A single key shows all at once.
type Lag struct {
	Rest  time.Duration    // how long the cursor is to rest, 0 to follow at once
	Clock func() time.Time // not that of the jobs, which may stand still

	next  string    // the job that the cursor came to last
	moved time.Time // when that was
	late  bool
	armed bool
	shown jobs.Job // what shows meanwhile
}

// Msg comes when the cursor may have rested.
type Msg struct{}

// Job is the job that shows although the cursor is on another one, nil for none.
func (g *Lag) Job() *jobs.Job {
	if !g.late {
		return nil
	}
	return &g.shown
}

// Behind reports whether the detail of one job stays, although the cursor is on another one.
func (g *Lag) Behind(was *jobs.Job, to string) bool {
	if g.Rest == 0 || to == "" {
		return false
	}
	if to != g.next {
		now := g.Clock()
		soon := now.Sub(g.moved) < g.Rest
		g.next, g.moved = to, now
		if soon && !g.late && was != nil {
			g.late, g.shown = true, *was
		}
	}
	return g.late
}

// Arm sets the timer that ends it.
func (g *Lag) Arm() tea.Cmd {
	if !g.late || g.armed {
		return nil
	}
	g.armed = true
	return tea.Tick(g.Rest-g.Clock().Sub(g.moved), func(time.Time) tea.Msg { return Msg{} })
}

// Rested ends it, unless the cursor has moved since.
func (g *Lag) Rested() {
	g.armed = false
	if g.Clock().Sub(g.moved) >= g.Rest {
		g.late = false
	}
}
