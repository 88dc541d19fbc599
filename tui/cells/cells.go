// Package cells measures how many cells of the terminal a line of a frame takes.
package cells

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells that a line takes. It equals ansi.StringWidth, but calls that only
// where the line holds more than SGR sequences, marks of zones and characters of one cell each in any
// context.
// Most lines do not, and a frame's are measured many times.
func Width(line string) int {
	n := 0
	for i := 0; i < len(line); {
		switch b := line[i]; {
		case b >= 0x20 && b < 0x7f:
			n++
			i++
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(line[i:])
			if !Alone(r) {
				return ansi.StringWidth(line)
			}
			n++
			i += size
		case b == 0x1b:
			end := sequence(line, i)
			if end == 0 {
				return ansi.StringWidth(line)
			}
			i = end
		default:
			return ansi.StringWidth(line)
		}
	}
	return n
}

// Alone says that a character takes one cell and joins no other, except under a mark that joins
// anything: letters of Latin, Greek and Cyrillic, quotation marks, arrows, boxes, blocks and
// braille.
func Alone(r rune) bool {
	switch {
	case r >= 0x2500 && r < 0x25fd, // boxes, blocks, shapes
		r >= 0x2800 && r < 0x2900,                       // braille
		r >= 0x1fb00 && r < 0x1fb3c,                     // sextants
		r >= 0xc0 && r < 0x250,                          // Latin
		r >= 0x391 && r < 0x3ca && r != 0x3a2,           // Greek
		r >= 0x410 && r < 0x450,                         // Cyrillic
		r >= 0x2010 && r < 0x2028,                       // dashes, quotation marks, dots
		r >= 0x2190 && r < 0x2194, r == 0xb7, r == 0xb0, // arrows
		r == 0x2605, r == 0x2606, r == 0x2713, r == 0x2717: // stars, check marks
		return true
	}
	return false
}

// sequence is where the SGR sequence or the mark of a zone at i ends, 0 where there is neither.
func sequence(line string, i int) int {
	if i+1 >= len(line) {
		return 0
	}
	switch line[i+1] {
	case '[':
		for i += 2; i < len(line); i++ {
			if b := line[i]; b == 'm' {
				return i + 1
			} else if b < '0' || b > ';' {
				return 0
			}
		}
	case '_': // APC, to its end, the string terminator
		for i += 2; i+1 < len(line); i++ {
			if b := line[i]; b == 0x1b && line[i+1] == '\\' {
				return i + 2
			} else if b < 0x20 || b >= 0x7f {
				return 0
			}
		}
	}
	return 0
}
