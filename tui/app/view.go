package app

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// The smallest terminal that the console is laid out for.
const (
	minWidth  = 40
	minHeight = 12
)

// resize tells every screen the room between the title line and the help line.
func (m *Model) resize() {
	for i := range m.slots {
		if s := &m.slots[i]; s.screen != nil {
			s.screen.SetSize(m.w, roomOf(m, s.id))
			s.valid = false
		}
	}
}

// View implements tea.Model: the whole frame, width x height cells.
func (m *Model) View() string { return strings.Join(m.Lines(), "\n") }

// Lines implements paint.Liner. They are made anew only after something changed.
func (m *Model) Lines() []string {
	if !m.fresh {
		m.frame, m.zones = m.current().page.marks.Lines(m.draw())
		m.fresh = true
	}
	return m.frame
}

// draw returns the lines of the frame, with the marks of their zones.
func (m *Model) draw() []string {
	if m.w == 0 || m.h == 0 {
		return nil
	}
	if m.w < minWidth || m.h < minHeight {
		text := fmt.Sprintf("darkroom needs %dx%d cells, this terminal has %dx%d", minWidth, minHeight, m.w, m.h)
		return strings.Split(widgets.Fit(widgets.Wrap(text, m.w), m.w, m.h), "\n")
	}
	s := m.current()
	if !s.valid {
		// Most messages change nothing that shows, as the frames of a video that the terminal
		// has as pixels.
		s.page.take(s.screen.View(), m.w, roomOf(m, s.id))
		s.valid = true
	}
	lines := make([]string, 0, m.h)
	lines = append(lines, m.bars.titleLine(m))
	lines = append(lines, s.page.fitted...)
	lines = append(lines, tour(m, s.id)...)
	lines = append(lines, m.bars.helpLine(m, s.screen))
	if m.toasts.Len() == 0 && m.overlay == noOverlay && !m.st.Fill {
		return lines
	}
	frame := m.withToasts(strings.Join(lines, "\n"))
	if m.overlay != noOverlay {
		frame, _ = zone.Scan(frame) // nothing below a dialog can be hit
		frame = m.over(frame)
	}
	return strings.Split(m.st.Backdrop(frame), "\n")
}

// helpRight is the right end of the help line.
func helpRight(m *Model) string {
	ink := widgets.NewInk(m.st.HelpKey)
	text := widgets.NewInk(m.st.HelpText)
	return zone.Mark("shell:"+actPalette, ink.Text(works(m, actPalette))+text.Text(" palette")) + "  " +
		zone.Mark("shell:"+actHelp, ink.Text(works(m, actHelp))+text.Text(" help"))
}

// title is the line at the top: the tabs, whose gateway it is, and what runs. Where they
// do not fit beside each other, the gateway's address goes first, then names of tabs.
func (m *Model) title() string {
	name := widgets.NewInk(m.st.TitleName).Text(" darkroom ")
	if m.w < 70 {
		name = ""
	}
	tabs, lead := m.tabs(true)
	name += widgets.NewInk(m.st.Faint).Text(widgets.PadLeft(lead, leadWidth))
	need := widgets.Width(widgets.Tabs(m.st, tabs, "", 10*m.w))
	right := m.counters(m.w >= 60, m.w >= 110)
	if need > m.titleRoom(name, right) {
		right = m.counters(m.w >= 60, false)
	}
	room := m.titleRoom(name, right)
	if need > room {
		tabs, _ = m.tabs(false)
	}
	return widgets.Spread(name+widgets.Tabs(m.st, tabs, string(m.current().id), room), right, m.w)
}

// titleRoom is what the name and the counters leave for the tabs.
func (m *Model) titleRoom(name, right string) int {
	return m.w - widgets.Width(name) - widgets.Width(right) - 1
}

// alt leads the digits of the tabs where a digit alone would be typed; its room stays where it is not
// shown, so that the tabs do.
const (
	alt       = "alt+"
	leadWidth = len(alt)
)

