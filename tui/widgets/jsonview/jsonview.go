// Package jsonview shows JSON of unknown origin: indented and coloured, in the order and with the
// digits of the source, bounded in every direction. A body that is not JSON is shown as text.
package jsonview

import (
	"strings"

	"darkroom/themes"
	"darkroom/tui/widgets"
)

// Bounds on the output.
const (
	maxInput  = 4 << 20 // bytes that are read
	maxLines  = 20_000  // lines that are made
	maxString = 400     // characters of a number, or of a string value
	maxProse  = 8_000   // characters of a string that somebody wrote, where it is wrapped
	maxIndent = 40      // levels that are still indented
	maxDepth  = 10_000  // levels that are read at all, as encoding/json
	maxText   = 2_000   // characters of a line that is not JSON
)

// Render draws a body as coloured lines. Clean makes hostile text safe to show (as client.Clean
// does) and is applied to every text first; it must not be nil.
func Render(st *themes.Styles, body []byte, clean func(string) string) []string {
	return Parse(body, clean).Lines(st, nil)
}

// RenderIn is [Render] for a width: wider lines are wrapped, and texts written by people, such as
// prompts, are shown at length.
func RenderIn(st *themes.Styles, body []byte, clean func(string) string, w int) []string {
	var out []string
	sign := widgets.NewInk(st.Faint)
	for _, l := range parse(body, clean, maxProse).Lines(st, nil) {
		out = append(out, widgets.Hang(l, w, sign)...)
	}
	return out
}

// Doc is a body parsed once and drawn again and again, as with branches folded.
type Doc struct {
	lines []line
	src   []byte
	// JSON says that the body is JSON, as far as it was read.
	JSON bool
	// Cut says that the body is not shown completely.
	Cut bool
}

// Kind is what a piece of a line is.
type kind uint8

const (
	punct kind = iota
	keyName
	str
	num
	word
	note
	plain
)

type piece struct {
	kind kind
	text string
}

type line struct {
	depth  int
	pieces []piece
	// end is the index of the line that closes what this line opens, 0 for none.
	end int
	place
}

// place is where the value of a line stands, in the source and in the document.
type place struct {
	at, to         int // the value's bytes; to is -1 for one that was not read to its end
	nameAt, nameTo int // those of the name that it has in an object
	parent         int // the line of the object or list that it is in, -1 for none
	item           int // its place in a list
	opener         int // of a line that closes: one more than the line that opens, else 0
}

// Len is the number of lines with nothing folded.
func (d Doc) Len() int { return len(d.lines) }

// Lines draws the document. The branches that begin at the lines in folded are one
// line each.
func (d Doc) Lines(st *themes.Styles, folded map[int]bool) []string {
	p := newPens(st)
	out := make([]string, 0, len(d.lines))
	for i := 0; i < len(d.lines); i++ {
		l := d.lines[i]
		var b strings.Builder
		b.WriteString(strings.Repeat("  ", min(l.depth, maxIndent)))
		for _, x := range l.pieces {
			b.WriteString(p.ink(x.kind).Text(x.text))
		}
		if folded[i] && l.end > i {
			b.WriteString(p.note.Text(" … "))
			for _, x := range d.lines[l.end].pieces {
				b.WriteString(p.ink(x.kind).Text(x.text))
			}
			i = l.end
		}
		out = append(out, b.String())
	}
	return out
}

// Index maps a line as drawn with folded branches to the line of the document.
func (d Doc) Index(shown int, folded map[int]bool) int {
	for i := 0; i < len(d.lines); i++ {
		if shown == 0 {
			return i
		}
		shown--
		if folded[i] && d.lines[i].end > i {
			i = d.lines[i].end
		}
	}
	return len(d.lines) - 1
}

type pens struct{ punct, key, str, num, word, note widgets.Ink }

func newPens(st *themes.Styles) pens {
	return pens{
		punct: widgets.NewInk(st.JSONPunct), key: widgets.NewInk(st.JSONKey),
		str: widgets.NewInk(st.JSONString), num: widgets.NewInk(st.JSONNumber),
		word: widgets.NewInk(st.JSONWord), note: widgets.NewInk(st.Faint),
	}
}

func (p pens) ink(k kind) widgets.Ink {
	switch k {
	case keyName:
		return p.key
	case str:
		return p.str
	case num:
		return p.num
	case word:
		return p.word
	case note:
		return p.note
	case plain:
		return widgets.Ink{}
	default:
		return p.punct
	}
}
