// Package text makes other people's texts fit to be shown and kept: clean, and not too long. It
// imports no other package of ours.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Clean makes hostile text safe to show: control sequences, C0/C1 controls (except line feed and
// tab), bidi controls, zero-width and tag characters and invalid UTF-8 are replaced by visible
// forms; joiners stay only inside emoji sequences, and a keycap loses its selector. It is
// idempotent, and returns s itself when there is nothing to do.
func Clean(s string) string { return cleanAfter(0, s, true) }

// CleanLine is Clean for one line: line feeds and tabs become single blanks.
func CleanLine(s string) string { return cleanAfter(0, s, false) }

// cleanAfter cleans a text that continues after prev, the last rune already written; 0 for none. It
// walks s once and copies nothing before the first rune that has to change. Its output is itself
// clean, so it is idempotent.
func cleanAfter(prev rune, s string, multiline bool) string {
	if plainASCII(s, multiline) {
		return s
	}
	var (
		out   strings.Builder
		from  int  // start of the part of s that is not yet copied
		dirty bool // something was replaced
	)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		repl, keep := replacement(s[i:], r, n, prev, multiline)
		if keep {
			prev = r
			i += n
			continue
		}
		if r == '\r' && strings.HasPrefix(s[i+n:], "\n") {
			n++ // a CRLF is one line end
		}
		dirty = true
		out.WriteString(s[from:i])
		out.WriteString(repl)
		if repl != "" {
			prev, _ = utf8.DecodeLastRuneInString(repl)
		}
		i += n
		from = i
	}
	if !dirty {
		return s
	}
	out.WriteString(s[from:])
	return out.String()
}

// plainASCII is the fast path: printable ASCII and, where allowed, LF and tab.
func plainASCII(s string, multiline bool) bool {
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b >= 0x20 && b < 0x7f {
			continue
		}
		if multiline && (b == '\n' || b == '\t') {
			continue
		}
		return false
	}
	return true
}

// replacement says whether the rune at the start of rest stays, else what replaces it.
func replacement(rest string, r rune, n int, prev rune, multiline bool) (string, bool) {
	switch {
	case r == utf8.RuneError && n <= 1:
		return fmt.Sprintf("<x%02X>", rest[0]), false
	case r == '\n' || r == '\t':
		if multiline {
			return "", true
		}
		return " ", false
	case r == '\r' && strings.HasPrefix(rest[1:], "\n"):
		if multiline {
			return "\n", false
		}
		return " ", false
	case r < 0x20:
		return string(rune(0x2400) + r), false // the control pictures, as ␛
	case r == 0x7f:
		return "␡", false
	case r == zwj:
		next, _ := utf8.DecodeRuneInString(rest[n:])
		return codePoint(r), joinable(prev) && pictographic(next)
	case r == vs16 && keycapBase(prev) && strings.HasPrefix(rest[n:], keycap):
		// A keycap without its selector is the same, and the one form whose width
		// terminals and libraries agree about.
		return "", false
	case r == vs15 || r == vs16:
		return codePoint(r), pictographic(prev)
	case hidden(r):
		return codePoint(r), false
	default:
		return "", true
	}
}

const (
	zwj  = '\u200d'
	vs15 = '\ufe0e' // text presentation
	vs16 = '\ufe0f' // emoji presentation

	keycap = "\u20e3" // encloses the character before it
)

func codePoint(r rune) string { return fmt.Sprintf("<U+%04X>", r) }

// hidden reports runes that steer a terminal, reorder text, take no width, look like a blank, or
// have a meaning of their own for the painter (private use stands for picture cells).
func hidden(r rune) bool {
	switch {
	case r < 0xa0:
		return r >= 0x80 // C1
	case r == 0xad, r == 0x34f: // soft hyphen, combining grapheme joiner
		return true
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers
		return true
	case r == 0x17b4, r == 0x17b5: // Khmer inherent vowels
		return true
	case r == 0x2028, r == 0x2029, r == 0x2800: // separators, the blank braille cell
		return true
	case r >= 0x180b && r <= 0x180f: // Mongolian selectors
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff: // selectors, tags
		return true
	case r >= 0x2060 && r <= 0x206f: // word joiner, invisible operators, isolates
		return true
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe: // noncharacters
		return true
	default:
		return unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Cc)
	}
}

// pictographic is close enough to Extended_Pictographic for what joiners may join: a
// rune outside an emoji block keeps no joiner.
func pictographic(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff:
		return true
	case r >= 0x2600 && r <= 0x27bf, r >= 0x2300 && r <= 0x23ff, r >= 0x2b00 && r <= 0x2bff:
		return true
	case r >= 0x2190 && r <= 0x21ff, r >= 0x25a0 && r <= 0x25ff:
		return true
	case r == 0xa9, r == 0xae, r == 0x203c, r == 0x2049, r == 0x2122, r == 0x2139:
		return true
	case r == 0x3030, r == 0x303d, r == 0x3297, r == 0x3299, r == 0x2934, r == 0x2935:
		return true
	default:
		return false
	}
}

func joinable(prev rune) bool { return pictographic(prev) || prev == vs16 }

func keycapBase(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// CleanJSON makes JSON safe to show and to keep without changing its meaning: every rune that
// [Clean] would replace becomes its \u escape, since such a rune can only stand in strings. Invalid
// UTF-8 becomes U+FFFD, as any decoder reads it. It returns b itself when there is nothing to do.
func CleanJSON(b []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(b); {
		if b[i] >= 0x20 && b[i] < 0x7f || b[i] == '\n' || b[i] == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r != 0x7f && r >= 0x20 && (r != utf8.RuneError || n > 1) && r != zwj && !hidden(r) {
			i += n
			continue
		}
		out = append(out, b[from:i]...)
		if r == '\r' { // between values, where it is a blank, and nowhere else
			out = append(out, ' ')
		} else {
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, "\\u%04x", u)
			}
		}
		i += n
		from = i
	}
	if out == nil {
		return b
	}
	return append(out, b[from:]...)
}
