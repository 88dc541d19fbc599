package paint

import "strings"

// maxPen bounds the parameters that a pen collects beside its colours, in bytes: a line
// that changes its style without ever resetting it would otherwise cost the square of its
// length.
const maxPen = 256

// pen is how a cell is drawn, as SGR parameters. A colour takes the place of the one
// before it, so that a picture's line, which only ever sets colours, stays short.
type pen struct {
	fg, bg string // "38;2;1;2;3" or "31"; "" is the terminal's own colour
	rest   string // everything else that was set since the last reset, in its order
}

// quiet reports whether a space looks the same with and without the pen: it has no background, and
// beside its colour makes letters bold, faint or slanted at most.
func (p pen) quiet() bool {
	if p.bg != "" {
		return false
	}
	for rest := p.rest; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, ";")
		switch one {
		case "1", "2", "3", "22", "23":
		default:
			return false
		}
	}
	return true
}

// with returns the pen after the parameters of one more SGR sequence.
func (p pen) with(params string) pen {
	if params == "" {
		return pen{}
	}
	for more := true; more; {
		var one string
		one, params, more = parameter(params)
		switch layer(one) {
		case resets:
			p = pen{}
		case setsForeground:
			p.fg = one
		case setsBackground:
			p.bg = one
		case dropsForeground:
			p.fg = ""
		case dropsBackground:
			p.bg = ""
		case setsOther:
			p.rest = join(p.rest, one)
		}
	}
	return p
}

func join(rest, one string) string {
	switch {
	case rest == "" || rest == one:
		return one
	case len(rest)+len(one) > maxPen:
		return rest
	}
	return rest + ";" + one
}

// parameter takes the first parameter off, with the numbers that belong to it when it is
// an extended colour. One that lacks some of them ends the sequence.
func parameter(s string) (one, rest string, more bool) {
	head, after, more := strings.Cut(s, ";")
	if head != "38" && head != "48" && head != "58" {
		return head, after, more
	}
	numbers := 0
	switch kind, _, _ := strings.Cut(after, ";"); kind {
	case "5":
		numbers = 2
	case "2":
		numbers = 4
	}
	end := len(head)
	for range numbers {
		if end == len(s) {
			return head, "", false
		}
		if next := strings.IndexByte(s[end+1:], ';'); next >= 0 {
			end += 1 + next
		} else {
			end = len(s)
		}
	}
	switch {
	case numbers == 0:
		return head, "", false
	case end == len(s):
		return s, "", false
	}
	return s[:end], s[end+1:], true
}

// What a parameter sets.
const (
	setsNothing = iota
	setsOther
	resets
	setsForeground
	setsBackground
	dropsForeground
	dropsBackground
)

func layer(one string) int {
	n, i := 0, 0
	for ; i < len(one) && one[i] >= '0' && one[i] <= '9' && n < 1000; i++ {
		n = 10*n + int(one[i]-'0')
	}
	if i == len(one) {
		return plainLayer(n)
	}
	switch n { // with parts of its own: an extended colour, a curly underline
	case 38:
		return setsForeground
	case 48:
		return setsBackground
	}
	return setsOther
}

// plainLayer returns what a single number sets.
func plainLayer(n int) int {
	switch n {
	case 0:
		return resets
	case 38, 48, 58: // without its colour
		return setsNothing
	case 39:
		return dropsForeground
	case 49:
		return dropsBackground
	}
	switch colour := n%10 <= 7; {
	case colour && (n/10 == 3 || n/10 == 9):
		return setsForeground
	case colour && (n/10 == 4 || n/10 == 10):
		return setsBackground
	}
	return setsOther
}

// appendTo writes the sequence after which p is in force where was is.
func (p pen) appendTo(dst []byte, was pen) []byte {
	if p == was {
		return dst
	}
	if p == (pen{}) {
		return append(dst, "\x1b[m"...)
	}
	dst = append(dst, "\x1b["...)
	begin := len(dst)
	param := func(s string) {
		if len(dst) > begin {
			dst = append(dst, ';')
		}
		dst = append(dst, s...)
	}
	added, ok := p.restAfter(was)
	if !ok {
		param("0")
		added, was = p.rest, pen{}
	}
	if added != "" {
		param(added)
	}
	for _, c := range []struct{ now, was, none string }{{p.fg, was.fg, "39"}, {p.bg, was.bg, "49"}} {
		switch c.now {
		case c.was:
		case "":
			param(c.none)
		default:
			param(c.now)
		}
	}
	return append(dst, 'm')
}

// restAfter returns what has to be added to the rest of another pen, if adding is enough.
func (p pen) restAfter(was pen) (string, bool) {
	switch {
	case p.rest == was.rest:
		return "", true
	case was.rest == "":
		return p.rest, true
	}
	return strings.CutPrefix(p.rest, was.rest+";")
}
