// Package folds lays jobs that were submitted together out as one row, which unfolds.
package folds

import (
	"slices"
	"sort"
	"strings"
)

// Row is a row of the list: a job, or the head of a batch.
type Row struct {
	From int // the job, or the first of the batch, by its place in the list
	N    int // jobs: of the batch for its head, else 1
	Head bool
	Open bool // the jobs of the batch follow their head
	In   bool // the job is one of an unfolded batch
}

// Rows are the rows of a list of jobs. Jobs of one batch that stand next to each other fold into one
// row; a single one stays what it is. The zero value has no rows. Without batches it takes no memory.
type Rows struct {
	// Off has each job be a row.
	Off bool

	open map[string]bool // the batches that are unfolded, as long as the console runs
	n    int             // jobs
	runs []run           // those of several jobs
	rows []Row           // nil where each job is a row
	last string
}

type run struct {
	group   string
	from, n int
}

// Begin begins the rows anew; [Rows.Add] then adds one job after the other, and [Rows.End] ends it.
func (r *Rows) Begin() { r.n, r.runs, r.rows, r.last = 0, r.runs[:0], nil, "" }

// Add adds the next job; group is that of the batch, "" for none.
func (r *Rows) Add(group string) {
	if group != "" && !r.Off {
		if k := len(r.runs); k > 0 && r.last == group {
			r.runs[k-1].n++
		} else {
			r.runs = append(r.runs, run{group, r.n, 1})
		}
	}
	r.last = group
	r.n++
}

// End lays out what was added.
func (r *Rows) End() {
	r.runs = slices.DeleteFunc(r.runs, func(x run) bool { return x.n < 2 })
	if len(r.runs) == 0 {
		return
	}
	at := 0
	single := func(to int, in bool) {
		for ; at < to; at++ {
			r.rows = append(r.rows, Row{From: at, N: 1, In: in})
		}
	}
	for _, x := range r.runs {
		single(x.from, false)
		open := r.open[x.group]
		r.rows = append(r.rows, Row{From: x.from, N: x.n, Head: true, Open: open})
		if open {
			single(x.from+x.n, true)
		}
		at = x.from + x.n
	}
	single(r.n, false)
}

// Len is how many rows there are.
func (r *Rows) Len() int {
	if r.rows == nil {
		return r.n
	}
	return len(r.rows)
}

// At is a row that there is, else one of no jobs.
func (r *Rows) At(i int) Row {
	switch {
	case i < 0 || i >= r.Len():
		return Row{From: i}
	case r.rows == nil:
		return Row{From: i, N: 1}
	}
	return r.rows[i]
}

// Of is the row on which a job stands; with head that of the head of its batch, where it has one.
func (r *Rows) Of(job int, head bool) int {
	if r.rows == nil {
		return job
	}
	i := sort.Search(len(r.rows), func(i int) bool { return r.rows[i].From > job }) - 1
	switch {
	case i < 0:
		return 0
	case head:
		for n := i; n >= 0 && (r.rows[n].In || r.rows[n].Head); n-- {
			if r.rows[n].Head {
				return n
			}
		}
	}
	return i
}

// Unfold has a batch be unfolded, or folded.
func (r *Rows) Unfold(group string, on bool) {
	if r.open == nil {
		r.open = map[string]bool{}
	}
	if delete(r.open, group); on {
		r.open[group] = true
	}
}

// Unfolded reports whether a batch is unfolded.
func (r *Rows) Unfolded(group string) bool { return r.open[group] }

// Groups are the batches that have a head.
func (r *Rows) Groups() []string {
	out := make([]string, len(r.runs))
	for i, x := range r.runs {
		out[i] = x.group
	}
	return out
}

// maxWays is how many ways a prompt is written out in which it differs.
const maxWays = 3

// Common is what prompts have in common, with the words in which they differ: "a green {kite|boat} over
// a city"; or with an ellipsis for many.
func Common(prompts []string) string {
	var distinct []string
	for _, p := range prompts {
		if !slices.Contains(distinct, p) {
			distinct = append(distinct, p)
		}
		if len(distinct) > 2*maxWays {
			break
		}
	}
	if len(distinct) < 2 {
		return strings.Join(distinct, "")
	}
	words := make([][]string, len(distinct))
	least := 1 << 20
	for i, p := range distinct {
		words[i] = strings.Fields(p)
		least = min(least, len(words[i]))
	}
	same := func(at func(w []string) string) bool {
		return !slices.ContainsFunc(words, func(w []string) bool { return at(w) != at(words[0]) })
	}
	begin, end := 0, 0
	for begin < least && same(func(w []string) string { return w[begin] }) {
		begin++
	}
	for end < least-begin && same(func(w []string) string { return w[len(w)-1-end] }) {
		end++
	}
	ways := make([]string, len(words))
	for i, w := range words {
		ways[i] = strings.Join(w[begin:len(w)-end], " ")
	}
	middle := "{" + strings.Join(ways, "|") + "}"
	if len(ways) > maxWays {
		middle = "{" + strings.Join(ways[:maxWays-1], "|") + "|…}"
	}
	first := words[0]
	return strings.Join(slices.Concat(first[:begin], []string{middle}, first[len(first)-end:]), " ")
}
