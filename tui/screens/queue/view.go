package queue

import (
	"fmt"
	"time"

	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
)

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	m.detail.dirty = true
	m.detail.fill(inDetail(m))
	m.list.thumbs.Off = m.detail.picture.off
	m.list.resize()
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
	var frame string
	switch {
	case m.zoom.On():
		frame = widgets.Fit(m.zoom.view(), m.w, m.h)
	case m.pulse && m.beside() > 0:
		frame = widgets.Beside(m.list.view(), m.pulseView())
	case m.pulse:
		frame = m.pulseView()
	case m.beside() > 0:
		frame = widgets.Beside(m.list.view(), m.detailBox())
	case m.focus == detailPane:
		frame = m.detailBox()
	default:
		frame = m.list.view()
	}
	return m.stack.View(frame)
}

// detailBox is everything about the job under the cursor.
func (m *Model) detailBox() string {
	d, j := &m.detail, inDetail(m)
	if j == nil {
		return widgets.Box(m.st, title(m.kit, m.room, "Detail", detailPane), "", "\n"+m.ink.Muted.Text("no job"), m.detailWidth(), m.h, m.focused(detailPane))
	}
	buttons := ""
	if d.buttonLines() > 0 {
		w, _ := d.inner()
		buttons = buttonLine(m.kit, m.buttons(), w)
	}
	return d.view(title(m.kit, m.room, "Job "+shortID(j.ID), detailPane), j, &m.film.Play, buttons)
}

// title is that of a pane; without colours a sign tells which one has the focus.
func title(k *kit, r *room, text string, p pane) string {
	if k.st.Plain && r.wide() && r.focused(p) {
		return "▸ " + text
	}
	return text
}

// flowText says what holds up the work, "" for nothing.
func (k *kit) flowText() string {
	f := &k.scene.Flow
	all, host := k.keys.Keys(actPauseAll), k.keys.Keys(actPauseHost)
	switch left := f.Until.Sub(k.now()); {
	case f.Paused && f.Hosts != "":
		return "‖ all paused, and " + inks.OneLine(f.Hosts, 24) + ", " + all + " " + host + " go on"
	case f.Paused:
		return "‖ all paused, " + all + " goes on"
	case f.Hosts != "":
		return "‖ paused: " + inks.OneLine(f.Hosts, 28) + ", " + host + " goes on"
	case left > 0:
		return fmt.Sprintf("the gateway asked for a pause: %d s", (left+time.Second-1)/time.Second)
	case f.Rate > 0:
		return fmt.Sprintf("slowed to %g requests a second", f.Rate)
	default:
		return ""
	}
}

// pane is the pane with the focus. On a narrow screen only that one shows.
type pane int

const (
	tablePane pane = iota
	detailPane
)

// wideFrom is the width from which table and detail stand side by side.
const wideFrom = 100

// room is how the screen is divided. The gallery takes all of a wide one until its detail is
// opened.
type room struct {
	w, h    int
	focus   pane
	gallery bool // the jobs show as a grid, not as a list
	hidden  bool // another screen shows
	pulse   bool // how the work stands shows in place of the detail
}

func (r *room) wide() bool { return r.w >= wideFrom }

// tableShows and detailShows report what is on the screen: both on a wide one, else what
// has the focus.
func (r *room) tableShows() bool { return r.wide() || r.focus == tablePane && !r.pulse }

func (r *room) detailShows() bool { return !r.pulse && (r.beside() > 0 || r.focus == detailPane) }

// beside is the width of the detail beside the table, 0 on a narrow screen.
func (r *room) beside() int {
	if !r.wide() || r.gallery && r.focus == tablePane && !r.pulse {
		return 0
	}
	return min(max(44, r.w*46/100), 100)
}

// focused reports whether a pane has the focus.
func (r *room) focused(p pane) bool { return r.focus == p }

func (r *room) tableWidth() int { return r.w - r.beside() }

func (r *room) detailWidth() int {
	if w := r.beside(); w > 0 {
		return w
	}
	return r.w
}

// tableRoom is the room in the pane of the table below that many head lines.
func (r *room) tableRoom(head int) (w, h int) {
	w, h = widgets.Inner(r.tableWidth(), r.h)
	return w, max(0, h-head)
}
