package models

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

// Marks keeps which models have stars: those stand first where Compose has one chosen. Its
// methods touch the disk, and are called in commands.
type Marks interface {
	Load() (kept.Marks, error)
	// Star gives a model a star, or takes it away; it returns what is kept now.
	Star(model string, on bool) (kept.Marks, error)
}

// starSign stands before a model that has a star.
const starSign = "★ "

// stars are the models that have one.
type stars struct {
	of      map[string]bool
	changes int    // how often they were read
	wrong   string // why they could not be read, told once
}

// starsMsg is what is kept of stars, or why it is not. toast is shown of it, "" for
// nothing.
type starsMsg struct {
	marks kept.Marks
	toast string
	err   error
}

func (m *Model) loadStars() tea.Cmd {
	k := m.deps.Marks
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		marks, err := k.Load()
		return starsMsg{marks: marks, err: err}
	}
}

// star gives a model a star, or takes it away.
func (m *Model) star(id string) tea.Cmd {
	k, on := m.deps.Marks, !m.stars.of[id]
	toast := "★ " + client.CleanLine(id) + " stands first where Compose has a model chosen"
	if !on {
		toast = client.CleanLine(id) + " has no star any more"
	}
	return func() tea.Msg {
		marks, err := k.Star(id, on)
		return starsMsg{marks: marks, toast: toast, err: err}
	}
}

func (m *Model) handleStars(msg starsMsg) tea.Cmd {
	if msg.err != nil {
		wrong := "stars are not kept: " + client.CleanLine(msg.err.Error())
		if msg.toast == "" && wrong == m.stars.wrong {
			return nil // it was told
		}
		m.stars.wrong = wrong
		return screen.Toast(screen.Warn, wrong)
	}
	m.stars = stars{of: make(map[string]bool, len(msg.marks.Stars)), changes: m.stars.changes + 1}
	for _, id := range msg.marks.Stars {
		m.stars.of[id] = true
	}
	if msg.toast == "" {
		return nil
	}
	return screen.Toast(screen.Info, msg.toast)
}

func offStar(m *Model, r *row) string {
	switch {
	case m.deps.Marks == nil:
		return "stars are not kept here"
	case !r.safe:
		return unsafeName
	}
	return ""
}

// starred is a model's name, behind the star that it has.
func (m *Model) starred(r *row) string {
	if m.stars.of[r.id] {
		return starSign + r.name
	}
	return r.name
}
