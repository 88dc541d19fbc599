package paint

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"darkroom/tui/cells"
)

// cell is one column, or two for a wide cluster, of a line.
type cell struct {
	text  string // one grapheme cluster, never a control character
	pen   pen
	width int  // columns: 1 or 2
	odd   bool // terminals disagree about its width
}

// line is a parsed line. Trailing blanks without style are not in it.
type line struct {
	cells []cell
	width int  // columns the cells take
	odd   bool // some cell is odd
}

// parseLine reads s into cells, reusing dst, and stops before the column max.
// A line starts without style. Sequences other than SGR and control characters
// are dropped, and so are clusters without width.
func parseLine(dst []cell, s string, max int) line {
	l := line{cells: dst[:0]}
	var style, blank pen // blank: of a space
	for len(s) > 0 {
		b := s[0]
		if b == 0x1b {
			n, sgr := escape(s)
			if sgr {
				style = style.with(s[2 : n-1])
				if blank = style; style.quiet() {
					blank = pen{}
				}
			}
			s = s[n:]
			continue
		}
		if b < 0x20 || b == 0x7f {
			s = s[1:]
			continue
		}
		c := cell{pen: style, width: 1}
		if n := single(s); n > 0 {
			c.text, s = s[:n], s[n:]
		} else if c, s = cluster(s, style); c.width <= 0 {
			continue
		}
		if l.width+c.width > max {
			break
		}
		if c.text == " " {
			c.pen = blank
		}
		l.cells = append(l.cells, c)
		l.width += c.width
		l.odd = l.odd || c.odd
	}
	l.trim()
	return l
}

// single returns how many bytes the first character of s takes if it is beyond doubt a cell by
// itself, else 0.
func single(s string) int {
	n := 1
	if s[0] >= utf8.RuneSelf {
		var r rune
		if r, n = utf8.DecodeRuneInString(s); !cells.Alone(r) {
			return 0
		}
	}
	if len(s) > n && s[n] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(s[n:]); !cells.Alone(r) {
			return 0 // it may be a mark
		}
	}
	return n
}

// trim removes trailing unstyled spaces: erasing draws them.
func (l *line) trim() {
	n := len(l.cells)
	for n > 0 && l.cells[n-1].text == " " && l.cells[n-1].pen == (pen{}) {
		n--
		l.width--
	}
	l.cells = l.cells[:n]
}

// cluster takes the first grapheme cluster off s. A width of 0 means that there
// is nothing to draw.
func cluster(s string, style pen) (cell, string) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return cell{text: "\uFFFD", pen: style, width: 1}, s[1:]
	}
	if r >= 0x80 && r < 0xa0 {
		return cell{}, s[size:]
	}
	text, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	rest := s[len(text):]
	if !utf8.ValidString(text) {
		text, rest = s[:size], s[size:]
		width = ansi.StringWidth(text)
	}
	if strings.IndexFunc(text, isControl) >= 0 {
		return cell{}, rest
	}
	if width > 2 {
		width = 2
	}
	c := cell{text: text, pen: style, width: width}
	if r == kitty.Placeholder {
		c.width = 1
		return c, rest
	}
	c.odd = len(text) != size || !agreed(r, width)
	return c, rest
}

// parted returns an emoji without what is joined to it: the first person, without a skin tone. Tmux
// (3.3) takes the parts for characters of their own, and would misplace everything after them.
func parted(text string) string {
	for i, r := range text {
		joins := r == zeroWidthJoiner || r == emojiStyle || r >= 0x1f3fb && r <= 0x1f3ff
		if i > 0 && joins && emoji(text) {
			return text[:i]
		}
	}
	return text
}

const (
	zeroWidthJoiner = '\u200d'
	emojiStyle      = '\ufe0f' // makes a character of one cell one of two
)

// emoji reports whether a cluster begins with a pictograph; scripts use joiners as well.
func emoji(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r >= 0x1f000 || r >= 0x2190 && r < 0x2c00
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// agreed reports whether terminals agree with us about the width of a rune that stands alone.
// Emoji, scripts that are shaped or run from right to left, and private-use runes are not; lines
// with them are painted whole, each odd cell followed by an absolute move.
func agreed(r rune, width int) bool {
	switch {
	case width == 1:
		return r < 0x590 && r != 0xad || r >= 0x1e00 && r < 0x2e80 || r >= 0x1fb00 && r < 0x1fb3c
	case r >= 0x3000 && r < 0xa4d0, r >= 0xac00 && r < 0xd7a4, r >= 0xff01 && r < 0xff61:
		return width == 2
	}
	return false
}

// escape measures the sequence at the start of s, which begins with ESC, and
// says whether it is SGR. A string that is not terminated runs to the end.
func escape(s string) (n int, sgr bool) {
	if len(s) == 1 {
		return 1, false
	}
	switch s[1] {
	case '[':
		return csi(s)
	case ']', 'P', 'X', '^', '_':
		return stringEnd(s), false
	}
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x30 {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] < 0x7f {
		i++
	}
	return i, false
}

// csi measures a control sequence and says whether it is a plain SGR.
func csi(s string) (n int, sgr bool) {
	plain := true
	for i := 2; i < len(s); i++ {
		switch b := s[i]; {
		case b >= '0' && b <= ';':
		case b >= 0x20 && b < 0x40:
			plain = false
		case b >= 0x40 && b < 0x7f:
			return i + 1, plain && b == 'm'
		default:
			return i, false
		}
	}
	return len(s), false
}

// stringEnd measures an OSC, DCS, SOS, PM or APC sequence.
func stringEnd(s string) int {
	for i := 2; i < len(s); i++ {
		switch s[i] {
		case 0x07:
			return i + 1
		case 0x1b:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return i
		}
	}
	return len(s)
}
