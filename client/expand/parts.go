package expand

import (
	"strings"
	"unicode"
)

// seq is a sequence of parts.
type seq []part

// part is literal, *group, *variable or *wildcard.
type part any

type literal string

// group is a set of alternatives, of which min to max are taken.
type group struct {
	src      *source
	at       int // byte of the brace
	options  []seq
	min, max int
	sep      string
}

type variable struct {
	src    *source
	at     int
	name   string
	value  seq // the default
	preset bool
	plain  string // the default as it is written
}

type wildcard struct {
	src  *source
	at   int
	name string
}

// variableName returns the variable name that a text begins with, "" if none.
func variableName(s string) string {
	for i, r := range s {
		ok := unicode.IsLetter(r) || i > 0 && (unicode.IsDigit(r) || r == '_' || r == '-')
		if !ok {
			return s[:i]
		}
	}
	return s
}

// wildcardName reports whether a wildcard file may have this name: letters, digits and, inside a
// name, - . and _, with folders separated by slashes. No such name leads out of a folder.
func wildcardName(name string) bool {
	if len(name) > maxName {
		return false
	}
	for folder := range strings.SplitSeq(name, "/") {
		if folder == "" || strings.HasSuffix(folder, "_") {
			return false
		}
		for i, r := range folder {
			ok := unicode.IsLetter(r) || unicode.IsDigit(r) || i > 0 && (r == '-' || r == '.' || r == '_')
			if !ok {
				return false
			}
		}
	}
	return true
}

// special returns the special token at the head of a text, "" if none.
func special(s string) string {
	for _, t := range []string{"{", "}", "|", "__", "${", "$$"} {
		if strings.HasPrefix(s, t) {
			return t
		}
	}
	return ""
}

// writer gathers parts and joins adjacent texts.
type writer struct {
	out seq
	now strings.Builder
}

func (w *writer) text(s string) { w.now.WriteString(s) }

func (w *writer) part(p part) {
	w.flush()
	w.out = append(w.out, p)
}

func (w *writer) seq(s seq) {
	for _, p := range s {
		if t, ok := p.(literal); ok {
			w.text(string(t))
			continue
		}
		w.part(p)
	}
}

func (w *writer) flush() {
	if w.now.Len() > 0 {
		w.out = append(w.out, literal(w.now.String()))
		w.now.Reset()
	}
}

func (w *writer) done() seq {
	w.flush()
	return w.out
}
