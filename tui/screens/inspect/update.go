package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.fresh = false
	cmd := m.handle(msg)
	m.layout()
	return m, tea.Batch(cmd, m.loadPicture())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if cmd, ok := m.outside.Handle(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.commands.Do(m, msg.ID)
	case screen.InspectID:
		m.input.SetValue(cleanID(msg.ID))
		return m.lookup()
	case screen.ShownMsg:
		return m.outside.Look()
	case screen.JobsMsg:
		m.q.news(m.deps.Jobs)
	case routeMsg:
		m.q.route(msg)
	case historyMsg:
		return m.history(msg)
	case preview.ReadyMsg:
		m.picture.Take(msg)
	}
	return nil
}

// lookup asks everybody about the id in the input. What was being asked is given up.
func (m *Model) lookup() tea.Cmd {
	id := cleanID(m.input.Value())
	if id == "" {
		m.setFocus(inputPane)
		return screen.Toast(screen.Warn, "type or paste an id first")
	}
	m.input.SetValue(id)
	m.recent.add(id)
	m.picture = pictureBox{}
	m.facts.SetTop(0)
	m.fromTheTop()
	m.setFocus(factsPane)
	return m.q.begin(m.deps.Gateway, m.deps.Jobs, id, m.deps.Now())
}

// fromTheTop shows the matrix and the answer of new routes from their beginning.
func (m *Model) fromTheTop() {
	m.moved = false
	m.answer.SetTop(0)
}

func (m *Model) history(msg historyMsg) tea.Cmd {
	if msg.gen != m.q.gen {
		return nil
	}
	cmd := m.q.history(msg, m.deps.Gateway, m.deps.Jobs)
	if m.q.gen != msg.gen { // the routes are others now
		m.fromTheTop()
	}
	return cmd
}
