package expand

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of one text.
const (
	// maxText bounds a template and what it expands to, in bytes.
	maxText = 1 << 20
	// maxParts bounds the alternatives, variables and wildcards of a text.
	maxParts = 10_000
	maxDepth = 200
	maxName  = 100
	maxNotes = 5 // that are kept of one text
)

// Template is a parsed prompt. It is immutable and safe for concurrent use.
type Template struct {
	src   *source
	root  seq
	parts int
	notes []string // likely slips that the grammar allows, each with its place
}

// Parse parses a template. An error is an [*Error] that names the line and the column.
func Parse(prompt string) (*Template, error) {
	return parseSource(&source{"prompt", prompt})
}

func parseSource(src *source) (*Template, error) {
	t := &Template{src: src}
	p := &parser{src: src, end: len(src.text)}
	switch {
	case len(src.text) > maxText:
		return nil, &Error{Name: src.name, Message: "the text has " + strconv.Itoa(len(src.text)) + " bytes; at most " + strconv.Itoa(maxText) + " are read"}
	case !utf8.ValidString(src.text):
		return nil, src.errorf(firstInvalid(src.text), "the text is not UTF-8")
	}
	root, err := p.all()
	if err != nil {
		return nil, err
	}
	t.root, t.parts, t.notes = root, p.parts, p.notes
	return t, nil
}

func firstInvalid(s string) int {
	for i, r := range s {
		if _, n := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n == 1 {
			return i
		}
	}
	return len(s)
}

// Plain reports whether the template has nothing that varies or needs a value. Its only prompt is
// then the text itself, byte for byte except for escapes.
func (t *Template) Plain() bool { return t.parts == 0 }

// parser reads the bytes [i, end) of a source.
type parser struct {
	src    *source
	i, end int
	depth  int
	parts  int
	notes  []string
}

func (p *parser) rest() string { return p.src.text[p.i:p.end] }

// all reads to the end; a closing brace or a bar that closes nothing is text.
func (p *parser) all() (seq, error) {
	return p.seq("")
}

// seq reads up to one of the bytes in stop, which it leaves, or to the end.
func (p *parser) seq(stop string) (seq, error) {
	var out writer
	for p.i < p.end {
		c := p.src.text[p.i]
		switch {
		case strings.IndexByte(stop, c) >= 0:
			return out.done(), nil
		case c == '\\':
			out.text(p.escape())
			continue
		case c == '{':
			if err := p.group(&out); err != nil {
				return nil, err
			}
			continue
		case c == '$':
			ok, err := p.variable(&out)
			if err != nil {
				return nil, err
			}
			if ok {
				continue
			}
		case c == '_':
			ok, err := p.wildcard(&out)
			if err != nil {
				return nil, err
			}
			if ok {
				continue
			}
		}
		_, n := utf8.DecodeRuneInString(p.rest())
		out.text(p.src.text[p.i : p.i+n])
		p.i += n
	}
	return out.done(), nil
}

