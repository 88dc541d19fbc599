package text

import (
	"strings"
	"unicode/utf8"
)

// Cleaner is [Clean] for a text that comes in pieces: the joined results of Write and End are Clean
// of the joined pieces, however they were cut. What cannot be judged yet (half a character, a
// carriage return, a joiner) is held back until the next piece; that is never more than a few
// bytes. The zero value is ready. It is not safe for concurrent use.
type Cleaner struct {
	prev rune   // last rune that was returned
	held string // not yet returned
}

// Write takes a piece and returns what may be shown of it, preceded by what was held back.
func (c *Cleaner) Write(piece string) string {
	all := c.held + piece
	n := len(all) - undecided(all)
	c.held = all[n:]
	return c.out(all[:n])
}

// End returns what was held back, after the last piece; the Cleaner can then be reused.
func (c *Cleaner) End() string {
	rest := c.out(c.held)
	*c = Cleaner{}
	return rest
}

func (c *Cleaner) out(s string) string {
	s = cleanAfter(c.prev, s, true)
	if s != "" {
		c.prev, _ = utf8.DecodeLastRuneInString(s)
	}
	return s
}

// undecided is the length of the end of s whose meaning depends on the next piece: see replacement,
// which looks one rune ahead.
func undecided(s string) int {
	n := unfinished(s)
	head := s[:len(s)-n]
	for _, last := range []string{"\r", string(rune(zwj)), string(rune(vs16))} {
		if strings.HasSuffix(head, last) {
			return n + len(last)
		}
	}
	return n
}

// unfinished is the length of an incomplete character at the end of s.
func unfinished(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		tail := s[len(s)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
