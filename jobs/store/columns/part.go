package columns

import (
	"fmt"
	"strings"
	"time"

	"darkroom/jobs"
)

// Part is some columns of a table, in the order of their arguments in a statement.
type Part []part

type part struct {
	column
	slot  int // of JSON: its place among the texts
	clean func(string) string
}

func (p *part) text(s string) string {
	if p.clean == nil {
		return s
	}
	return p.clean(s)
}

// Names lists the columns for an INSERT.
func (l Part) Names() string { return l.join(func(name string, _ int) string { return name }) }

// Marks lists the placeholders of their arguments for an INSERT; place writes the one at an index.
func (l Part) Marks(place func(i int) string) string {
	return l.join(func(_ string, i int) string { return place(i) })
}

// Set assigns the columns in an UPDATE; set writes the assignment at an index.
func (l Part) Set(set func(name string, i int) string) string { return l.join(set) }

func (l Part) join(write func(name string, i int) string) string {
	out := make([]string, len(l))
	for i := range l {
		out[i] = write(l[i].name, i)
	}
	return strings.Join(out, ", ")
}

// Args appends a job's values for the columns. ahead is how far the database's clock is ahead of
// the job's.
func (l Part) Args(args []any, j *jobs.Job, texts Texts, ahead time.Duration) []any {
	for i := range l {
		args = append(args, l[i].value(j, texts, ahead))
	}
	return args
}

// Same reports whether two jobs have the same in these columns.
func (l Part) Same(a *jobs.Job, ofA Texts, b *jobs.Job, ofB Texts) bool {
	for i := range l {
		if l[i].value(a, ofA, 0) != l[i].value(b, ofB, 0) {
			return false
		}
	}
	return true
}

// ahead is how far the database's clock is ahead of that of the column's times.
func (p *part) ahead(of time.Duration) time.Duration {
	if p.theirs {
		return 0
	}
	return of
}

// value is what the column holds of a job.
func (p *part) value(j *jobs.Job, texts Texts, ahead time.Duration) any {
	if p.json {
		return texts[p.slot]
	}
	switch v := p.field(j).(type) {
	case *string:
		return p.text(*v)
	case *bool:
		return *v
	case *int:
		return *v
	case *float64:
		return *v
	case *time.Time:
		return millis(*v, p.ahead(ahead))
	case *time.Duration:
		return v.Milliseconds()
	default:
		panic(fmt.Sprintf("columns: %s is a %T", p.name, v))
	}
}
