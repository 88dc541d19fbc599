package results

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/tui/screen"
)

// limit bounds reading a run, and each act on one.
const limit = 30 * time.Second

// loadedMsg brings a run.
type loadedMsg struct {
	id  string
	run compare.Run
	err error
}

// newestMsg names the newest run that can be read, "" for none.
type newestMsg struct {
	id  string
	err error
}

// starredMsg says whether a job has the star now.
type starredMsg struct {
	job string
	on  bool
	err error
}

// toldMsg is the outcome of an act.
type toldMsg struct {
	what string
	err  error
}

func (m toldMsg) toast() tea.Cmd {
	if m.err != nil {
		return screen.Toast(screen.Bad, client.CleanLine(m.err.Error()))
	}
	return screen.Toast(screen.Good, m.what)
}

func load(b Bench, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		r, err := b.Load(ctx, id)
		return loadedMsg{id, r, err}
	}
}

func findNewest(b Bench) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		heads, err := b.List(ctx)
		for _, h := range heads {
			if h.Error == "" {
				return newestMsg{id: h.ID}
			}
		}
		return newestMsg{err: err}
	}
}

// act does something about a run, and tells how that went.
func act(what string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		return toldMsg{what, do(ctx)}
	}
}

// toggleStar gives a job the star, or takes it away.
func toggleStar(d Jobs, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		j, err := d.Get(ctx, id)
		if err != nil {
			return starredMsg{job: id, err: err}
		}
		add, remove := []string{jobs.Star}, []string(nil)
		if slices.Contains(j.Tags, jobs.Star) {
			add, remove = nil, add
		}
		return starredMsg{id, add != nil, d.Tag(ctx, id, add, remove)}
	}
}

func (m *Model) starred(msg starredMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
	}
	m.stars[msg.job] = msg.on
	m.panel.stale = true
	if msg.on {
		return screen.Toast(screen.Good, "★ starred")
	}
	return screen.Toast(screen.Info, "the star is gone")
}
