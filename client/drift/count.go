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
	if c.rows == nil {
		c.rows = map[string]*Row{}
	}
	for _, f := range all {
		k := strings.Join([]string{f.Format, string(f.Of), string(f.What), f.Path, f.Got, map[bool]string{true: "own"}[f.Own]}, " ")
		r := c.rows[k]
		if r == nil && len(c.rows) == maxRows {
			continue // a server that makes up names without end is known by then
		}
		if r == nil {
			r = &Row{Finding: f, First: at}
			c.rows[k] = r
		}
		r.Count++
		if at.Before(r.First) {
			r.First = at
		}
		if !at.Before(r.Last) {
			r.Last, r.Example = at, example
		}
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
