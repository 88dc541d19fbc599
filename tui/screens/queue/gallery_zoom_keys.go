package queue

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// scopeZoom is that of what can be done with a picture on the whole screen.
const scopeZoom = "zoom"

// zooms are the steps of zooming, in percent.
func zooms() []int { return []int{12, 25, 50, 100, 200, 400, 800} }

// inZoom reports whether an action of the screen makes sense while a picture is on the
// whole of it; others lead back.
func inZoom(id string) bool {
	return slices.Contains([]string{
		"queue.star", "queue.mark", "queue.tag", "queue.remark", "queue.copy", "queue.download", "queue.open-file", "queue.flip",
		"queue.play", "queue.step", "queue.step-back",
	}, id) || strings.HasPrefix(id, scopeZoom+".")
}

// zoomCommand does what a key means while a picture is on the whole screen: its own keys
// go first, then arrows, then those of the screen.
func (m *Model) zoomCommand(name string) tea.Cmd {
	if id, ok := m.deps.Keys.Lookup(scopeZoom, name); ok {
		return m.do(id)
	}
	switch name {
	case "left", "h":
		return m.arrow(-1, 0)
	case "right", "l":
		return m.arrow(1, 0)
	case "up", "k":
		return m.arrow(0, -1)
	case "down", "j":
		return m.arrow(0, 1)
	}
	if id, ok := m.deps.Keys.Lookup(scope, name); ok {
		return m.do(id)
	}
	return nil
}

// doZoom does one of the zoom's own actions.
func (m *Model) doZoom(id string) tea.Cmd {
	switch id {
	case "zoom.close":
		m.closeZoom()
	case "zoom.next":
		return m.step(1)
	case "zoom.prev":
		return m.step(-1)
	case "zoom.in":
		m.closer(1)
	case "zoom.out":
		m.closer(-1)
	case "zoom.actual":
		if m.zoom.part.Zoom == 100 {
			m.zoomTo(0)
		} else {
			m.zoomTo(100)
		}
	case "zoom.fit":
		m.zoomTo(0)
	}
	return nil
}

// offZoom says why one of the zoom's own actions can not be done now, "" when it can.
func (m *Model) offZoom(id string) string {
	if !m.zoom.on {
		return "no picture is on the whole screen; " + m.deps.Keys.Keys("queue.zoom") + " shows one"
	}
	switch id {
	case "zoom.in", "zoom.out", "zoom.actual":
		switch {
		case m.zoomPlays():
			return "a video that plays is as large as fits; its picture, before it plays, can be looked at more closely"
		case m.zoom.got.Size.X == 0:
			return "there is no picture to look at more closely"
		}
	}
	return ""
}

// scale is how large the picture shows, in percent of its own size, and that at which it
// fits; 0 while its size is not known.
func (m *Model) scale() (now, fits int) {
	z := &m.zoom
	if z.got.Size.X == 0 {
		return 0, 0
	}
	w, h := m.zoomRoom()
	fits = preview.Fits(z.got.Size, m.deps.Previews.Mode(m.st).Box(w, h))
	if z.part.Zoom > 0 {
		return z.part.Zoom, fits
	}
	return fits, fits
}

// closer goes to the next larger or smaller step. The least is the size that fits, or that
// of the picture itself where that is smaller.
func (m *Model) closer(by int) {
	now, fits := m.scale()
	steps := zooms()
	if by > 0 {
		if i := slices.IndexFunc(steps, func(s int) bool { return s > now }); i >= 0 {
			m.zoomTo(steps[i])
		}
		return
	}
	next := 0
	for _, s := range steps {
		if s < now {
			next = s
		}
	}
	switch {
	case now > fits && next <= fits:
		m.zoomTo(0)
	case next >= min(100, fits):
		m.zoomTo(next)
	}
}

// zoomTo shows the picture at a size in percent, around the point in the middle; 0 is as
// large as fits.
func (m *Model) zoomTo(percent int) {
	z := &m.zoom
	if percent == 0 {
		z.part = preview.Part{Whole: true}
		return
	}
	if z.part.Zoom == 0 {
		z.part.X, z.part.Y = preview.Unit/2, preview.Unit/2
	}
	z.part.Zoom = percent
	z.part = z.part.Within(z.got.Size, m.zoomBox())
}

// arrow moves over a picture that is larger than the screen; on one that is not, to the
// results beside it.
func (m *Model) arrow(dx, dy int) tea.Cmd {
	z, box := &m.zoom, m.zoomBox()
	size := z.got.Size.Mul(z.part.Zoom).Div(100)
	if size.X <= box.X && size.Y <= box.Y {
		if dx != 0 {
			return m.step(dx)
		}
		return nil
	}
	const steps = 8 // for the width of the screen
	z.part.X += dx * preview.Unit * box.X / steps / max(1, size.X)
	z.part.Y += dy * preview.Unit * box.Y / steps / max(1, size.Y)
	z.part = z.part.Within(z.got.Size, box)
	return nil
}

// zoomActions are those of a picture on the whole screen.
func (m *Model) zoomActions() []screen.Action {
	var out []screen.Action
	if !m.zoom.on {
		return nil
	}
	for _, a := range m.deps.Keys.Actions(scopeZoom) {
		out = append(out, screen.Action{ID: a.ID, Title: a.Title, Off: m.offZoom(a.ID)})
	}
	return out
}

// zoomHelp is the line of help while a picture is on the whole screen.
func (m *Model) zoomHelp() []key.Binding {
	k := m.deps.Keys
	out := []key.Binding{k.Short("zoom.close", "back"), k.Short("zoom.next", "next"), k.Short("zoom.prev", "previous")}
	if j := m.job(); j != nil && m.playOff(j) == "" {
		out = append(out, k.Short("queue.play", m.playWord()), k.Short("queue.step", "frame on"), k.Short("queue.step-back", "frame back"))
	}
	if !m.zoomPlays() {
		out = append(out, k.Short("zoom.in", "larger"), k.Short("zoom.out", "smaller"), k.Short("zoom.actual", "1:1"))
	}
	return append(out, k.Short("queue.flip", "flip"), k.Short("queue.star", "star"), k.Short("queue.mark", "mark"), k.Short("queue.open-file", "open file"))
}

// zoomKeys is the help about it.
func (m *Model) zoomKeys() []key.Binding {
	var out []key.Binding
	for _, a := range m.deps.Keys.Actions(scopeZoom) {
		out = append(out, m.deps.Keys.Binding(a.ID))
	}
	return append(out, fixed("← →", "results beside it, or over a large picture"), fixed("↑↓", "over a large picture"))
}
