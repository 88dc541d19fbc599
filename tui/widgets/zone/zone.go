// Package zone marks parts of a rendered frame as targets of the mouse.
//
// A mark is an APC sequence around a piece of a frame: it has no width, passes through
// joining, padding and cutting, and is taken out again by [Scan], which says where on
// the screen each marked piece ended up. There is no state between the two, so a frame
// and its zones always agree.
package zone

import (
	"slices"
	"strings"

	"darkroom/tui/cells"
)

// A mark begins with start; what follows says whether the zone opens or ends, and which
// one it is. The end names it as well, since zones side by side open and end line by
// line, not one within the other.
const (
	start = "\x1b_dz"
	open  = start + ":"
	shut  = start + "/"
	ender = "\x1b\\"
)

// Rect is a place on the screen in cells, from 0,0.
type Rect struct{ X, Y, W, H int }

// contains reports whether the cell lies in r.
func (r Rect) contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Zone is a marked piece of a frame and where it is.
type Zone struct {
	ID   string
	Rect Rect
}

// Click is a press of the left button on a zone, "" outside of all; X and Y are the cell within it.
type Click struct {
	Zone   string
	X, Y   int
	Double bool
}

// Zones are the marked pieces of one frame, in the order of their beginnings: an inner one comes
// after the one around it.
type Zones []Zone

// At returns the innermost zone at a cell, or false.
func (z Zones) At(x, y int) (Zone, bool) {
	for i := len(z) - 1; i >= 0; i-- {
		if z[i].Rect.contains(x, y) {
			return z[i], true
		}
	}
	return Zone{}, false
}

// Find returns the zone of an id, or false.
func (z Zones) Find(id string) (Zone, bool) {
	for _, e := range z {
		if e.ID == id {
			return e, true
		}
	}
	return Zone{}, false
}

// Mark makes s the zone id, which may be any text. Mark the finished piece: after styling,
// before joining it with its neighbours.
func Mark(id, s string) string {
	if id == "" {
		return s
	}
	id = escape(id)
	return open + id + ender + s + shut + id + ender
}

// Scan takes all marks out of a frame and says where the marked pieces are. A zone
// whose end was cut off reaches to the end of the line that it begins in.
func Scan(frame string) (string, Zones) {
	if !strings.Contains(frame, start) {
		return frame, nil
	}
	var s Scanner
	clean, zones := s.Lines(strings.Split(frame, "\n"))
	return strings.Join(clean, "\n"), zones
}

// Scanner is [Scan] for frames of which most lines are those of the frame before: of these it knows what
// is in them. The zero value is ready.
type Scanner struct{ known []line }

// line is a line of a frame, without and with its marks.
type line struct {
	raw, clean string
	marks      []mark
}

// mark is one end of a zone, at a cell of its line.
type mark struct {
	id   string
	x    int
	open bool
}

// Lines is [Scan] of a frame by its lines. What it returns is the caller's.
func (s *Scanner) Lines(frame []string) (clean []string, zones Zones) {
	if len(s.known) != len(frame) {
		s.known = make([]line, len(frame))
	}
	clean = make([]string, len(frame))
	var pending []int // indices into zones that have not ended
	for y, raw := range frame {
		l := &s.known[y]
		if l.raw != raw {
			*l = read(raw)
		}
		clean[y] = l.clean
		for _, m := range l.marks {
			if m.open {
				pending = append(pending, len(zones))
				zones = append(zones, Zone{ID: m.id, Rect: Rect{X: m.x, Y: y}})
			} else {
				pending = zones.shut(pending, m, y)
			}
		}
	}
	for _, p := range pending {
		r := &zones[p].Rect
		r.W, r.H = max(1, cells.Width(clean[r.Y])-r.X), 1
	}
	return clean, zones
}

// shut ends the innermost zone of a mark, if one is pending, and returns the others.
func (z Zones) shut(pending []int, m mark, y int) []int {
	for i := len(pending) - 1; i >= 0; i-- {
		if e := &z[pending[i]]; e.ID == m.id {
			e.Rect.W, e.Rect.H = max(0, m.x-e.Rect.X), y-e.Rect.Y+1
			return slices.Delete(pending, i, i+1)
		}
	}
	return pending
}

// read takes the marks out of one line.
func read(raw string) line {
	l := line{raw: raw, clean: raw}
	rest, x := raw, 0
	var out strings.Builder
	for {
		i := strings.Index(rest, start)
		if i < 0 {
			break
		}
		out.WriteString(rest[:i])
		x += cells.Width(rest[:i])
		text := rest[i:]
		end := strings.Index(text, ender)
		if end < 0 { // a mark that was cut in two: drop the rest of it
			rest = ""
			break
		}
		if id, ok := strings.CutPrefix(text[:end], open); ok {
			l.marks = append(l.marks, mark{unescape(id), x, true})
		} else if id, ok := strings.CutPrefix(text[:end], shut); ok {
			l.marks = append(l.marks, mark{unescape(id), x, false})
		}
		rest = text[end+len(ender):]
	}
	if len(rest) < len(raw) {
		out.WriteString(rest)
		l.clean = out.String()
	}
	return l
}

// Ends are the marks in a cut-off piece of a frame that end zones beginning before it. Written
// where the frame was cut, they keep those zones whole.
func Ends(cut string) string {
	if !strings.Contains(cut, start) {
		return ""
	}
	var out strings.Builder
	opened := map[string]int{}
	for {
		i := strings.Index(cut, start)
		if i < 0 {
			return out.String()
		}
		cut = cut[i:]
		end := strings.Index(cut, ender)
		if end < 0 {
			return out.String()
		}
		mark := cut[:end]
		cut = cut[end+len(ender):]
		if id, ok := strings.CutPrefix(mark, open); ok {
			opened[id]++
		} else if id, ok := strings.CutPrefix(mark, shut); ok {
			if opened[id] > 0 {
				opened[id]--
			} else {
				out.WriteString(mark + ender)
			}
		}
	}
}
