package app

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// The tour is shown where it leaves the form its room.
const (
	tourWidth  = 80
	tourHeight = 24
)

// tourStops are the lines of the tour: what an action is for. They are all actions that a person needs to
// find the others.
func tourStops() []struct{ id, text string } {
	return []struct{ id, text string }{
		{screen.SubmitDraft, "makes what the prompt above describes"},
		{actScreen + "2", "shows everything you made, and what is under way"},
		{actPalette, "finds any action by name: models, themes, references"},
		{actScreen + "7", "opens the settings: colours, keys, your own gateway"},
		{actHelp, "lists the keys of this screen"},
	}
}

// touring reports whether the tour shows on a screen.
func touring(m *Model, id screen.ID) bool {
	return m.o.EndTour != nil && id == screen.Compose && m.w >= tourWidth && m.h >= tourHeight
}

// roomOf is the height that a screen has between the title, and the tour or the line of help.
func roomOf(m *Model, id screen.ID) int {
	h := m.h - 2
	if touring(m, id) {
		h -= len(tourStops()) + 1
	}
	return max(0, h)
}

// tour are the lines of the tour below a screen; none where there is no tour.
func tour(m *Model, id screen.ID) []string {
	if !touring(m, id) {
		return nil
	}
	head, key, text := widgets.NewInk(m.st.Border), widgets.NewInk(m.st.HelpKey), widgets.NewInk(m.st.Muted)
	const title, close = "── To get started ", " esc closes this ──"
	lines := []string{head.Text(title + strings.Repeat("─", max(0, m.w-widgets.Width(title)-widgets.Width(close))) + close)}
	for _, s := range tourStops() {
		lines = append(lines, widgets.Line("  "+key.Text(widgets.Line(works(m, s.id), 7))+text.Text(s.text), m.w))
	}
	return lines
}

// toured ends the tour for good when a key that it names, or escape, was pressed while it showed.
func toured(m *Model, msg tea.KeyMsg) tea.Cmd {
	if !touring(m, m.current().id) || msg.Paste {
		return nil
	}
	name := msg.String()
	used := name == "esc"
	for _, s := range tourStops() {
		id, ok := m.o.Keys.Lookup(keys.Action{ID: s.id}.Scope(), name)
		used = used || ok && id == s.id && (strings.HasPrefix(s.id, string(screen.Compose)) || m.reaches(msg))
	}
	if !used {
		return nil
	}
	end := m.o.EndTour
	m.o.EndTour = nil
	m.resize()
	return func() tea.Msg {
		if err := end(); err != nil {
			return screen.ToastMsg{Level: screen.Warn, Text: "the tour will come back: " + err.Error()}
		}
		return nil
	}
}
