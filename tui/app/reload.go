package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// Settings tell of changes of the settings while the console runs.
type Settings interface {
	// Next waits for the next change, and says what to do; false at the end. It is called in a command.
	Next() (Applied, bool)
	// Look has the files looked at: somebody may have been at them where nothing tells of it.
	Look()
}

// Applied is what a change of the settings comes to.
type Applied struct {
	// Wrong says what is wrong with the file; then the former settings hold, and nothing else is done.
	Wrong string
	// Keys are the keys of all actions; Profiles and Themes are all that there are now.
	Keys     keys.Map
	Profiles []Profile
	Themes   []string
	// Theme is the theme to show, "" to leave it; Remake that the one that shows may be another one.
	Theme  string
	Remake bool
	// Do is done in a command; Note is told, "" for nothing.
	Do   []func()
	Note string
}

// awaitSettings waits for the next change of the settings, without polling.
func (s *Shells) awaitSettings() tea.Cmd {
	if s.o.Settings == nil {
		return nil
	}
	next := s.o.Settings.Next
	return func() tea.Msg {
		if a, ok := next(); ok {
			return a
		}
		return nil
	}
}

// apply has all shells follow the settings.
func (s *Shells) apply(a Applied) tea.Cmd {
	cmds := []tea.Cmd{s.awaitSettings()}
	if len(a.Do) > 0 {
		cmds = append(cmds, func() tea.Msg {
			for _, f := range a.Do {
				f()
			}
			return nil
		})
	}
	switch {
	case a.Wrong != "":
		cmds = append(cmds, s.toast(screen.Bad, a.Wrong))
	case a.Note != "":
		cmds = append(cmds, s.toast(screen.Info, a.Note))
	}
	if a.Wrong == "" {
		cmds = append(cmds, s.adopt(a))
	}
	for i, m := range s.all {
		if at := m.index(screen.Settings); m.slots[at].id == screen.Settings && m.slots[at].inited {
			cmds = append(cmds, tag(i, m.toScreen(at, screen.SettingsMsg{})))
		}
		m.fresh = false
	}
	return tea.Batch(cmds...)
}

func (s *Shells) adopt(a Applied) tea.Cmd {
	var cmds []tea.Cmd
	if len(a.Keys.Actions("")) > 0 {
		s.all[s.active].o.Keys.Become(a.Keys)
	}
	if a.Profiles != nil {
		s.o.Profiles = a.Profiles
	}
	for i, m := range s.all {
		for _, p := range s.o.Profiles {
			if p.Name == s.names[i] {
				m.o.Color, m.o.Banner = p.Color, p.Banner
			}
		}
		if a.Themes != nil {
			m.o.Themes = a.Themes
		}
		cmds = append(cmds, tag(i, follow(m, a)))
	}
	return tea.Batch(cmds...)
}

// follow shows the theme of the settings, and draws everything anew: keys stand everywhere.
func follow(m *Model, a Applied) tea.Cmd {
	name := m.st.Name
	if a.Theme != "" && m.themes == nil {
		m.o.Auto = a.Theme == autoTheme
		name = themeName(m, a.Theme)
	}
	st := *m.st
	if a.Remake || name != st.Name {
		made, err := m.o.Theme(name)
		if err != nil {
			return m.toasts.show(screen.Bad, err.Error())
		}
		st = *made
	}
	return wear(m, &st)
}
