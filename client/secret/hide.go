// Package secret recognises keys, and takes them out of what is shown and kept: the sent key out of
// answers that echo it, credentials out of headers and addresses. It imports no other package of
// ours.
package secret

import (
	"bytes"
	"html"
	"strconv"
	"strings"
)

// shown is what stands for a key.
const shown = "<key>"

// minHidden is the length from which a key is searched for: shorter ones would match by chance.
const minHidden = 8

// Hide removes an echoed key from an answer, in any encoding, so that it reaches neither the
// history nor a screen. It returns b itself when there is none.
func Hide(b []byte, key string) []byte {
	if len(key) < minHidden {
		return b
	}
	if bytes.Contains(b, []byte(key)) {
		b = bytes.ReplaceAll(b, []byte(key), []byte(shown))
	}
	if !bytes.ContainsAny(b, `\%&`) {
		return b
	}
	var out []byte
	from := 0
	for i := 0; i < len(b); i++ {
		if c := b[i]; c != key[0] && c != '\\' && c != '%' && c != '&' {
			continue
		}
		if n := echoed(b[i:], key); n > 0 {
			out = append(append(out, b[from:i]...), shown...)
			from = i + n
			i = from - 1
		}
	}
	if out == nil {
		return b
	}
	return append(out, b[from:]...)
}

// echoed is the length of the key at the start of b, 0 for none: each of its characters as it is,
// or as JSON, an address, HTML or a program escapes it.
func echoed(b []byte, key string) int {
	n := 0
	for i := range len(key) {
		width := written(b[n:], key[i])
		if width == 0 {
			return 0
		}
		n += width
	}
	return n
}

// maxBackslashes bounds the backslashes before a character, as JSON that is nested in JSON a few
// times has them.
const maxBackslashes = 16

// written is the width of the character c at the start of b, in any encoding; 0 for another one.
func written(b []byte, c byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] == '\\' {
		if n := backslashed(b, c); n > 0 {
			return n
		}
	}
	switch {
	case bytes.HasPrefix(b, []byte("%25")) && hexByte(b[3:], 2, c):
		return len("%2500")
	case b[0] == '%' && hexByte(b[1:], 2, c):
		return len("%00")
	case b[0] == '&':
		if n := entity(b, c); n > 0 {
			return n
		}
	}
	if b[0] == c {
		return 1
	}
	return 0
}

// backslashed reads a character behind backslashes.
func backslashed(b []byte, c byte) int {
	n := 0
	for n < len(b) && n < maxBackslashes && b[n] == '\\' {
		n++
	}
	rest := b[n:]
	if len(rest) > 0 {
		switch rest[0] {
		case 'u':
			if hexByte(rest[1:], 4, c) {
				return n + 5
			}
			if end := bytes.IndexByte(rest[:min(len(rest), 12)], '}'); end > 2 && rest[1] == '{' && hexByte(rest[2:], end-2, c) {
				return n + end + 1
			}
		case 'U':
			if hexByte(rest[1:], 8, c) {
				return n + 9
			}
		case 'x':
			if hexByte(rest[1:], 2, c) {
				return n + 3
			}
		}
		if v, err := strconv.ParseUint(string(rest[:min(len(rest), 3)]), 8, 8); err == nil && len(rest) >= 3 && byte(v) == c {
			return n + 3
		}
		if rest[0] == c && c != '\\' {
			return n + 1
		}
	}
	if c == '\\' { // one, or one that is escaped
		return min(n, 2)
	}
	return 0
}

// hexByte reports whether b begins with a character as so many hexadecimal digits.
func hexByte(b []byte, digits int, c byte) bool {
	if len(b) < digits {
		return false
	}
	got, err := strconv.ParseUint(string(b[:digits]), 16, 32)
	return err == nil && got == uint64(c)
}

// entity reads a character as HTML writes it.
func entity(b []byte, c byte) int {
	end := bytes.IndexByte(b[:min(len(b), 12)], ';')
	if end < 2 {
		return 0
	}
	if text := string(b[:end+1]); html.UnescapeString(text) == string(rune(c)) && !strings.ContainsAny(text[1:], "&") {
		return end + 1
	}
	return 0
}
