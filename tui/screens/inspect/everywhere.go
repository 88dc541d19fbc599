package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/screen"
)

// askEverywhere asks the gateways of all profiles about the id that was looked up.
func askEverywhere(m *Model) tea.Cmd {
	return m.stack.Open(everywhere.New(m.deps.Everywhere(), m.q.subject))
}

func offEverywhere(m *Model) string {
	if m.deps.Everywhere == nil {
		return "there is no other profile: `darkroom auth login --profile NAME` makes one"
	}
	return offAsked(m)
}

// goThere goes on with an id at the profile that was chosen; own is the one that shows.
func goThere(own string, t everywhere.Taken) tea.Cmd {
	if t.Profile == own {
		return nil
	}
	return func() tea.Msg {
		return screen.SwitchMsg{Profile: t.Profile, Then: screen.OpenMsg{Screen: screen.Inspect, Payload: screen.InspectID{ID: t.Subject.Value}}}
	}
}
