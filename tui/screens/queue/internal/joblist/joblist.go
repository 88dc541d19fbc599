// Package joblist holds jobs in memory in an order: the newest first, or as a sort says.
package joblist

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/jobs"
)

// List holds jobs. They are never written to; a changed one is replaced. Make it with [New].
type List struct {
	order []string // ids
	byID  map[string]*jobs.Job
	// profiles is how many jobs there are of each.
	profiles map[string]int
	compare  func(a, b *jobs.Job) int // nil for the newest first
}

// New is an empty list. Compare tells which of two jobs stands first, as for [slices.SortFunc]; jobs
// that it takes for equal stand newest first. nil has all jobs newest first.
func New(compare func(a, b *jobs.Job) int) List {
	return List{byID: map[string]*jobs.Job{}, profiles: map[string]int{}, compare: compare}
}

// Len is the number of jobs.
func (l *List) Len() int { return len(l.order) }

// At is the job of a row, nil when there is no such row.
func (l *List) At(i int) *jobs.Job {
	if i < 0 || i >= len(l.order) {
		return nil
	}
	return l.byID[l.order[i]]
}

// ID is the id of the job of a row that there is.
func (l *List) ID(i int) string { return l.order[i] }

// Get is the job of an id, nil when it is not in the list.
func (l *List) Get(id string) *jobs.Job { return l.byID[id] }

// Index is the row of a job, false when it is not in the list.
func (l *List) Index(id string) (int, bool) {
	if l.compare == nil {
		return slices.BinarySearchFunc(l.order, id, newest)
	}
	j := l.byID[id]
	if j == nil {
		return 0, false
	}
	return l.place(j)
}

// Compare tells which of two jobs stands first in this list.
func (l *List) Compare(a, b *jobs.Job) int {
	if l.compare != nil {
		if c := l.compare(a, b); c != 0 {
			return c
		}
	}
	return newest(a.ID, b.ID)
}

// newest has the later of two ids first. They are UUIDv7, so their order is that of creation.
func newest(a, b string) int { return strings.Compare(b, a) }

// place is where a job stands, or would.
func (l *List) place(j *jobs.Job) (int, bool) {
	if l.compare == nil {
		return slices.BinarySearchFunc(l.order, j.ID, newest)
	}
	return slices.BinarySearchFunc(l.order, j, func(id string, j *jobs.Job) int { return l.Compare(l.byID[id], j) })
}

// Put adds a job or replaces the copy of it, unless that is newer. A copy whose draft is cut takes
// over the whole draft of the one before.
func (l *List) Put(j *jobs.Job) {
	old := l.byID[j.ID]
	if old == nil {
		l.add(j)
		return
	}
	if older(j, old) {
		return
	}
	if j.Draft.Cut && !old.Draft.Cut {
		j = withDraft(j, old)
	}
	if l.Compare(old, j) == 0 {
		l.forget(old)
		l.profiles[j.Profile]++
		l.byID[j.ID] = j
		return
	}
	l.Remove(j.ID)
	l.add(j)
}

func (l *List) add(j *jobs.Job) {
	i, _ := l.place(j)
	l.order = slices.Insert(l.order, i, j.ID)
	l.byID[j.ID] = j
	l.profiles[j.Profile]++
}

// Fill gives a listed job the whole draft of another copy of it.
func (l *List) Fill(from *jobs.Job) {
	if old := l.byID[from.ID]; old != nil {
		l.byID[from.ID] = withDraft(old, from)
	}
}

// withDraft returns a copy of a job with the whole draft of another copy.
func withDraft(j, from *jobs.Job) *jobs.Job {
	c := *j
	c.Draft, c.Foreign = from.Draft, from.Foreign
	return &c
}

// older reports whether a is an older copy of the job b. Copies from the engine are numbered; those
// from the disk have no number, and only their time to go by.
func older(a, b *jobs.Job) bool {
	if a.Seq > 0 && b.Seq > 0 {
		return a.Seq < b.Seq
	}
	return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), cmp.Compare(a.Seq, b.Seq)) < 0
}

// Mixed reports whether jobs of several profiles are among them.
func (l *List) Mixed() bool { return len(l.profiles) > 1 }

func (l *List) forget(j *jobs.Job) {
	if l.profiles[j.Profile]--; l.profiles[j.Profile] <= 0 {
		delete(l.profiles, j.Profile)
	}
}

// Remove takes a job off the list.
func (l *List) Remove(id string) {
	old := l.byID[id]
	if old == nil {
		return
	}
	if i, ok := l.place(old); ok {
		l.order = slices.Delete(l.order, i, i+1)
	}
	l.forget(old)
	delete(l.byID, id)
}
