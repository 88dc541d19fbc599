package compose

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/picker"
)

// source is what the request is made of.
func (m *Model) source() request.Source {
	s := request.Source{Draft: m.draft, Format: m.effective().format}
	if m.request.Tab() == request.Wire {
		s.Wide, s.Formats = m.wideDraft(), m.reaching()
	}
	return s
}

// makeRequest makes the request anew, as the draft is now.
func (m *Model) makeRequest() tea.Cmd { return m.request.Make(m.source()) }

// requestMade shows a request that was made. What the format drops of it is among the checks.
func (m *Model) requestMade(msg request.MadeMsg) tea.Cmd {
	again := m.request.Take(msg)
	m.made = m.request.Preview()
	m.refresh()
	if again {
		return m.makeRequest()
	}
	return nil
}

// reaching are the formats that the model is reached by: those that can create here,
// preferred first, then those that cannot as this gateway is set up.
func (m *sheet) reaching() []string {
	out := slices.Clone(m.ways)
	if x, ok := m.model(); ok {
		for _, f := range x.Formats {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// checkItems lists what is wrong, worst first; or that nothing is; and what else there is to say.
func (m *sheet) checkItems(more ...string) []checks.Item {
	out := make([]checks.Item, 0, len(m.problems)+len(m.differ)+3)
	blocked := slices.ContainsFunc(m.problems, func(p catalog.Problem) bool { return p.Severity == catalog.Block })
	switch {
	case m.refusal.text != "":
		out = append(out, checks.Item{Mark: form.Bad, Text: m.refusal.text})
	case blocked:
	case len(m.problems) > 0: // a warning may say that something is missing
		out = append(out, checks.Item{Text: "nothing blocks"})
	default:
		out = append(out, checks.Item{Text: "nothing is missing"})
	}
	for i := range m.problems {
		p := &m.problems[i]
		out = append(out, checks.Item{Mark: grade(p.Severity), Text: p.Message, Zone: zoneCheck, Number: i})
	}
	for i := range m.differ {
		d := &m.differ[i]
		out = append(out, checks.Item{Mark: form.Differs, Text: d.label + " " + wasText(d.was, 160), Zone: zoneDiffer, Number: i})
	}
	for _, s := range more {
		if s != "" {
			out = append(out, checks.Item{Mark: form.Info, Text: s})
		}
	}
	return out
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
	return m.request.Copy(m.source(), id, m.deps.Keys.Keys("compose.view-curl"))
}

// scrollChecks moves Checks by lines; it says so where they do not show.
func (m *Model) scrollChecks(by int) tea.Cmd {
	if off := m.offChecks(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	m.checks.Scroll(by)
	return nil
}

// offChecks says why Checks cannot be scrolled, "" when they can.
func (m *Model) offChecks() string {
	if _, right := m.room().Sizes(); right == 0 {
		return "Checks stand beside the request: " + or(m.deps.Keys.Keys("compose.view-json"), "the palette") + " shows it"
	}
	return ""
}

// inChecks reports whether a zone is in Checks.
func inChecks(id string) bool {
	return id == checks.Zone || strings.HasPrefix(id, zoneCheck) || strings.HasPrefix(id, zoneDiffer)
}

// sets reports whether the draft has something under a canonical name.
func (m *sheet) sets(field string) bool {
	switch field {
	case client.FieldModel:
		return m.draft.Model != ""
	case client.FieldModelName:
		return m.draft.ModelName != ""
	case client.FieldMode:
		return m.draft.Mode != ""
	case client.FieldPrompt:
		return m.draft.Prompt != ""
	}
	_, ok := m.draft.Values[field]
	return ok
}

// verdict is the checks in a few cells, for where there is no room to list them.
func (m *sheet) verdict() string {
	bad, warn := 0, 0
	for i := range m.problems {
		switch m.problems[i].Severity {
		case catalog.Block:
			bad++
		case catalog.Warn:
			warn++
		}
	}
	switch {
	case m.refusal.text != "":
		return "✗ refused"
	case bad > 0:
		return "✗ " + format.Plural(bad, "problem")
	case warn > 0:
		return "⚠ " + format.Plural(warn, "warning")
	default:
		return "✓ ready"
	}
}

// goTo puts the focus on a field of the form, which shows then.
func (m *Model) goTo(field string) {
	m.onlyPane = false
	m.sheet.goTo(field)
}

// nextProblem goes to the next finding, which shows.
func (m *Model) nextProblem() tea.Cmd {
	if off := m.offJump(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	m.onlyPane = false
	if i := m.sheet.nextProblem(); i >= 0 {
		m.checks.Reveal(zoneCheck, i)
	}
	return nil
}
