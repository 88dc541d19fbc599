package results

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/facts"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/screens/compare/internal/zoom"
)

// idOf names a place for the zoom.
func idOf(p place) string {
	if p == (place{}) {
		return ""
	}
	return compare.Slot{Cell: p.cell, Repeat: p.repeat}.String()
}

func placeOf(id string) place {
	s, err := compare.ParseSlot(id)
	if err != nil {
		return place{}
	}
	return place{s.Cell, s.Repeat}
}

// mediaOf is the file of a place.
func (m *Model) mediaOf(id string) zoom.Media {
	x := m.at(placeOf(id))
	if x.Trial == nil {
		return zoom.Media{}
	}
	path, poster, kind := say.Showpiece(&x.Trial.Outcome)
	return zoom.Media{Path: path, Poster: poster, Video: kind == client.AssetVideo}
}

func (m *Model) here() place {
	c, repeat, _ := m.grid.Current()
	if c == nil {
		return place{}
	}
	return place{c.Number, repeat}
}

// look shows the trial under the cursor; one can flip to the marked one.
func (m *Model) look() {
	here := m.here()
	if m.marked != (place{}) && m.marked != here {
		m.zoom.Look(idOf(m.marked))
	}
	m.zoom.Open(idOf(here))
	m.panel.stale = true
}

// mark marks the trial under the cursor as the one to compare with, or ends that.
func (m *Model) mark() {
	if here := m.here(); m.marked != here {
		m.marked = here
	} else {
		m.marked = place{}
	}
	m.grid.Mark(m.marked.cell, m.marked.repeat)
}

func offVideo(m *Model, x facts.Trial) string {
	if off := offLook(m, x); off != "" {
		return off
	}
	if _, _, kind := say.Showpiece(&x.Trial.Outcome); kind != client.AssetVideo {
		return "this is not a video; " + m.commands.Key(actZoom) + " shows it large"
	}
	return ""
}

// lookAndPlay shows the video under the cursor large, and plays it.
func lookAndPlay(m *Model) tea.Cmd {
	m.look()
	m.layout()
	if off := m.zoom.OffPlay(); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	return m.zoom.Play()
}

func (m *Model) flip() {
	m.look()
	m.zoom.Flip()
	m.follow()
}

func (m *Model) beside() {
	m.look()
	m.zoom.Beside()
}

// follow puts the cursor on what shows large.
func (m *Model) follow() {
	p := placeOf(m.zoom.ID())
	m.grid.Seek(p.cell, p.repeat)
	m.panel.stale = true
}

// step shows the next result, or the one before.
func step(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		cell, repeat, ok := m.grid.Step(by)
		if !ok {
			return screen.Toast(screen.Info, "there is no further result")
		}
		m.zoom.Look(idOf(place{cell, repeat}))
		m.follow()
		return nil
	}
}

// failedFilm says why a video does not play.
func failedFilm(m *Model) tea.Cmd {
	if err := m.zoom.Failed(); err != nil {
		return screen.Toast(screen.Bad, "it does not play here: "+client.CleanLine(err.Error()))
	}
	return nil
}

// pan moves over a large picture, or goes to the result beside a small one.
func pan(m *Model, dx, dy int) tea.Cmd {
	if m.zoom.IsBeside() || !m.zoom.Pan(dx, dy) {
		if dx != 0 {
			return step(dx)(m)
		}
	}
	return nil
}

// caption is what is said of what shows large.
func caption(m *Model) zoom.Caption {
	at, other := m.at(placeOf(m.zoom.ID())), m.at(placeOf(m.zoom.Other()))
	c := zoom.Caption{Title: at.Where(), Name: at.Where(), Other: other.Where()}
	if at.Cell != nil && at.Cell.Prompt.Text != "" {
		c.Title += " · " + client.CleanLine(at.Cell.Prompt.Text)
	}
	if at.Starred {
		c.Title = "★ " + c.Title
	}
	if at.Rejected {
		c.Title = "rejected · " + c.Title
	}
	if at.Trial != nil {
		c.Right = say.Took(&at.Trial.Latency)
	}
	if m.zoom.IsBeside() && at.Cell != nil {
		c.Title = client.CleanLine(strings.TrimSpace(at.Cell.Prompt.ID + " " + at.Cell.Prompt.Text))
		c.Right = ""
	}
	c.Card = func(id string) []string { return card(m, placeOf(id)) }
	return c
}

// card stands in place of a result that there is not.
func card(m *Model, p place) []string {
	x := m.at(p)
	switch {
	case x.Cell == nil:
		return nil
	case x.Cell.Cannot != "":
		return []string{"cannot run", "", client.CleanLine(x.Cell.Cannot)}
	case x.Trial == nil:
		return []string{"not sent yet"}
	}
	lines := []string{say.State(x.Trial)}
	if why := strings.TrimSpace(client.CleanLine(x.Trial.Code) + " " + client.CleanLine(x.Trial.Message)); why != "" {
		lines = append(lines, "", why)
	}
	if x.Trial.OK() {
		lines = append(lines, "", "no file of it is on this machine")
	}
	return lines
}
