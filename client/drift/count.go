package drift

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Row is a finding, how often it was seen, when, and where last.
type Row struct {
	Finding
	Count int       `json:"count"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Example is the id of the last answer that showed it.
	Example string `json:"example"`
}

// maxRows bounds the number of distinct findings.
const maxRows = 5000

// Counter counts findings by endpoint. The zero value is ready.
type Counter struct {
	rows map[string]*Row
	// Answers is the number of answers checked.
	Answers int
}

// Add counts the findings of one answer.
func (c *Counter) Add(all []Finding, at time.Time, example string) {
	c.Answers++
	for _, f := range all {
		c.add(Row{Finding: f, Count: 1, First: at, Last: at, Example: example})
	}
}

// Merge adds what was counted elsewhere.
func (c *Counter) Merge(answers int, rows []Row) {
	c.Answers += answers
	for _, r := range rows {
		c.add(r)
	}
}

func (c *Counter) add(x Row) {
	if c.rows == nil {
		c.rows = map[string]*Row{}
	}
	k := strings.Join([]string{x.Format, string(x.Of), string(x.What), x.Path, x.Got, map[bool]string{true: "own"}[x.Own]}, " ")
	r := c.rows[k]
	switch {
	case r != nil:
	case len(c.rows) == maxRows: // a server that makes up names without end is known by then
		return
	default:
		c.rows[k] = &x
		return
	}
	r.Count += x.Count
	if x.First.Before(r.First) {
		r.First = x.First
	}
	if !x.Last.Before(r.Last) {
		r.Last, r.Example = x.Last, x.Example
	}
}

// Rows returns the findings by endpoint, the most frequent first. Those also seen from other gateways,
// and the embedded gateway's own, are included only if elsewhere is set.
func (c *Counter) Rows(elsewhere bool) []Row {
	out := []Row{}
	for _, r := range c.rows {
		if elsewhere || r.Alarm() {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Format, b.Format), cmp.Compare(a.Of, b.Of), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Got, b.Got))
	})
	return out
}
