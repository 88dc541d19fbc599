package jsonview

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"darkroom/client/text"
)

// Parse makes a document of a body; see [Render]. It never fails: a body that is not JSON, or
// breaks off, becomes lines of text.
func Parse(body []byte, clean func(string) string) Doc { return parse(body, clean, maxString) }

// parse is Parse with a limit in characters on strings written by people.
func parse(body []byte, clean func(string) string, prose int) Doc {
	read := body
	if len(read) > maxInput {
		read = read[:maxInput]
	}
	p := parser{src: read, clean: clean, prose: prose, cur: line{place: place{parent: -1}}}
	err := p.document()
	switch {
	case err == nil && p.at == len(read) && len(read) == len(body):
		return Doc{lines: p.lines, src: body, JSON: true}
	case errors.Is(err, errFull), errors.Is(err, errEnd) && len(read) < len(body):
		p.flush()
		p.lines = append(p.lines, rest(len(body)-p.at))
		return Doc{lines: p.lines, src: body, JSON: true, Cut: true}
	default:
		return textDoc(body, clean)
	}
}

func rest(n int) line {
	return line{pieces: []piece{{note, fmt.Sprintf("… %d more bytes", n)}}, place: place{parent: -1}}
}

var (
	errSyntax = errors.New("no JSON")
	errEnd    = errors.New("ends early")
	errFull   = errors.New("too many lines")
)

// parser walks the source once and makes lines as it goes.
type parser struct {
	src   []byte
	at    int
	clean func(string) string
	prose int // limit in characters on strings written by people
	lines []line
	cur   line
}

func (p *parser) add(k kind, s string) { p.cur.pieces = append(p.cur.pieces, piece{k, s}) }

// flush ends the line being made.
func (p *parser) flush() {
	if len(p.cur.pieces) > 0 {
		p.lines = append(p.lines, p.cur)
		p.cur = line{depth: p.cur.depth, place: place{parent: p.cur.parent}}
	}
}

func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek is the next byte that is no white space.
func (p *parser) peek() (byte, error) {
	p.space()
	if p.at >= len(p.src) {
		return 0, errEnd
	}
	return p.src[p.at], nil
}

// level is an object or array that is open.
type level struct {
	close byte
	line  int // index of the line that opened it
	n     int // items so far
}

// document reads one value with everything in it. It keeps its own stack: depth costs no more than
// memory.
func (p *parser) document() error {
	var open []level
	for {
		c, err := p.peek()
		if err != nil {
			return err
		}
		opened := false
		if c == '{' || c == '[' {
			if opened, err = p.open(c, &open); err != nil {
				return err
			}
		} else if err = p.scalar(c); err != nil {
			return err
		}
		if !opened {
			if done, err := p.after(&open); done || err != nil {
				return err
			}
		}
		if len(open) > 0 && open[len(open)-1].close == '}' {
			if err := p.key(); err != nil {
				return err
			}
		}
	}
}

// open begins an object or array; an empty one is read completely, and not opened.
func (p *parser) open(c byte, open *[]level) (bool, error) {
	end := byte('}')
	if c == '[' {
		end = ']'
	}
	p.cur.at = p.at
	p.at++
	next, err := p.peek()
	if err != nil {
		p.add(punct, string(c))
		return false, err
	}
	if next == end {
		p.at++
		p.add(punct, string(c)+string(end))
		p.cur.to = p.at
		return false, nil
	}
	if len(*open) >= maxDepth {
		return false, errSyntax
	}
	p.add(punct, string(c))
	p.cur.to = -1 // until it is closed
	*open = append(*open, level{close: end, line: len(p.lines)})
	p.flush()
	p.cur.depth, p.cur.parent = len(*open), len(p.lines)-1
	return true, p.full()
}

func (p *parser) full() error {
	if len(p.lines) >= maxLines {
		return errFull
	}
	return nil
}

// after reads what follows a value: a comma, or the ends of open objects and arrays. It reports
// whether the document is done.
func (p *parser) after(open *[]level) (bool, error) {
	for len(*open) > 0 {
		top := (*open)[len(*open)-1]
		c, err := p.peek()
		if err != nil {
			return false, err
		}
		switch c {
		case ',':
			p.at++
			p.add(punct, ",")
			p.flush()
			(*open)[len(*open)-1].n++
			p.cur.parent, p.cur.item = top.line, top.n+1
			return false, p.full()
		case top.close:
			p.at++
			p.flush()
			*open = (*open)[:len(*open)-1]
			opener := &p.lines[top.line]
			opener.end, opener.to = len(p.lines), p.at
			p.cur.depth, p.cur.place = len(*open), opener.place
			p.cur.opener = top.line + 1
			p.add(punct, string(c))
		default:
			return false, errSyntax
		}
	}
	p.flush()
	p.space()
	if p.at < len(p.src) {
		return true, errSyntax
	}
	return true, nil
}

func (p *parser) key() error {
	c, err := p.peek()
	if err != nil {
		return err
	}
	if c != '"' {
		return errSyntax
	}
	p.cur.nameAt = p.at
	s, err := p.string()
	if err != nil {
		return err
	}
	p.cur.nameTo = p.at
	p.add(keyName, s)
	if c, err = p.peek(); err != nil {
		return err
	}
	if c != ':' {
		return errSyntax
	}
	p.at++
	p.add(punct, ": ")
	return nil
}

// scalar reads a string, a number or a word.
func (p *parser) scalar(c byte) error {
	p.cur.at = p.at
	if c == '"' {
		s, err := p.string()
		if err != nil {
			return err
		}
		p.cur.to = p.at
		p.add(str, s)
		return nil
	}
	start := p.at
	for p.at < len(p.src) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(p.src[p.at])) {
		p.at++
	}
	p.cur.to = p.at
	raw := p.src[start:p.at]
	switch s := string(raw); {
	case s == "true" || s == "false" || s == "null":
		p.add(word, s)
	case (c == '-' || c >= '0' && c <= '9') && json.Valid(raw):
		p.add(num, text.Clip(s, maxString))
	case p.at == len(p.src):
		return errEnd
	default:
		return errSyntax
	}
	return nil
}

// string reads a string and returns it as shown: decoded, cleaned, cut, and quoted again.
func (p *parser) string() (string, error) {
	start := p.at
	for i := start + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '"':
			p.at = i + 1
			return p.show(p.src[start:p.at])
		case c < 0x20:
			return "", errSyntax
		}
	}
	return "", errEnd
}
