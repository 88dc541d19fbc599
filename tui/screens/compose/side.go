package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/picker"
)

// source is what the request is made of.
func (m *Model) source() request.Source {
	s := request.Source{Draft: m.sheet.Draft, Format: m.sheet.Effective().Format}
	if m.request.Tab() == request.Wire {
		s.Wide, s.Formats = m.sheet.WideDraft(), m.sheet.Reaching()
	}
	return s
}

// makeRequest makes the request anew, as the draft is now.
func (m *Model) makeRequest() tea.Cmd { return m.request.Make(m.source()) }

// requestMade shows a request that was made. What the format drops of it is among the checks.
func (m *Model) requestMade(msg request.MadeMsg) tea.Cmd {
	again := m.request.Take(msg)
	m.sheet.Made = m.request.Preview()
	m.refresh()
	if again {
		return m.makeRequest()
	}
	return nil
}

// view shows the request in a form. On a narrow screen the same again goes back; formats
// side by side first take the whole of a wide one.
func (m *Model) view(t request.Tab) tea.Cmd {
	again := m.request.Tab() == t
	switch {
	case m.room().Narrow():
		m.onlyPane = !m.onlyPane || !again
	case t == request.Wire && again:
		m.onlyPane = !m.onlyPane
	default:
		m.onlyPane = false
	}
	return m.showTab(t)
}

// showTab shows another tab: the formats side by side are made when they show.
func (m *Model) showTab(t request.Tab) tea.Cmd {
	m.request.Show(t)
	if t == request.Wire {
		return m.makeRequest()
	}
	return nil
}

// copy copies the request, or asks which one where several show.
func (m *Model) copy() tea.Cmd {
	if list := m.request.Choices(); len(list) > 0 {
		return m.over.Open(choose.New(picker.New("Copy which request?", "format …", list), forCopy{}))
	}
	return m.copyRequest("")
}

// copyRequest copies what shows, or one of its choices.
func (m *Model) copyRequest(id string) tea.Cmd {
	return m.request.Copy(m.source(), id, m.deps.Keys.Keys(actCurl))
}

// offChecks says why Checks cannot be scrolled, "" when they can.
func (m *Model) offChecks() string {
	if _, right := m.room().Sizes(); right == 0 {
		return "Checks stand beside the request: " + or(m.deps.Keys.Keys(actJSON), "the palette") + " shows it"
	}
	return ""
}

// inChecks reports whether a zone is in Checks.
func inChecks(id string) bool {
	return id == checks.Zone || strings.HasPrefix(id, sheet.ZoneCheck) || strings.HasPrefix(id, sheet.ZoneDiffer)
}

// goTo puts the focus on a field of the form, which shows then.
func (m *Model) goTo(field string) {
	m.onlyPane = false
	m.sheet.GoTo(field)
}

// nextProblem goes to the next finding, which shows.
func (m *Model) nextProblem() {
	m.onlyPane = false
	if i := m.sheet.NextProblem(); i >= 0 {
		m.checks.Reveal(sheet.ZoneCheck, i)
	}
}
