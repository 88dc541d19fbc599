package expand

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/client"
)

// Error is a mistake in a template, a wildcard file, a table or a preset, with its place. Line and
// Column count from one, columns in characters; both are zero if the place is unknown.
type Error struct {
	Name         string // "prompt", or of the file
	Line, Column int
	Message      string
}

// Error returns "name:line:column: message", fit to show.
func (e *Error) Error() string {
	s := client.CleanLine(e.Name)
	if e.Line > 0 {
		s += fmt.Sprintf(":%d", e.Line)
		if e.Column > 0 {
			s += fmt.Sprintf(":%d", e.Column)
		}
	}
	return s + ": " + e.Message
}

// source is a text with the name that errors give it.
type source struct{ name, text string }

// errorf makes an error at a byte offset of the text.
func (s *source) errorf(at int, format string, args ...any) *Error {
	e := &Error{Name: s.name, Message: fmt.Sprintf(format, args...)}
	head := s.text[:min(max(at, 0), len(s.text))]
	start := strings.LastIndexByte(head, '\n') + 1
	e.Line, e.Column = strings.Count(head, "\n")+1, utf8.RuneCountInString(head[start:])+1
	return e
}

// show shortens other people's text for an error.
func show(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return client.CleanLine(s)
}
