// Package scroll shows lines of text through a movable window. Only visible lines are touched when
// drawing.
package scroll

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"darkroom/themes"
	"darkroom/tui/cells"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Model is a window on lines. The zero value is empty; give it a size. Copies share the
// lines, which are never written to.
type Model struct {
	// Zone marks the window for the mouse; "" for no mark.
	Zone   string
	lines  []string
	w, h   int
	top    int
	left   int
	widest int // of the lines shown since SetLines; bounds sideways scrolling
}

// SetLines takes new lines, each without a line end. The position stays as far as it
// can. The model keeps the slice: do not write to it afterwards.
func (m *Model) SetLines(lines []string) {
	m.lines = lines
	m.left, m.widest = 0, 0
	m.clamp()
}

// SetSize sets the size in cells, the scroll bar included.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(0, w), max(0, h)
	m.clamp()
}

// Len is the number of lines.
func (m *Model) Len() int { return len(m.lines) }

// Top is the index of the first line that shows.
func (m *Model) Top() int { return m.top }

// SetTop makes the line i the first visible one, as far as possible.
func (m *Model) SetTop(i int) { m.top = i; m.clamp() }

// Move scrolls by n lines, down for a positive n.
func (m *Model) Move(n int) { m.top += n; m.clamp() }

// Wheel scrolls by notches of the mouse wheel.
func (m *Model) Wheel(delta int) { m.Move(3 * delta) }

// Position is the position of the window, from 0 to 1; 1 when everything is visible.
func (m *Model) Position() float64 {
	most := len(m.lines) - m.h
	if most <= 0 {
		return 1
	}
	return float64(m.top) / float64(most)
}

// Update scrolls by a key and reports whether it was a scrolling key: arrows, j k, pages, space
// and b, ctrl+d ctrl+u, home end, g G.
func (m *Model) Update(k tea.KeyMsg) bool {
	page := max(1, m.h-1)
	switch k.String() {
	case "up", "k":
		m.Move(-1)
	case "down", "j":
		m.Move(1)
	case "pgup", "b", "ctrl+b":
		m.Move(-page)
	case "pgdown", " ", "ctrl+f":
		m.Move(page)
	case "ctrl+u":
		m.Move(-max(1, m.h/2))
	case "ctrl+d":
		m.Move(max(1, m.h/2))
	case "home", "g":
		m.SetTop(0)
	case "end", "G":
		m.SetTop(len(m.lines))
	case "left":
		m.left = max(0, m.left-8)
	case "right":
		m.left = max(0, min(m.left+8, m.widest-m.w/2))
	default:
		return false
	}
	return true
}

func (m *Model) clamp() { m.top = max(0, min(m.top, len(m.lines)-m.h)) }

// View is exactly the size that was set. A scroll bar takes the last column when there
// are more lines than fit.
func (m *Model) View(st *themes.Styles) string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	w := m.w
	var bar []string
	if len(m.lines) > m.h && w > 3 {
		w -= 2
		bar = widgets.Scrollbar(st, len(m.lines), m.h, m.top)
	}
	out := make([]string, m.h)
	for y := range out {
		line := ""
		if i := m.top + y; i < len(m.lines) {
			line = m.lines[i]
			if m.left > 0 || len(line) > w {
				m.widest = max(m.widest, cells.Width(line))
			}
			if m.left > 0 {
				line = ansi.TruncateLeft(line, m.left, "")
			}
		}
		line = widgets.Fit(line, w, 1)
		if bar != nil {
			line += " " + bar[y]
		}
		out[y] = line
	}
	return zone.Mark(m.Zone, strings.Join(out, "\n"))
}
