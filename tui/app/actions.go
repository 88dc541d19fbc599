package app

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// Actions of the shell that are used by name, not only by key.
const (
	actPalette = "app.palette"
	actHelp    = "app.help"
	actQuit    = "app.quit"
	actScreen  = "app.screen." // and the screen's digit
	// actProfiles lists the profiles; actProfile, with the name of one, switches to it.
	actProfiles = "app.profiles"
	actProfile  = "app.profile."
	actThemes   = "app.themes"
)

// Commands is the table of the shell's own actions.
func Commands() []screen.Command[*Model] {
	table := []screen.Command[*Model]{
		{ID: actPalette, Title: "Command palette", Keys: []string{"ctrl+p"}, Do: screen.Act((*Model).openPalette)},
		{ID: actHelp, Title: "Help", Keys: []string{"?", "f1"}, Do: screen.Act((*Model).openHelp)},
	}
	for i, name := range []string{"Compose", "Queue", "Compare", "Inspect", "Chat", "Models", "Settings"} { // those of Screens
		digit := strconv.Itoa(i + 1)
		table = append(table, screen.Command[*Model]{ID: actScreen + digit, Title: "Go to " + name, Keys: []string{digit, "alt+" + digit},
			Do: func(m *Model) tea.Cmd { return m.show(i) }})
	}
	return append(table, []screen.Command[*Model]{
		{ID: "app.next", Title: "Next screen", Keys: []string{"]", "ctrl+pgdown", "alt+."}, Do: turning(1)},
		{ID: "app.prev", Title: "Previous screen", Keys: []string{"[", "ctrl+pgup", "alt+,"}, Do: turning(-1)},
		{ID: actProfiles, Title: "Switch to another profile", Keys: []string{"alt+0"}, Off: offProfiles, Do: screen.Act(openProfiles)},
		{ID: actThemes, Title: "Choose a theme", Off: offThemes, Do: screen.Act(openThemes)},
		{ID: "app.theme", Title: "Next theme", Keys: []string{"ctrl+t"}, Do: (*Model).nextTheme},
		{ID: "app.redraw", Title: "Redraw the screen", Keys: []string{"ctrl+l"}, Do: (*Model).redraw},
		{ID: "app.suspend", Title: "Suspend", Keys: []string{"ctrl+z"}, Do: func(m *Model) tea.Cmd { return m.o.Suspend() }},
		{ID: actQuit, Title: "Quit", Keys: []string{"q", "ctrl+q", "ctrl+c"}, Do: (*Model).leave},
	}...)
}

// turning shows the screen that many tabs further on.
func turning(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.show((m.active + len(m.slots) + by) % len(m.slots)) }
}

// do carries out an action of the shell, or of the screen that the ID belongs to, which is shown
// first. An ID of neither belongs to a dialog of the visible screen.
func (m *Model) do(id string) tea.Cmd {
	if name, ok := strings.CutPrefix(id, actProfile); ok {
		m.wanted = &screen.SwitchMsg{Profile: name}
		return nil
	}
	scope, _, _ := strings.Cut(id, ".")
	if scope == m.commands.Scope() {
		return m.commands.Do(m, id)
	}
	for i := range m.slots {
		if string(m.slots[i].id) == scope {
			return tea.Batch(m.show(i), m.toScreen(i, screen.ActionMsg{ID: id}))
		}
	}
	return m.toScreen(m.active, screen.ActionMsg{ID: id})
}