// escape reads a run of backslashes. Before a special character, each pair stands for one backslash
// and an odd one makes the character literal; elsewhere they are text.
func (p *parser) escape() string {
	n := 0
	for p.i+n < p.end && p.src.text[p.i+n] == '\\' {
		n++
	}
	p.i += n
	token := special(p.rest())
	if token == "" {
		return strings.Repeat(`\`, n)
	}
	if n%2 == 0 {
		return strings.Repeat(`\`, n/2)
	}
	p.i += len(token)
	return strings.Repeat(`\`, n/2) + token
}

// count counts one more part, and refuses too many.
func (p *parser) count(at int) error {
	if p.parts++; p.parts > maxParts {
		return p.src.errorf(at, "more than %d alternatives, variables and wildcards", maxParts)
	}
	return nil
}

// deeper enters a level of nesting.
func (p *parser) deeper(at int) error {
	if p.depth++; p.depth > maxDepth {
		return p.src.errorf(at, "braces are nested deeper than %d", maxDepth)
	}
	return nil
}

// group reads a text that begins with a brace: alternatives, or plain text if there is no bar.
func (p *parser) group(out *writer) error {
	g := &group{src: p.src, at: p.i, min: 1, max: 1}
	if err := p.deeper(g.at); err != nil {
		return err
	}
	defer func() { p.depth-- }()
	p.i++
	picks, err := p.picks(g)
	if err != nil {
		return err
	}
	for {
		s, err := p.seq("|}")
		if err != nil {
			return err
		}
		g.options = append(g.options, s)
		if p.parts+len(g.options) > maxParts {
			return p.src.errorf(g.at, "more than %d alternatives, variables and wildcards", maxParts)
		}
		open := p.i >= p.end
		switch {
		case open && (picks || len(g.options) > 1):
			return p.src.errorf(g.at, `the alternatives that begin here are not closed: "}" is missing; \{ is a brace`)
		case open: // a brace alone is text
			if len(p.notes) < maxNotes {
				p.notes = append(p.notes, p.src.errorf(g.at, "a brace that nothing closes is text").Error())
			}
			out.text("{")
			out.seq(s)
			return nil
		}
		p.i++
		if p.src.text[p.i-1] == '|' {
			continue
		}
		if !picks && len(g.options) == 1 {
			out.text("{")
			out.seq(s)
			out.text("}")
			return nil
		}
		p.parts += len(g.options) - 1
		out.part(g)
		return p.count(g.at)
	}
}

// picks reads "2$$", "1-2$$" or "2$$ and $$" at the head of alternatives.
func (p *parser) picks(g *group) (bool, error) {
	s := p.rest()
	digits := func() (int, bool) {
		n := 0
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		v, err := strconv.Atoi(s[:n])
		s = s[n:]
		return v, err == nil
	}
	low, ok := digits()
	if !ok {
		return false, nil
	}
	high := low
	if strings.HasPrefix(s, "-") {
		s = s[1:]
		if high, ok = digits(); !ok {
			return false, nil
		}
	}
	if !strings.HasPrefix(s, "$$") {
		return false, nil
	}
	s = s[2:]
	if low < 1 || high < low {
		return false, p.src.errorf(p.i, "%d-%d cannot be taken: at least 1, and the smaller number first", low, high)
	}
	g.min, g.max, g.sep = low, high, ", "
	if sep, after, ok := strings.Cut(s, "$$"); ok && !strings.ContainsAny(sep, `{|}\`) {
		g.sep, s = sep, after
	}
	p.i = p.end - len(s)
	return true, nil
}

// variable reads ${name} or ${name:default}; anything else behind a dollar is text.
func (p *parser) variable(out *writer) (bool, error) {
	s := p.rest()
	if !strings.HasPrefix(s, "${") {
		return false, nil
	}
	name := variableName(s[2:])
	after := s[2+len(name):]
	if name == "" || after == "" || after[0] != '}' && after[0] != ':' {
		return false, nil
	}
	v := &variable{src: p.src, at: p.i, name: name}
	if err := p.count(v.at); err != nil {
		return false, err
	}
	p.i += 2 + len(name) + 1
	if after[0] == ':' {
		if err := p.deeper(v.at); err != nil {
			return false, err
		}
		from := p.i
		value, err := p.seq("}")
		if err != nil {
			return false, err
		}
		p.depth--
		if p.i >= p.end {
			return false, p.src.errorf(v.at, `the variable that begins here is not closed: "}" is missing; \${ is the text`)
		}
		v.value, v.preset, v.plain = value, true, p.src.text[from:p.i]
		p.i++
	}
	out.part(v)
	return true, nil
}

// wildcard reads __name__; other underscores are text.
func (p *parser) wildcard(out *writer) (bool, error) {
	s := p.rest()
	if !strings.HasPrefix(s, "__") {
		return false, nil
	}
	name, _, ok := strings.Cut(s[2:], "__")
	if !ok || !wildcardName(name) {
		return false, nil
	}
	if err := p.count(p.i); err != nil {
		return false, err
	}
	out.part(&wildcard{p.src, p.i, name})
	p.i += 2 + len(name) + 2
	return true, nil
}
