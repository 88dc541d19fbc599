package models

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

// Marks keeps which models have stars: Compose lists these first. Its methods touch the disk, and
// are called in commands.
type Marks interface {
	Load() (kept.Marks, error)
	// Star stars a model, or removes its star; it returns what is kept now.
	Star(model string, on bool) (kept.Marks, error)
}

// starSign stands before a model that has a star.
const starSign = "★ "

// stars are the models that have a star.
type stars struct {
	marks   Marks // nil keeps none
	of      map[string]bool
	changes int    // how often they were read
	wrong   string // why they could not be read, told once
}

// starsMsg brings the stars that are kept, or why they are not. toast is what is shown about it, ""
// for nothing.
type starsMsg struct {
	marks kept.Marks
	toast string
	err   error
}

func (s *stars) load() tea.Cmd {
	k := s.marks
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		marks, err := k.Load()
		return starsMsg{marks: marks, err: err}
	}
}

// turn stars a model, or removes its star.
func (s *stars) turn(id string) tea.Cmd {
	k, on := s.marks, !s.of[id]
	toast := "★ " + client.CleanLine(id) + " is listed first where a model is chosen"
	if !on {
		toast = client.CleanLine(id) + " no longer has a star"
	}
	return func() tea.Msg {
		marks, err := k.Star(id, on)
		return starsMsg{marks: marks, toast: toast, err: err}
	}
}

// handle takes the stars that are kept, and returns what to tell the person.
func (s *stars) handle(msg starsMsg) tea.Cmd {
	if msg.err != nil {
		wrong := "stars are not kept: " + client.CleanLine(msg.err.Error())
		if msg.toast == "" && wrong == s.wrong {
			return nil // it was told
		}
		s.wrong = wrong
		return screen.Toast(screen.Warn, wrong)
	}
	s.of, s.wrong = make(map[string]bool, len(msg.marks.Stars)), ""
	s.changes++
	for _, id := range msg.marks.Stars {
		s.of[id] = true
	}
	if msg.toast == "" {
		return nil
	}
	return screen.Toast(screen.Info, msg.toast)
}

func offStar(m *Model, r *row) string {
	switch {
	case m.stars.marks == nil:
		return "stars are not kept here"
	case !r.safe:
		return unsafeName
	}
	return ""
}

// mark is a model's name, after its star if it has one.
func (s *stars) mark(r *row) string {
	if s.of[r.id] {
		return starSign + r.name
	}
	return r.name
}
