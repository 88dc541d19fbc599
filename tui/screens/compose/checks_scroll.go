package compose

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// zoneChecks are the lines of Checks in which nothing is to be pressed.
const zoneChecks = "compose-checks"

// inChecks reports whether a zone is in Checks.
func inChecks(id string) bool {
	return id == zoneChecks || strings.HasPrefix(id, zoneCheck) || strings.HasPrefix(id, zoneDiffer)
}

// shownChecks are the lines of Checks that show in n lines of w cells; where they are too many,
// the last one tells how many there are above and below, and the key that scrolls.
func (s *side) shownChecks(w, n int, ink widgets.Ink, down, up string) []string {
	s.room = n
	s.scrollTo(s.top)
	part := s.checks
	if len(s.checks) > n {
		end := s.top + n - 1
		said, key := fmt.Sprintf("… %d more lines", len(s.checks)-end), down
		switch {
		case end >= len(s.checks):
			said, key = fmt.Sprintf("… %d lines above", s.top), up
		case s.top > 0:
			said += fmt.Sprintf(", %d above", s.top)
		}
		said = strings.TrimSuffix(said+" · "+key, " · ")
		part = append(append([]string{}, s.checks[s.top:end]...), ink.Text(said))
	}
	out := make([]string, n)
	for i := range out {
		if i < len(part) {
			out[i] = part[i]
		}
		out[i] = zone.Mark(zoneChecks, widgets.Line(out[i], w))
	}
	return out
}

// scrollTo has the lines of Checks show from one on, or from the nearest that there is.
func (s *side) scrollTo(top int) {
	most := 0
	if len(s.checks) > s.room {
		most = len(s.checks) - s.room + 1
	}
	s.top = max(0, min(top, most))
}

// scrollChecks moves Checks by lines; it says so where they do not show.
func (m *Model) scrollChecks(by int) tea.Cmd {
	if off := m.offChecks(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	s := &m.frame.side
	s.scrollTo(s.top + by)
	return nil
}

// offChecks says why Checks can not be scrolled, "" when they can.
func (m *Model) offChecks() string {
	if _, right := m.sizes(); right == 0 {
		return "Checks stand beside the request: " + or(m.deps.Keys.Keys("compose.view-json"), "the palette") + " shows it"
	}
	return ""
}

// checksPage is how many lines a key moves Checks.
func (m *Model) checksPage() int { return max(1, m.frame.side.room-2) }

// showCheck has the finding show that was gone to last.
func (m *Model) showCheck() {
	s, p := &m.frame.side, m.lastJump()
	for i := range m.problems {
		if &m.problems[i] != p || i >= len(s.starts) {
			continue
		}
		if at := s.starts[i]; at < s.top || at >= s.top+s.room-1 {
			s.scrollTo(at)
		}
	}
}