// tabs are the screens, each with the key that shows it now, and what leads all these keys. Where
// there is little room only the one that shows has its name.
func (m *Model) tabs(names bool) (out []widgets.Tab, lead string) {
	out, lead = make([]widgets.Tab, len(m.slots)), alt
	for i, s := range m.slots {
		out[i] = widgets.Tab{ID: string(s.id), Label: works(m, actScreen+strconv.Itoa(i+1))}
		if !strings.HasPrefix(out[i].Label, lead) {
			lead = ""
		}
	}
	for i, s := range m.slots {
		out[i].Label = strings.TrimPrefix(out[i].Label, lead)
		if names || i == m.active {
			out[i].Label += " " + s.title
		}
	}
	return out, lead
}

// flow says why jobs are held up: the history is away, or a person or the gateway has paused them.
func (m *Model) flow(f jobs.Flow, long bool) string {
	warn := widgets.NewInk(m.st.Warn)
	left := f.Until.Sub(m.o.Now())
	switch {
	case !f.Away.IsZero():
		return widgets.NewInk(m.st.Bad).Text(" ✗ history away")
	case f.Paused && long:
		return warn.Text(" ‖ paused")
	case f.Paused || f.Hosts != "" && !long:
		return warn.Text(" ‖")
	case f.Hosts != "":
		return warn.Text(" ‖ a host")
	case left > 0 && m.w >= 110:
		return warn.Text(fmt.Sprintf(" ‖ asked to wait %d s", seconds(left)))
	case left > 0:
		return warn.Text(fmt.Sprintf(" ‖ %d s", seconds(left)))
	case f.Rate > 0 && m.w >= 110:
		return warn.Text(fmt.Sprintf(" slowed to %g/s", f.Rate))
	case f.Rate > 0:
		return warn.Text(fmt.Sprintf(" %g/s", f.Rate))
	default:
		return ""
	}
}

// seconds is a duration in seconds, rounded up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// gateway is the name of the gateway in use, as its profile marks it: its banner and colour, and that
// it is only to be read. Where there is little room the banner takes the place of the name.
func (m *Model) gateway(name string, long bool) string {
	style := m.st.Info
	if m.o.Sandbox {
		style = m.st.Accent
	}
	out := widgets.NewInk(style).Text("● " + name)
	if m.o.Color != "" || m.o.Banner != "" {
		text := strings.TrimSpace(m.o.Banner + " " + name)
		if !long && m.o.Banner != "" {
			text = m.o.Banner
		}
		if m.st.Plain {
			out = "[" + text + "]"
		} else {
			out = widgets.NewInk(m.st.Mark(cmp.Or(m.o.Color, "accent"))).Text(" " + text + " ")
		}
	}
	if m.o.Forbidden == "" {
		return out
	}
	if long {
		return out + widgets.NewInk(m.st.Warn).Text(" ⊘ read-only")
	}
	return out + widgets.NewInk(m.st.Warn).Text(" ⊘")
}

// counters name the gateway in use and count the jobs on their way to it, where there are any. Each
// has a sign of its own, readable without colour.
func (m *Model) counters(long, origin bool) string {
	gateway, quiet := m.o.Profile, m.counts.Flow
	quiet.ReadOnly = ""
	if origin && m.o.Origin != "" && !m.o.Sandbox && quiet == (jobs.Flow{}) {
		gateway += " " + m.o.Origin
	}
	out := m.gateway(gateway, long)
	if m.trouble != "" {
		what := " ✗ no history"
		if m.o.ReadOnly != nil && m.o.ReadOnly() {
			what = " ✗ read-only"
		}
		return out + widgets.NewInk(m.st.Bad).Text(what) + " "
	}
	c := m.counts
	out += m.flow(c.Flow, long)
	for _, n := range []struct {
		of    int
		sign  string
		style lipgloss.Style
	}{{c.Running, "▶", m.st.StateRunning}, {c.Queued, "◌", m.st.StateQueued}, {c.Failed, "✗", m.st.StateFailed}, {c.Ambiguous, "?", m.st.StateAmbiguous}} {
		if n.of > 0 {
			out += widgets.NewInk(n.style).Text(fmt.Sprintf(" %s%d", n.sign, n.of))
		}
	}
	return out + widgets.NewInk(m.st.Muted).Text(elsewhere(m, m.w >= 100)) + " "
}
