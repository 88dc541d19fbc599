package queue

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// refusal is what was said of an action that could not be done. It goes once it is not true any
// more, or is about another choice.
type refusal struct{ id, said, about string }

// refuse says why an action can not be done, in place of what was said of the one before.
func (m *Model) refuse(id, off string) tea.Cmd {
	var before tea.Cmd
	if said := m.refused.said; said != "" && said != off {
		before = screen.Untoast(said)
	}
	m.refused = refusal{id, off, m.choice()}
	return tea.Batch(before, screen.Toast(screen.Warn, off))
}

// takeBack takes away what was said of an action when it does not hold any more.
func (m *Model) takeBack() tea.Cmd {
	r := m.refused
	if r.said == "" || m.choice() == r.about && m.off(r.id) == r.said {
		return nil
	}
	m.refused = refusal{}
	return screen.Untoast(r.said)
}

// choice is what actions are about: the job under the cursor, the marked ones, and the result
// that is looked at; and whether anybody looks.
func (m *Model) choice() string {
	var marked []string
	for id := range m.marked {
		marked = append(marked, id)
	}
	slices.Sort(marked)
	return fmt.Sprint(m.hidden, m.current, m.zoom.on, m.zoom.file, marked)
}
