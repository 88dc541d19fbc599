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
	var s scanner
	s.out.Grow(len(frame))
	for line := range strings.SplitSeq(frame, "\n") {
		if s.y > 0 {
			s.out.WriteByte('\n')
		}
		s.line(line)
		s.y++
	}
	clean := s.out.String()
	for _, p := range s.pending {
		r := &s.zones[p].Rect
		line, _, _ := strings.Cut(clean[s.starts[r.Y]:], "\n")
		r.W, r.H = max(1, cells.Width(line)-r.X), 1
	}
	return clean, s.zones
}

// scanner is a Scan on its way.
type scanner struct {
	out     strings.Builder
	zones   Zones
	pending []int // indices into zones that have not ended
	starts  []int // of the lines so far, in out
	y       int
}

func (s *scanner) line(line string) {
	s.starts = append(s.starts, s.out.Len())
	x := 0
	for {
		i := strings.Index(line, start)
		if i < 0 {
			break
		}
		s.out.WriteString(line[:i])
		x += cells.Width(line[:i])
		mark := line[i:]
		end := strings.Index(mark, ender)
		if end < 0 { // a mark that was cut in two: drop the rest of it
			line = ""
			break
		}
		s.mark(mark[:end], x)
		line = mark[end+len(ender):]
	}
	s.out.WriteString(line)
}

// mark takes one mark, without its end, at the cell x.
func (s *scanner) mark(mark string, x int) {
	if id, ok := strings.CutPrefix(mark, open); ok {
		s.pending = append(s.pending, len(s.zones))
		s.zones = append(s.zones, Zone{ID: unescape(id), Rect: Rect{X: x, Y: s.y}})
		return
	}
	id, ok := strings.CutPrefix(mark, shut)
	if !ok {
		return
	}
	id = unescape(id)
	for i := len(s.pending) - 1; i >= 0; i-- {
		z := &s.zones[s.pending[i]]
		if z.ID == id {
			z.Rect.W, z.Rect.H = max(0, x-z.Rect.X), s.y-z.Rect.Y+1
			s.pending = slices.Delete(s.pending, i, i+1)
			return
		}
	}
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
