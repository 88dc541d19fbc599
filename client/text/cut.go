package text

import (
	"strings"
	"unicode/utf8"
)

// Clip cuts a text to at most so many characters; a longer one ends in an ellipsis.
func Clip(s string, most int) string {
	n, cut := 0, 0 // where the last character that stays ends; the text may be very long
	for i := range s {
		if n == most-1 {
			cut = i
		}
		if n++; n > most {
			return s[:cut] + "…"
		}
	}
	return s
}

// Cap cuts a text to at most so many bytes, followed by an ellipsis where there was more. No
// character is cut in two.
func Cap(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:most]
	for len(s) > 0 && !utf8.ValidString(s[max(0, len(s)-utf8.UTFMax):]) && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return strings.ToValidUTF8(s, "") + "…"
}

// Head is the beginning of a text, at most so many bytes long, with no character cut in two.
func Head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
