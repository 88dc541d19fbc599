// Package findings is what is wrong with a form, or worth knowing about it: the order, the words,
// and where a person goes to mend it.
package findings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/widgets/form"
)

// List are the findings about a form as it is, and about its last submission.
type List struct {
	Problems []catalog.Problem // worst first
	Refusal  Refusal
	jumped   string // the problem that was gone to last
}

// Refusal is the last submission that the gateway refused.
type Refusal struct{ Text, Field string }

// SetProblems sets the findings.
func (l *List) SetProblems(ps []catalog.Problem) {
	slices.SortStableFunc(ps, func(a, b catalog.Problem) int { return int(Mark(b.Severity)) - int(Mark(a.Severity)) })
	l.Problems = ps
}

// Mark is how a row shows that there is a finding about it.
func Mark(s catalog.Severity) form.Mark {
	switch s {
	case catalog.Block:
		return form.Bad
	case catalog.Warn:
		return form.Warn
	default:
		return form.Info
	}
}

// Has reports whether there is a finding of a severity about a field.
func Has(ps []catalog.Problem, field string, s catalog.Severity) bool {
	return slices.ContainsFunc(ps, func(p catalog.Problem) bool { return p.Field == field && p.Severity == s })
}

// About is the worst finding about a field, nil for none.
func (l *List) About(field string) *catalog.Problem {
	i := slices.IndexFunc(l.Problems, func(p catalog.Problem) bool { return p.Field == field })
	if i < 0 {
		return nil
	}
	return &l.Problems[i]
}

// Blocks are the messages of the findings that block a submission.
func Blocks(ps []catalog.Problem) []string {
	var out []string
	for i := range ps {
		if ps[i].Severity == catalog.Block {
			out = append(out, client.CleanLine(ps[i].Message))
		}
	}
	return out
}

// FirstBlock is the blocking finding at the topmost row of a form; a finding about no row comes
// last.
func (l *List) FirstBlock(rows []string) (catalog.Problem, bool) {
	found, at := -1, 0
	for i := range l.Problems {
		if l.Problems[i].Severity != catalog.Block {
			continue
		}
		n := slices.Index(rows, l.Problems[i].Field)
		if n < 0 {
			n = len(rows)
		}
		if found < 0 || n < at {
			found, at = i, n
		}
	}
	if found < 0 {
		return catalog.Problem{}, false
	}
	return l.Problems[found], true
}

// count is how many findings have a severity.
func (l *List) count(s catalog.Severity) int {
	n := 0
	for i := range l.Problems {
		if l.Problems[i].Severity == s {
			n++
		}
	}
	return n
}

// Summary says above the findings whether something blocks, "" where the findings say so
// themselves.
func (l *List) Summary() string {
	switch {
	case l.Refusal.Text != "", l.count(catalog.Block) > 0:
		return ""
	case len(l.Problems) > 0: // a warning may say that something is missing
		return "nothing blocks"
	default:
		return "nothing is missing"
	}
}

// Verdict is the findings in a few cells, for where there is no room to list them.
func (l *List) Verdict() string {
	bad, warn := l.count(catalog.Block), l.count(catalog.Warn)
	switch {
	case l.Refusal.Text != "":
		return "✗ refused"
	case bad > 0:
		return "✗ " + human.Plural(bad, "problem")
	case warn > 0:
		return "⚠ " + human.Plural(warn, "warning")
	default:
		return "✓ ready"
	}
}

// OffJump says why there is no finding to go to, "" when there is one.
func (l *List) OffJump() string {
	if len(l.Problems) == 0 && l.Refusal.Field == "" {
		return "nothing is wrong and nothing is missing"
	}
	return ""
}

// grave are the findings to go through: those graver than a note, or all if there are none.
func (l *List) grave() []catalog.Problem {
	if n := len(l.Problems) - l.count(catalog.Info); n > 0 {
		return l.Problems[:n]
	}
	return l.Problems
}

// LastProblem is the number of the finding that was gone to last, -1 when it is mended.
func (l *List) LastProblem() int { return slices.IndexFunc(l.Problems, l.isLast) }

func (l *List) isLast(p catalog.Problem) bool { return p.Field+"\x00"+p.Message == l.jumped }

// NextProblem goes to the next finding, worst first and wrapping around; goTo reports whether that
// led away from where the person is. It returns the finding's number, -1 for none.
func (l *List) NextProblem(goTo func(*catalog.Problem) bool) int {
	list := l.grave()
	at := slices.IndexFunc(list, l.isLast)
	for i := range list {
		p := &list[(at+1+i)%len(list)]
		moved := goTo(p)
		l.jumped = p.Field + "\x00" + p.Message
		if moved {
			break
		}
	}
	return l.LastProblem()
}

// RefusalOf is the gateway's refusal of a job, at the field that it names.
func RefusalOf(c *catalog.Catalog, kind client.Modality, j *jobs.Job) Refusal {
	switch {
	case j.Error != nil:
		return Refusal{"refused: " + client.CleanLine(j.Error.Message), named(c, kind, j.Error.Param, j.Error.Message)}
	case j.Note != "":
		return Refusal{Text: "refused: " + client.CleanLine(j.Note)}
	default:
		return Refusal{Text: "refused"}
	}
}

// named is the row that an error means: by its parameter, else by the first word of its
// message that is the name of a field.
func named(c *catalog.Catalog, kind client.Modality, param, message string) string {
	words := append([]string{param}, strings.FieldsFunc(message, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})...)
	for _, w := range words {
		if i := strings.LastIndexByte(w, '.'); i >= 0 {
			w = w[i+1:]
		}
		switch w {
		case client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt:
			return w
		}
		if name, ok := c.Canonical(kind, w); ok {
			return name
		}
	}
	return ""
}

// Number rewrites a finding about an item of a list of references to number it as the form does:
// the catalog's images[0] becomes images ①, or images where it is the only one.
func Number(p *catalog.Problem, value any) {
	rest, ok := strings.CutPrefix(p.Message, p.Field+"[")
	digits, rest, cut := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	if !ok || !cut || err != nil {
		return
	}
	p.Message = p.Field + rest
	if list, ok := value.([]any); ok && len(list) > 1 {
		p.Message = p.Field + " " + form.NumberOf(n) + rest
	}
}

// OfRequest is what a made request says about a format: its notes, under the row of the format, and
// the parts of a draft that were left out, unless already said. A request made for another format
// says nothing about this one.
func OfRequest(made *client.Preview, format, row string, d *client.Draft, said []catalog.Problem) []catalog.Problem {
	if made == nil || made.Format != format {
		return nil
	}
	var out []catalog.Problem
	for _, x := range made.Dropped {
		if sets(d, x.Field) && !slices.ContainsFunc(said, func(s catalog.Problem) bool {
			return s.Field == x.Field && strings.Contains(s.Message, "is not carried by")
		}) {
			out = append(out, catalog.Problem{Field: x.Field, Severity: catalog.Warn,
				Message: x.Field + " is not sent in this format: " + x.Reason})
		}
	}
	for _, note := range made.Notes {
		out = append(out, catalog.Problem{Field: row, Severity: catalog.Info,
			Message: fmt.Sprintf("Format %s: %s", format, note), Source: "Endpoints"})
	}
	return out
}

// sets reports whether a draft sets the field of a canonical name.
func sets(d *client.Draft, field string) bool {
	switch field {
	case client.FieldModel:
		return d.Model != ""
	case client.FieldModelName:
		return d.ModelName != ""
	case client.FieldMode:
		return d.Mode != ""
	case client.FieldPrompt:
		return d.Prompt != ""
	}
	_, ok := d.Values[field]
	return ok
}
