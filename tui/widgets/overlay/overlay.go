// Package overlay lays a box over a finished frame. Zones of the frame below keep
// working where they show; zones under the box, or under a shade, are gone.
package overlay

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"darkroom/themes"
	"darkroom/tui/cells"
	"darkroom/tui/widgets"
)

// Dialog shades the frame and puts the box in its middle, as a modal dialog.
func Dialog(st *themes.Styles, frame, box string) string {
	return Center(shade(st, frame), box)
}

// Center centres the box on the frame, one third from the top.
func Center(frame, box string) string {
	x := (widgets.Width(frame) - widgets.Width(box)) / 2
	y := (widgets.Height(frame) - widgets.Height(box)) / 3
	return Place(frame, box, max(0, x), max(0, y))
}

// shade draws the whole frame in the theme's shade: it loses its colours and zones, but its text
// stays to show where one is. Blocks of a picture, which are noise without their colours, become
// blanks; a picture drawn by the terminal stays unchanged.
func shade(st *themes.Styles, frame string) string {
	ink := widgets.NewInk(st.Shade)
	lines := strings.Split(frame, "\n")
	for i, l := range lines {
		if strings.Contains(l, pictureCell) {
			lines[i] = shadeAround(ink, l)
		} else {
			lines[i] = ink.Text(plain(l))
		}
	}
	return strings.Join(lines, "\n")
}

// plain is a line without styles, zones and blocks.
func plain(line string) string {
	return strings.Map(func(r rune) rune {
		if r >= '▀' && r <= '▟' || r >= 0x1fb00 && r < 0x1fb3c {
			return ' '
		}
		return r
	}, ansi.Strip(line))
}

// pictureCell begins each cell of a picture; its style says which one it is.
const pictureCell = string(kitty.Placeholder)

// shadeAround shades everything but pictures.
func shadeAround(ink widgets.Ink, line string) string {
	var out, text strings.Builder
	style, within := "", false
	state := byte(0)
	for len(line) > 0 {
		seq, w, n, next := widgets.Decode(line, state)
		state, line = next, line[n:]
		switch {
		case w == 0 && isSGR(seq):
			style = addSGR(style, seq)
			if within {
				out.WriteString(reset)
			}
			within = false
		case w == 0:
		case strings.HasPrefix(seq, pictureCell):
			if text.Len() > 0 {
				out.WriteString(ink.Text(plain(text.String())))
				text.Reset()
			}
			if !within {
				out.WriteString(reset + style)
				within = true
			}
			out.WriteString(seq)
		default:
			if within {
				out.WriteString(reset)
				within = false
			}
			text.WriteString(seq)
		}
	}
	if text.Len() > 0 {
		out.WriteString(ink.Text(plain(text.String())))
	}
	return out.String() + reset
}

const reset = "\x1b[0m"

// Place lays box over frame with its upper left corner at the cell x, y (from 0, below 0 counts as
// 0). The result has the size of the frame: the box is cut at the right and lower edges.
func Place(frame, box string, x, y int) string {
	x, y = max(0, x), max(0, y)
	lines := strings.Split(frame, "\n")
	for i, over := range strings.Split(box, "\n") {
		if y+i >= len(lines) {
			break
		}
		lines[y+i] = placeLine(lines[y+i], over, x)
	}
	return strings.Join(lines, "\n")
}

func placeLine(line, over string, x int) string {
	width := cells.Width(line)
	if x >= width {
		return line
	}
	over = ansi.Truncate(over, width-x, "")
	w := cells.Width(over)
	if w == 0 {
		return line
	}
	left, closed, opened, right := split(line, x, x+w)
	return left + closed + over + opened + right
}

// split takes a line apart at the cells from and to. Left and right are the pieces before and
// after, of exactly their widths: half a wide character becomes a blank. Styles are ended at the
// end of left and set again at the beginning of right. Zone marks in between are kept to balance
// each zone: closed ends zones that begin on the left, opened holds those that reach on.
func split(line string, from, to int) (left, closed, opened, right string) {
	var l, r, cl, op strings.Builder
	style := ""               // the SGR sequences in force
	under := map[string]int{} // zones that began under the box
	pos := 0
	state := byte(0)
	started := false
	for len(line) > 0 {
		seq, w, n, next := widgets.Decode(line, state)
		state = next
		line = line[n:]
		if w == 0 {
			if isSGR(seq) {
				style = addSGR(style, seq)
			}
			switch {
			case pos < from || (pos == from && !started && isShut(seq)):
				l.WriteString(seq)
			case pos < to:
				keepMark(seq, under, &cl, &op)
			case !started && isMark(seq):
				keepMark(seq, under, &cl, &op)
			case started:
				r.WriteString(seq)
			}
			continue
		}
		end := pos + w
		switch {
		case end <= from:
			l.WriteString(seq)
		case pos < from: // a wide character under the left edge
			l.WriteString(strings.Repeat(" ", from-pos))
		}
		if end > to {
			if !started {
				started = true
				r.WriteString(style)
			}
			if pos < to { // a wide character under the right edge
				r.WriteString(strings.Repeat(" ", end-to))
			} else {
				r.WriteString(seq)
			}
		}
		pos = end
	}
	left = l.String()
	if strings.Contains(left, "\x1b[") {
		left += "\x1b[0m"
	}
	return left, cl.String(), op.String(), r.String()
}

// keepMark sorts a zone mark that lies under the box.
func keepMark(seq string, under map[string]int, closed, opened *strings.Builder) {
	if !isMark(seq) {
		return
	}
	id := seq[len(markStart)+1:]
	switch {
	case !isShut(seq):
		under[id]++
		opened.WriteString(seq)
	case under[id] > 0:
		under[id]--
		opened.WriteString(seq)
	default:
		closed.WriteString(seq)
	}
}

// markStart begins the marks of package zone; what follows tells ends from beginnings.
const markStart = "\x1b_dz"

func isMark(seq string) bool {
	return len(seq) > len(markStart) && strings.HasPrefix(seq, markStart)
}

func isShut(seq string) bool { return strings.HasPrefix(seq, markStart+"/") }

func isSGR(seq string) bool {
	return len(seq) > 2 && seq[0] == '\x1b' && seq[1] == '[' && seq[len(seq)-1] == 'm'
}

// addSGR tracks the style in force; a reset forgets all earlier sequences.
func addSGR(style, seq string) string {
	if seq == "\x1b[0m" || seq == "\x1b[m" {
		return ""
	}
	return style + seq
}
