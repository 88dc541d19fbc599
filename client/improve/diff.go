// Package improve does the work around a chat model that improves a prompt: the request, the prompt
// in the answer, and the difference, part by part. It does no I/O.
package improve

import (
	"strings"
	"unicode"
)

// Part is a stretch of two texts: the same in both, or the old words and the new ones in their
// place.
type Part struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// Same reports whether the part is the same in both texts.
func (p Part) Same() bool { return p.Old == p.New }

// maxTable bounds the work of a comparison, in cells: two texts of 1,400 words each that
// have nothing in common at either end.
const maxTable = 2_000_000

// Diff compares two texts word by word, or character by character for scripts without blanks
// between words. The old texts joined are a, the new ones b. Changes with only blanks and signs
// between them become one; a pure insertion or deletion becomes one part per clause. Very long
// texts that differ throughout come as one part.
func Diff(a, b string) []Part {
	x, y := tokens(a), tokens(b)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	var d differ
	d.same(x[:head])
	d.middle(x[head:len(x)-tail], y[head:len(y)-tail])
	d.same(x[len(x)-tail:])
	return split(joinNear(d.parts))
}

// differ gathers parts.
type differ struct{ parts []Part }

func (d *differ) put(old, new string) {
	if old == "" && new == "" {
		return
	}
	same := old == new
	if n := len(d.parts); n > 0 && d.parts[n-1].Same() == same {
		// Two differing parts may be the same once joined: they stay a change.
		d.parts[n-1].Old += old
		d.parts[n-1].New += new
		return
	}
	d.parts = append(d.parts, Part{old, new})
}

func (d *differ) same(list []string) {
	s := strings.Join(list, "")
	d.put(s, s)
}

// middle compares the words left between the common beginning and end, by their longest common
// subsequence.
func (d *differ) middle(x, y []string) {
	if len(x) == 0 || len(y) == 0 || len(x)*len(y) > maxTable {
		d.put(strings.Join(x, ""), strings.Join(y, ""))
		return
	}
	w := len(y) + 1
	longest := make([]uint16, (len(x)+1)*w) // from here to the ends; more than fit are never common
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				longest[i*w+j] = longest[(i+1)*w+j+1] + 1
			} else {
				longest[i*w+j] = max(longest[(i+1)*w+j], longest[i*w+j+1])
			}
		}
	}
	var old, new strings.Builder
	flush := func() {
		d.put(old.String(), new.String())
		old.Reset()
		new.Reset()
	}
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			flush()
			d.put(x[i], y[j])
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && longest[(i+1)*w+j] >= longest[i*w+j+1]:
			old.WriteString(x[i])
			i++
		default:
			new.WriteString(y[j])
			j++
		}
	}
	flush()
}

// joinNear joins changes with only blanks and signs between them: "a, b" for "c, d" is one
// decision, not two.
func joinNear(parts []Part) []Part {
	var out []Part
	for i, p := range parts {
		n := len(out)
		switch {
		case n > 0 && !out[n-1].Same() && p.Same() && i+1 < len(parts) && !strings.ContainsFunc(p.Old, worded):
			out[n-1].Old += p.Old
			out[n-1].New += p.New
		case n > 0 && !out[n-1].Same() && !p.Same():
			out[n-1].Old += p.Old
			out[n-1].New += p.New
		default:
			out = append(out, p)
		}
	}
	return mend(out)
}

// mend joins a part that became the same in both texts with its neighbours.
func mend(parts []Part) []Part {
	var d differ
	for _, p := range parts {
		d.put(p.Old, p.New)
	}
	return d.parts
}

// split splits a pure insertion or deletion into clauses: models append several.
func split(parts []Part) []Part {
	var out []Part
	for _, p := range parts {
		switch {
		case p.Old == "":
			for _, s := range unsevered(clauses(p.New)) {
				out = append(out, Part{"", s})
			}
		case p.New == "":
			for _, s := range clauses(p.Old) {
				out = append(out, Part{s, ""})
			}
		default:
			out = append(out, p)
		}
	}
	return out
}

// unsevered joins a piece that is an article and a word with the one behind it: "a calm, quiet mood" is
// one thing, and "a calm" nothing to choose.
func unsevered(pieces []string) []string {
	var out []string
	for i, s := range pieces {
		if i > 0 && severed(pieces[i-1]) {
			out[len(out)-1] += s
			continue
		}
		out = append(out, s)
	}
	return out
}

func severed(piece string) bool {
	words := strings.FieldsFunc(strings.ToLower(piece), func(r rune) bool { return !worded(r) && r != '-' && r != '\'' && r != '’' })
	return len(words) == 2 && (words[0] == "a" || words[0] == "an" || words[0] == "the") && !strings.ContainsAny(strings.TrimSpace(piece), ".;!?")
}

// clauses splits a text at its commas and full stops: before each if the text begins with one, else
// after each. Every piece contains a word.
func clauses(s string) []string {
	list := tokens(s)
	before := len(list) > 1 && endsClause(list, 0)
	last := len(list) - 1 // the last piece with a word in it
	for last >= 0 && !strings.ContainsFunc(list[last], worded) {
		last--
	}
	var out []string
	from, at, words := 0, 0, false // the piece is s[from:at]
	cut := func() {
		out = append(out, s[from:at])
		from, words = at, false
	}
	for i, t := range list {
		if before && words && endsClause(list, i) && i <= last {
			cut()
		}
		at += len(t)
		words = words || strings.ContainsFunc(t, worded)
		if !before && words && i < last && clauseEnded(list, i) {
			cut()
		}
	}
	switch {
	case from == len(s):
	case !words && len(out) > 0:
		out[len(out)-1] += s[from:]
	default:
		out = append(out, s[from:])
	}
	return out
}

// endsClause reports whether token i is a mark that ends a clause, not one within a number.
func endsClause(list []string, i int) bool {
	return len(list[i]) > 0 && strings.Contains(",;.!?，、；。！？\n", list[i]) && i+1 < len(list) &&
		(len(list[i]) > 1 || list[i] == "\n" || strings.TrimSpace(list[i+1]) == "")
}

// clauseEnded reports whether a clause ends after token i: the mark, or the blank that belongs to
// it.
func clauseEnded(list []string, i int) bool {
	return i > 0 && (endsClause(list, i-1) && strings.TrimSpace(list[i]) == "" || endsClause(list, i) && strings.TrimSpace(list[i+1]) != "")
}

func worded(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r > 0x2E7F }

// Apply returns the text with the chosen changes: part i is new if take(i), else old.
func Apply(parts []Part, take func(i int) bool) string {
	var b strings.Builder
	for i, p := range parts {
		if !p.Same() && take(i) {
			b.WriteString(p.New)
		} else {
			b.WriteString(p.Old)
		}
	}
	return b.String()
}

// Changes returns the indices of the parts that differ.
func Changes(parts []Part) []int {
	var out []int
	for i := range parts {
		if !parts[i].Same() {
			out = append(out, i)
		}
	}
	return out
}
