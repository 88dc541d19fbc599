package chat

import (
	"strings"
	"unicode/utf8"
)

// maxPiece bounds a piece of a text, in bytes: a line that is longer is laid out in
// pieces, so that one that grows does not have to be laid out anew from its beginning.
const maxPiece = 4 << 10

// kind is the kind of a piece of a text.
type kind uint8

const (
	prose kind = iota
	more       // of a line whose beginning is the piece before
	fenceOpen
	code
	fenceClose
)

// piece is a line of a text, or a part of a long one; lines are how it is laid out, nil
// as long as nobody has looked.
type piece struct {
	kind     kind
	from, to int // in the text, without the line's end
	lines    []string
}

// source is a text in pieces. It grows with its text, and lays nothing out by itself.
type source struct {
	text   string
	marks  bool // Markdown, else as it is
	quiet  bool // in the background
	pieces []piece
	// The last piece may have an unfinished line: what it was scanned from.
	begin int    // where it begins, where scanning goes on
	fence string // the fence that is open there, "" for none
	cont  bool   // it goes on with a line that was cut
	open  bool   // there is such a piece
}

// set sets the current text. If the text only grew, the cost is that of the new part.
func (s *source) set(text string) {
	if len(text) == len(s.text) && text == s.text {
		return
	}
	if s.open {
		s.pieces = s.pieces[:len(s.pieces)-1]
		s.open = false
	}
	if !strings.HasPrefix(text, s.text) {
		s.pieces, s.begin, s.fence, s.cont = nil, 0, "", false
	}
	s.text = text
	for s.begin < len(text) {
		rest := text[s.begin:]
		n := strings.IndexByte(rest, '\n')
		switch {
		case n < 0 && len(rest) <= maxPiece:
			s.add(len(text), false)
			s.open = true
			return
		case n < 0 || n > maxPiece:
			s.long(rest)
		default:
			s.add(s.begin+n, true)
			s.begin += n + 1
			s.cont = false
		}
	}
}

// long takes the first part of a line that is too long for one piece: up to a blank, or
// up to a character.
func (s *source) long(rest string) {
	n := strings.LastIndexByte(rest[:maxPiece], ' ') + 1
	if n < maxPiece/2 {
		for n = maxPiece; n > maxPiece-utf8.UTFMax && !utf8.RuneStart(rest[n]); {
			n--
		}
	}
	s.add(s.begin+n, false)
	s.begin += n
	s.cont = true
}

// add adds the piece from the current place of scanning up to another. Only a complete line opens
// or closes a fence for those after it.
func (s *source) add(to int, whole bool) {
	p := piece{from: s.begin, to: to}
	if to > p.from && s.text[to-1] == '\r' {
		p.to--
	}
	line := s.text[p.from:p.to]
	switch {
	case !s.marks:
	case s.fence != "":
		p.kind = code
		if !s.cont && closes(line, s.fence) {
			p.kind = fenceClose
			if whole {
				s.fence = ""
			}
		}
	case !s.cont:
		if f := opens(line); f != "" {
			p.kind = fenceOpen
			if whole {
				s.fence = f
			}
		}
	}
	if s.cont && p.kind == prose {
		p.kind = more
	}
	s.pieces = append(s.pieces, p)
}

// opens is the code fence that a line opens, such as "```"; "" when it opens none.
func opens(line string) string {
	f := ticks(strings.TrimLeft(line, " \t"))
	if len(f) < 3 || f[0] == '`' && strings.Contains(strings.TrimLeft(line, " \t")[len(f):], "`") {
		return ""
	}
	return f
}

// closes reports whether a line closes a fence.
func closes(line, fence string) bool {
	line = strings.TrimSpace(line)
	f := ticks(line)
	return len(f) >= len(fence) && f[0] == fence[0] && len(f) == len(line)
}

// ticks is the run of backticks or tildes that a line begins with.
func ticks(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
}

// language is what a fence says about its code.
func language(line string) string {
	line = strings.TrimSpace(line)
	return strings.TrimSpace(line[len(ticks(line)):])
}

// codes are the blocks of code in a text, without their fences.
func codes(text string) []string {
	s := source{marks: true}
	s.set(text)
	var out []string
	for i := range s.pieces {
		if s.pieces[i].kind == fenceOpen {
			out = append(out, s.codeAt(i))
		}
	}
	return out
}

// codeAt is the code behind the fence that is the i-th piece.
func (s *source) codeAt(i int) string {
	var b strings.Builder
	for i++; i < len(s.pieces); i++ {
		p := &s.pieces[i]
		if p.kind != code {
			break
		}
		b.WriteString(s.text[p.from:p.to])
		if p.to < len(s.text) && (s.text[p.to] == '\n' || s.text[p.to] == '\r') {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
