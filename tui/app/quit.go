package app

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// quitCheck comes when the visible screen has saved what it could.
type quitCheck struct{}

// leave lets the screen save its state, as when another one is shown, and then quits or asks.
func (m *Model) leave() tea.Cmd {
	return tea.Sequence(m.toScreen(m.active, screen.HiddenMsg{}), func() tea.Msg { return quitCheck{} })
}

// askQuit quits at once, unless something would be lost.
func (m *Model) askQuit() tea.Cmd {
	lost := m.lost()
	if len(lost) == 0 {
		return tea.Quit
	}
	m.overlay, m.quit = quitOverlay, askQuitting(lost)
	return m.toScreen(m.active, screen.ShownMsg{}) // it goes on as the visible one if the answer is to stay
}

// lost is what quitting now would lose or leave behind, in every profile that is open.
func (m *Model) lost() []string {
	lost := m.slots.lost(&m.o)
	if m.o.Lost != nil {
		lost = append(lost, m.o.Lost()...)
	}
	return lost
}

// lost is what quitting now would lose or leave behind in one shell.
func (s slots) lost(o *Options) (lost []string) {
	if o.Busy != nil {
		if n := o.Busy(); n > 0 {
			lost = append(lost, "Still without the gateway's answer, which names the task: "+human.Plural(n, "job")+".")
		}
	}
	if o.Unsaved != nil {
		lost = append(lost, o.Unsaved()...)
	}
	for i := range s {
		if u, ok := s[i].screen.(screen.Unsaved); ok && s[i].inited {
			if text := u.Unsaved(); text != "" {
				lost = append(lost, text)
			}
		}
	}
	return lost
}

func askQuitting(lost []string) confirm.Model {
	return confirm.New("Quit?", strings.Join(append(lost, "The console quits by itself once nothing would be lost."), "\n"), "stay",
		confirm.Button{ID: "stay", Label: "Stay", Key: "s"}, confirm.Button{ID: "quit", Label: "Quit anyway", Key: "q"})
}

// isNews reports whether a message may take away the reason to ask: a key is an answer to the question.
func isNews(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, quitCheck:
		return false
	}
	return true
}

func (m *Model) quitAnswer(id string) tea.Cmd {
	switch id {
	case "quit":
		return tea.Quit
	case "stay":
		m.overlay = noOverlay
	}
	return nil
}
