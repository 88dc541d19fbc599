package queue

import (
	"fmt"
	"image"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/zone"
)

// zoomRoom is the room for the picture: all but the line about it, and while two are
// flipped the one about the other.
func (m *Model) zoomRoom() (int, int) {
	h := m.h - 1
	if m.zoom.flipping {
		h--
	}
	return m.w, max(0, h)
}

// zoomBox is the room in pixels of the picture at its own size.
func (m *Model) zoomBox() image.Point {
	w, h := m.zoomRoom()
	if m.deps.Previews == nil {
		return image.Point{}
	}
	return m.deps.Previews.Mode(m.st).Box(w, h)
}

// zoomView is the whole screen while one result is looked at.
func (m *Model) zoomView() string {
	w, h := m.zoomRoom()
	lines := []string{m.zoomTitle()}
	if m.zoom.flipping {
		lines = append(lines, m.flipLine())
	}
	body := widgets.Fit(m.zoomBody(w, h), w, h)
	return strings.Join(append(lines, zone.Mark("zoom", body)), "\n")
}

func (m *Model) zoomBody(w, h int) string {
	z, j := &m.zoom, m.job()
	_, ok := m.looked()
	switch {
	case j == nil || w <= 0 || h <= 0:
		return ""
	case m.zoomPlays() && m.play.Lines() != nil:
		return m.zoomFilm(w, h)
	case !ok:
		return strings.Join(m.framed(m.stateCard(j, min(w, 60), h), w, h, false), "\n")
	case !z.have && (z.got.Lines == nil || z.got.Key.Width != w || z.got.Key.Height != h):
		return m.ink.faint.Text("preview …")
	case z.got.Lines != nil:
		return strings.Join(z.got.Lines, "\n")
	case z.got.Err != nil:
		return strings.Join(m.painted(m.ink.bad, "✗ "+client.Clean(z.got.Err.Error()), w, h), "\n")
	default:
		return preview.Card(m.st, z.got.Info, w, h)
	}
}

// zoomTitle says what is looked at, how closely, and where it stands among the others.
func (m *Model) zoomTitle() string {
	j := m.job()
	if j == nil {
		return widgets.Line("", m.w)
	}
	more := ""
	if m.read.next != "" {
		more = "+"
	}
	right := fmt.Sprintf("%s of %s%s ", format.Count(m.table.Cursor()+1), format.Count(m.jobs.len()), more)
	if text := m.scaleText(); text != "" {
		right = text + " · " + right
	}
	if m.zoom.seek != 0 {
		right = "reading … · " + right
	}
	right = m.ink.muted.Text(widgets.Truncate(right, max(0, m.w-20)))
	head := " "
	if m.marked[j.ID] {
		head += m.gallery.ink.marked.Text("•") + " "
	}
	if j.Starred() {
		head += m.ink.warn.Text(starSign) + " "
	}
	head += m.ink.accent.Text(m.nameOf(shown{j.ID, m.zoom.file}))
	room := max(0, m.w-widgets.Width(right)-1)
	head += " " + m.ink.text.Text(oneLine(j.Draft.Prompt, 2*m.w))
	return widgets.Line(widgets.Spread(widgets.Truncate(head, room), right, m.w), m.w)
}

// nameOf is a result as people know it.
func (m *Model) nameOf(s shown) string {
	name := shortID(s.id)
	j := m.jobs.get(s.id)
	if j == nil {
		return name
	}
	name += " " + modelText(j)
	if all := j.Results(); s.file < len(all) && len(all) > 1 {
		name += fmt.Sprintf(" · result %d of %d", s.file+1, len(all))
	}
	return name
}

// scaleText is the size of the picture and how large it shows; of a video that plays, where
// that is.
func (m *Model) scaleText() string {
	if m.zoomPlays() {
		return m.play.Text()
	}
	now, _ := m.scale()
	if now == 0 {
		return ""
	}
	text := sizeText(m.zoom.got.Size) + " · " + fmt.Sprintf("%d %%", now)
	if m.zoom.part.Zoom == 100 {
		text = sizeText(m.zoom.got.Size) + " · 1:1"
	}
	return text
}

func sizeText(p image.Point) string { return fmt.Sprintf("%d x %d", p.X, p.Y) }

// flipLine names the other one of two that are flipped, and tells where their sizes differ.
func (m *Model) flipLine() string {
	to, off := m.other()
	if off != "" {
		return widgets.Line(" "+m.ink.muted.Text(off), m.w)
	}
	left := " ⇄ " + m.nameOf(to) + " " + promptOf(m.jobs.get(to.id), 2*m.w)
	right, ink := "", m.ink.muted
	if r, ok := m.zoomRequest(to, otherSlot); ok {
		other, known := m.deps.Previews.Peek(r)
		switch a, b := m.zoom.got.Size, other.Size; {
		case !known || a.X == 0 || b.X == 0:
		case a == b:
			right = "both " + sizeText(a) + " "
		default:
			right, ink = "other size: "+sizeText(b)+" ", m.ink.warn
		}
	}
	room := max(0, m.w-widgets.Width(right)-1)
	return widgets.Line(widgets.Spread(m.ink.muted.Text(widgets.Truncate(left, room)), ink.Text(right), m.w), m.w)
}

func promptOf(j *jobs.Job, n int) string {
	if j == nil {
		return ""
	}
	return oneLine(j.Draft.Prompt, n)
}
