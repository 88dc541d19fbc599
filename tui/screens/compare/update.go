package compare

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/runs"
	"darkroom/tui/screen"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	cmd, film, changed := m.results.Film(msg)
	if film && !changed {
		return m, cmd
	}
	m.fresh = false
	if !film {
		cmd = m.handle(msg)
	}
	m.size()
	return m, tea.Batch(cmd, m.follow())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	cmd, taken := m.stack.Update(msg)
	if taken {
		return cmd
	}
	return tea.Batch(cmd, m.input(msg))
}

func (m *Model) input(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if m.at == planPage {
			return m.plan.Key(msg)
		}
		return m.results.Key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		if m.at == planPage {
			m.plan.Wheel(msg)
		} else {
			m.results.Wheel(msg)
		}
		return nil
	case screen.ActionMsg:
		return m.do(msg.ID)
	case screen.CompareDraft:
		m.plan.Take(msg.Draft, msg.Format)
		return m.turn(planPage)
	case screen.JudgeRun:
		return tea.Batch(m.results.Judge(msg.Run), m.turn(resultsPage))
	case screen.HiddenMsg:
		m.hidden = true
		m.results.Hide()
		return nil
	case screen.AwayMsg:
		if msg.Away {
			m.results.Rest()
			return nil
		}
		return m.results.Back()
	case screen.ShownMsg:
		m.hidden = false
		return m.shown()
	}
	cmd, mine := m.plan.Handle(msg)
	if mine {
		return cmd
	}
	cmd, _ = m.results.Handle(msg)
	return cmd
}

// do carries out an action of the page that shows, or of the other one, by its id.
func (m *Model) do(id string) tea.Cmd {
	if m.stack.Top() != nil {
		return screen.Toast(screen.Warn, "answer the question first")
	}
	if cmd, ok := m.plan.Do(id); ok {
		return cmd
	}
	cmd, _ := m.results.Do(id)
	return cmd
}

func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	switch {
	case msg.Zone == "tab:plan":
		return m.turn(planPage)
	case msg.Zone == "tab:results":
		return m.turn(resultsPage)
	case m.at == planPage:
		return m.plan.Click(msg)
	default:
		return m.results.Click(msg)
	}
}

// answer takes the answer of a dialog.
func (m *Model) answer(a any) tea.Cmd {
	if cmd, ok := m.plan.Answer(a); ok {
		return cmd
	}
	cmd, _ := m.results.Answer(a)
	if _, ok := a.(runs.Opened); ok {
		return tea.Batch(cmd, m.turn(resultsPage))
	}
	return cmd
}

// turn goes to a page.
func (m *Model) turn(to page) tea.Cmd {
	if m.at == to {
		return nil
	}
	m.at = to
	return m.shown()
}

// shown lets the page that shows go on, and the other one rest.
func (m *Model) shown() tea.Cmd {
	if m.at == resultsPage {
		return m.results.Wake()
	}
	m.results.Hide()
	return nil
}

// begun shows a run that has begun.
func (m *Model) begun(id string) tea.Cmd {
	return tea.Batch(m.results.Show(id), m.turn(resultsPage), screen.Toast(screen.Good, "the run has begun"))
}

// follow asks for what the page shows now.
func (m *Model) follow() tea.Cmd {
	switch {
	case m.hidden:
		return nil
	case m.at == planPage:
		return m.plan.Follow()
	default:
		return m.results.Follow()
	}
}
