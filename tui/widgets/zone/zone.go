// Package zone marks parts of a rendered frame as targets of the mouse.
//
// A mark is an APC sequence around a piece of a frame: it has no width, passes through
// joining, padding and cutting, and is taken out again by [Scan], which says where on
// the screen each marked piece ended up. There is no state between the two, so a frame
// and its zones always agree.
package zone

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	open  = "\x1b_dz:"
	shut  = "\x1b_dz\x1b\\"
	ender = "\x1b\\"
)

// Rect is a place on the screen in cells, from 0,0.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Zone is a marked piece of a frame and where it is.
type Zone struct {
	ID   string
	Rect Rect
}

// Zones are the marked pieces of one frame, in the order of their beginnings, so that
// an inner one comes after the one around it.
type Zones []Zone

// At returns the innermost zone at a cell, or false.
func (z Zones) At(x, y int) (Zone, bool) {
	for i := len(z) - 1; i >= 0; i-- {
		if z[i].Rect.Contains(x, y) {
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

// Mark makes s the zone id. The id must be printable and free of control characters.
// Mark the finished piece: after styling, before joining it with its neighbours.
func Mark(id, s string) string {
	if id == "" {
		return s
	}
	return open + id + ender + s + shut
}

// Scan takes all marks out of a frame and says where the marked pieces are. A mark that
// was cut off at its end reaches to the end of its line.
func Scan(frame string) (string, Zones) {
	if !strings.Contains(frame, "\x1b_dz") {
		return frame, nil
	}
	var (
		out     strings.Builder
		zones   Zones
		pending []int // indices into zones, not yet closed
		y       int
	)
	out.Grow(len(frame))
	for line := range strings.SplitSeq(frame, "\n") {
		if y > 0 {
			out.WriteByte('\n')
		}
		x := 0
		for {
			i := strings.Index(line, "\x1b_dz")
			if i < 0 {
				break
			}
			text := line[:i]
			out.WriteString(text)
			x += ansi.StringWidth(text)
			mark := line[i:]
			end := strings.Index(mark, ender)
			if end < 0 { // a mark that was cut in two: drop the rest of it
				line = ""
				break
			}
			if strings.HasPrefix(mark, shut) {
				if n := len(pending); n > 0 {
					finish(&zones[pending[n-1]], x, y)
					pending = pending[:n-1]
				}
			} else {
				zones = append(zones, Zone{ID: mark[len(open):end], Rect: Rect{X: x, Y: y}})
				pending = append(pending, len(zones)-1)
			}
			line = mark[end+len(ender):]
		}
		out.WriteString(line)
		y++
	}
	for _, p := range pending {
		r := &zones[p].Rect
		r.W, r.H = max(1, ansi.StringWidth(lastLine(out.String()))-r.X), y-r.Y
	}
	return out.String(), zones
}

func finish(z *Zone, x, y int) {
	z.Rect.W, z.Rect.H = max(0, x-z.Rect.X), y-z.Rect.Y+1
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }
