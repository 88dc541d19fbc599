package compose

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sheet"
)

// click does what a press on a zone means.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if cmd, ok := m.over.Update(msg); ok {
		return cmd
	}
	if t, ok := request.TabAt(msg.Zone); ok {
		return m.doc.Side.Show(t)
	}
	if id, ok := request.CopyAt(msg.Zone); ok {
		return m.doc.Side.Copy(id)
	}
	if rest, ok := strings.CutPrefix(msg.Zone, sheet.ZoneDiffer); ok {
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 && n < len(m.sheet.Differ) {
			m.doc.GoTo(m.sheet.Differ[n].ID)
		}
		return nil
	}
	if rest, ok := strings.CutPrefix(msg.Zone, sheet.ZoneCheck); ok {
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 && n < len(m.sheet.Problems) {
			m.doc.Side.ShowForm()
			m.sheet.GoToProblem(&m.sheet.Problems[n])
		}
		return nil
	}
	return m.handle(m.sheet.Form.Click(msg))
}

// wheel scrolls what is under it; outside of all, the form.
func (m *Model) wheel(msg screen.WheelMsg) tea.Cmd {
	switch {
	case m.over.Top() != nil:
		cmd, _ := m.over.Update(msg)
		return cmd
	case inChecks(msg.Zone):
		m.doc.Side.Checks.Scroll(3 * msg.Delta)
	case request.Holds(msg.Zone) || m.doc.Side.Alone():
		m.doc.Side.Request.Wheel(msg.Delta)
	default:
		m.sheet.Form.Wheel(3 * msg.Delta)
	}
	return nil
}

// inChecks reports whether a zone is in Checks.
func inChecks(id string) bool {
	return id == checks.Zone || strings.HasPrefix(id, sheet.ZoneCheck) || strings.HasPrefix(id, sheet.ZoneDiffer)
}
