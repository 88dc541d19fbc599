// Package filter reads the text by which jobs are chosen, in Queue and on the command line: words,
// and terms such as state:failed, age<1h and -tag:x. What there is to write is one table, [Terms],
// from which errors, help and completion come.
package filter

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/jobs"
)

// MaxText bounds a filter, in characters.
const MaxText = 500

// Parse reads a filter. Words each have to stand somewhere in a job, see [jobs.Query]; terms narrow
// further, and a - before a term leaves out what it selects. What stands in double quotes is text,
// and so are addresses, and times such as 12:30. Anything else that looks like a term and is none
// is an error that names the terms. A term without a value yet adds nothing, and states, kinds and
// models may be shortened to their beginning, so that a filter means something while it is typed.
// Times are those of now's zone.
func Parse(text string, now time.Time) (jobs.Query, error) {
	p := parser{now: now, once: map[string]bool{}}
	var words []string
	for _, w := range split(text) {
		term, is := w.term()
		if !is {
			words = append(words, w.String())
			continue
		}
		if err := p.add(term); err != nil {
			return jobs.Query{}, err
		}
	}
	p.q.Text = strings.Join(words, " ")
	if err := p.settle(); err != nil {
		return jobs.Query{}, err
	}
	return p.q, nil
}

// parser is a query in the making.
type parser struct {
	q    jobs.Query
	now  time.Time
	once map[string]bool // terms that were given a value
	not  bool            // the term at hand leaves out
	// fault has only the jobs with a fault be selected.
	fault bool
}

// add adds a term.
func (p *parser) add(t term) error {
	row, known := find(t.name)
	switch {
	case !known:
		return fmt.Errorf("%s is not a filter; %s", t.name+t.op, knownTerms())
	case !strings.Contains(row.ops, t.op):
		return fmt.Errorf("%s: write %s; %s", t, row.usage(), knownTerms())
	case t.not && !row.Not:
		return fmt.Errorf("%s: there is no -%s; %s", t, row.Name, notable())
	case t.value == "":
		return nil
	case row.single && !t.not && p.once[row.Name+t.op]:
		return fmt.Errorf("%s: %s stands twice, and one is taken", t, row.Name+t.op)
	}
	p.once[row.Name+t.op] = p.once[row.Name+t.op] || !t.not
	p.not = t.not
	if err := row.take(p, t.op, t.value); err != nil {
		return fmt.Errorf("%s: %w", t, err)
	}
	return nil
}

// settle brings together what several terms say of one thing.
func (p *parser) settle() error {
	if !p.fault {
		return nil
	}
	if len(p.q.States) == 0 {
		p.q.States = Faults()
		return nil
	}
	var both []jobs.State
	for _, s := range p.q.States {
		if IsFault(s) {
			both = append(both, s)
		}
	}
	if len(both) == 0 {
		return fmt.Errorf("is:fault: no job in one of these states has a fault; faults are %s", list(Faults()))
	}
	p.q.States = both
	return nil
}

// Faults are the states of jobs that went wrong, or of which nobody knows whether they did.
func Faults() []jobs.State {
	return []jobs.State{jobs.Ambiguous, jobs.Refused, jobs.Failed, jobs.Lost}
}

// IsFault reports whether a state is one of [Faults].
func IsFault(s jobs.State) bool {
	return slices.Contains(Faults(), s)
}

// term is a term as it was written.
type term struct {
	not             bool
	name, op, value string
}

// String is the term as it was written.
func (t term) String() string {
	sign := ""
	if t.not {
		sign = "-"
	}
	return sign + t.name + t.op + t.value
}

// word is a part of a filter.
type word struct {
	text   string
	quoted bool
}

// String is the word as a search has it.
func (w word) String() string {
	if w.quoted {
		return `"` + w.text + `"`
	}
	return w.text
}

// term reads a word as a term: a name of letters, one of the operators, and a value. "name=" is
// one only where the name is known.
func (w word) term() (t term, is bool) {
	if w.quoted {
		return t, false
	}
	rest, not := strings.CutPrefix(w.text, "-")
	i := strings.IndexAny(rest, ":<>=")
	if i <= 0 || !isName(rest[:i]) || strings.HasPrefix(rest[i:], "://") {
		return t, false
	}
	t = term{not: not, name: strings.ToLower(rest[:i]), op: rest[i : i+1], value: rest[i+1:]}
	if _, known := find(t.name); t.op == "=" && !known {
		return t, false
	}
	if (t.op == "<" || t.op == ">") && strings.HasPrefix(t.value, "=") {
		t.value = t.value[1:]
	}
	return t, true
}

// isName reports whether a text can be meant as a term's name: 12:30 is plain text.
func isName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return s != ""
}

// split takes a filter apart at blanks and quotes. A quote that is still open reaches to the end.
func split(s string) []word {
	var out []word
	for {
		s = strings.TrimSpace(s)
		if s == "" {
			return out
		}
		if rest, ok := strings.CutPrefix(s, `"`); ok {
			text, after, _ := strings.Cut(rest, `"`)
			if text != "" {
				out = append(out, word{text, true})
			}
			s = after
			continue
		}
		fields := strings.Fields(s)
		out = append(out, word{text: fields[0]})
		s = s[len(fields[0]):]
	}
}
