package form

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// hidden stands for a cluster that would be invisible or would shift others.
const hidden = "\uFFFD"

// clusters splits text into grapheme clusters; a line feed is a cluster of its own.
func clusters(s string) []string {
	out := make([]string, 0, len(s))
	for len(s) > 0 {
		if c := s[0]; c < 0x80 && (len(s) == 1 || s[1] < 0x80) {
			out = append(out, s[:1])
			s = s[1:]
			continue
		}
		g, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if g == "" {
			g = s[:1]
		}
		out = append(out, g)
		s = s[len(g):]
	}
	return out
}

// glyph is the visible form of a cluster and its width in cells; a line feed takes none.
func glyph(c string) (string, int) {
	if len(c) == 1 {
		switch {
		case c == "\n":
			return "", 0
		case c == "\t":
			return " ", 1
		case c[0] >= 0x20 && c[0] < 0x7f:
			return c, 1
		default:
			return hidden, 1
		}
	}
	if c[0] < utf8.RuneSelf && strings.ContainsRune(c, '\uFE0F') {
		// An emoji selector behind an ASCII character, as in a keycap: terminals and
		// libraries disagree about the width, so the character shows alone.
		return glyph(c[:1])
	}
	for i, r := range c {
		// A character that would join its neighbour on the screen is drawn on its own as well.
		if i == 0 && unicode.IsMark(r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
			return hidden, 1
		}
		if unicode.IsControl(r) || unseen(r) || r == unicode.ReplacementChar {
			return hidden, 1
		}
	}
	w := ansi.StringWidth(c)
	if w < 1 || w > 2 {
		return hidden, 1
	}
	return c, w
}

// unseen reports runes that reorder text, take no room or only look like a blank, and those of
// private use, which stand for cells of pictures. The joiners stay: Clean shows them where they
// join nothing, but here the cursor has to reach every rune anyway.
func unseen(r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return false
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}

// regional reports whether a cluster begins with a regional indicator, half of a flag.
func regional(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return r >= 0x1F1E6 && r <= 0x1F1FF
}

// tidy makes inserted text fit for a field: one kind of line end, valid UTF-8, no
// control characters but line feeds and tabs; in a field of one line, blanks for those.
func tidy(s string, multi bool) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, hidden), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r', r == '\n':
			if !multi {
				return ' '
			}
			return '\n'
		case r == '\t':
			if !multi {
				return ' '
			}
			return r
		case unicode.IsControl(r):
			return -1
		default:
			return r
		}
	}, s)
}

// show is the visible form of a whole text in one line, and its width.
func show(s string) (string, int) {
	var (
		b strings.Builder
		w int
	)
	for _, c := range clusters(s) {
		if c == "\n" {
			c = " "
		}
		g, n := glyph(c)
		b.WriteString(g)
		w += n
	}
	return measured(b.String(), w)
}

// measured returns a text with its width on a screen: w, the sum of its clusters' widths, if each
// byte is a cell. Other texts are measured as a whole, which in rare cases differs from the sum.
func measured(s string, w int) (string, int) {
	if len(s) != w {
		w = ansi.StringWidth(s)
	}
	return s, w
}

// clip returns a text in at most w cells, with an ellipsis where it was cut, and its width.
func clip(s string, w int) (string, int) {
	if w <= 0 {
		return "", 0
	}
	t, n := show(s)
	if n <= w {
		return t, n
	}
	var (
		b   strings.Builder
		sum int
	)
	for _, c := range clusters(t) {
		_, k := glyph(c)
		if sum+k > w-1 {
			break
		}
		b.WriteString(c)
		sum += k
	}
	b.WriteString("…")
	return measured(b.String(), sum+1)
}

const blanks = "                                                                                                                                                                                                                                                                "

// pad returns n blanks.
func pad(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blanks) {
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}
