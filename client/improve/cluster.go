package improve

import (
	"unicode"
	"unicode/utf8"
)

const joiner = '\u200d'

// cluster returns the length in bytes of the first character of a text as a person sees it (a
// grapheme cluster): a base with its marks, an emoji with its modifiers and joined emoji, a flag, a
// syllable of conjoining jamo, CR LF. It is at least one byte unless the text is empty.
func cluster(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case n == 0:
		return 0
	case r == '\r' && len(s) > 1 && s[1] == '\n':
		return 2
	case r < ' ':
		return n
	case regional(r):
		if next, m := utf8.DecodeRuneInString(s[n:]); regional(next) {
			n += m
		}
	}
	for last := r; n < len(s); {
		next, m := utf8.DecodeRuneInString(s[n:])
		switch {
		case unicode.IsMark(next), next == joiner, next >= 0x1F3FB && next <= 0x1F3FF, next >= 0xE0020 && next <= 0xE007F:
		case last == joiner && !unicode.IsSpace(next) && next >= 0x2000: // what is joined is a symbol
		case conjoins(last, next):
		default:
			return n
		}
		n += m
		last = next
	}
	return n
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// conjoins reports whether two jamo make one syllable.
func conjoins(a, b rune) bool {
	lead := a >= 0x1100 && a <= 0x115F
	vowel := a >= 0x1160 && a <= 0x11A7 || a >= 0xAC00 && a <= 0xD7A3
	tail := a >= 0x11A8 && a <= 0x11FF
	switch {
	case b >= 0x1100 && b <= 0x115F:
		return lead
	case b >= 0x1160 && b <= 0x11A7:
		return lead || a >= 0x1160 && a <= 0x11A7 || a >= 0xAC00 && a <= 0xD7A3 && (a-0xAC00)%28 == 0
	case b >= 0x11A8 && b <= 0x11FF:
		return vowel || tail
	default:
		return false
	}
}

// dense reports whether a rune belongs to a script without blanks between words: its texts are
// compared character by character.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// tokens splits a text into words, runs of blanks, line ends, and single characters for everything
// else. Joined, they are the text.
func tokens(s string) []string {
	var out []string
	for len(s) > 0 {
		n := cluster(s)
		r, _ := utf8.DecodeRuneInString(s)
		switch {
		case wordy(r):
			for n < len(s) {
				next, _ := utf8.DecodeRuneInString(s[n:])
				if !wordy(next) && !within(s, n) {
					break
				}
				n += cluster(s[n:])
			}
		case blank(r):
			for n < len(s) {
				if next, _ := utf8.DecodeRuneInString(s[n:]); !blank(next) {
					break
				}
				n += cluster(s[n:])
			}
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func wordy(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') && !dense(r)
}

func blank(r rune) bool { return unicode.IsSpace(r) && r != '\n' && r != '\r' }

// within reports whether a sign at n stands between two letters of one word: don't, 16:9,
// 2.5, sun-lit.
func within(s string, n int) bool {
	switch s[n] {
	case '\'', '-', '.', ':':
	default:
		if r, _ := utf8.DecodeRuneInString(s[n:]); r != '’' {
			return false
		}
	}
	next, _ := utf8.DecodeRuneInString(s[n+cluster(s[n:]):])
	return next != utf8.RuneError && wordy(next)
}
