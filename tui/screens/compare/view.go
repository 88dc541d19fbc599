package compare

import (
	"darkroom/client"
	"darkroom/tui/widgets"
)

// tabsFrom is the height from which a line names the two pages.
const tabsFrom = 16

// tabLines is how many lines the names of the pages take.
func (m *Model) tabLines() int {
	if m.h < tabsFrom || m.at == resultsPage && m.results.Zoomed() {
		return 0
	}
	return 1
}

// View implements screen.Screen.
func (m *Model) View() string {
	if !m.fresh {
		m.frame, m.fresh = m.draw(), true
	}
	return m.frame
}

func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	frame, active := "", "plan"
	if m.at == planPage {
		frame = m.plan.View()
	} else {
		frame, active = m.results.View(), "results"
	}
	if m.tabLines() > 0 {
		label := "Results"
		if r := m.results.Run(); r != nil && r.Name != "" {
			label += ": " + widgets.Truncate(client.CleanLine(r.Name), 32)
		}
		tabs := widgets.Tabs(m.st, []widgets.Tab{{ID: "plan", Label: "Plan"}, {ID: "results", Label: label}}, active, m.w)
		frame = widgets.Line(tabs, m.w) + "\n" + frame
	}
	return m.stack.View(frame)
}
