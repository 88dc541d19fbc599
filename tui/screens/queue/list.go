package queue

import (
	"slices"
	"strings"

	"darkroom/jobs"
)

// list holds the jobs in memory, newest first: the pages read so far, and what changed since. Job
// ids are UUIDv7, so their order is that of creation. Jobs are never written to; a changed one is
// replaced.
type list struct {
	order []string // ids, newest first
	byID  map[string]*jobs.Job
	// profiles is how many jobs there are of each.
	profiles map[string]int
}

func newList() list { return list{byID: map[string]*jobs.Job{}, profiles: map[string]int{}} }

func (l *list) len() int { return len(l.order) }

// at is the job of a row, nil when there is no such row.
func (l *list) at(i int) *jobs.Job {
	if i < 0 || i >= len(l.order) {
		return nil
	}
	return l.byID[l.order[i]]
}

// get is the job of an id, nil when it is not in memory.
func (l *list) get(id string) *jobs.Job { return l.byID[id] }

// index is where an id is, or would be.
func (l *list) index(id string) (int, bool) {
	return slices.BinarySearchFunc(l.order, id, func(a, b string) int { return strings.Compare(b, a) })
}

// put adds a job or replaces the copy of it, unless that is newer.
func (l *list) put(j *jobs.Job) {
	old, known := l.byID[j.ID]
	if known && older(j, old) {
		return
	}
	if known && j.Draft.Cut && !old.Draft.Cut {
		j = withDraft(j, old)
	}
	l.byID[j.ID] = j
	if known {
		l.forget(old)
	}
	l.profiles[j.Profile]++
	if !known {
		i, _ := l.index(j.ID)
		l.order = slices.Insert(l.order, i, j.ID)
	}
}

// older reports whether a is an older copy of the job b. Copies from the engine are
// numbered; those from the disk have no number, and only their time to go by.
func older(a, b *jobs.Job) bool {
	if a.Seq > 0 && b.Seq > 0 {
		return a.Seq < b.Seq
	}
	if a.UpdatedAt.Equal(b.UpdatedAt) {
		return a.Seq < b.Seq
	}
	return a.UpdatedAt.Before(b.UpdatedAt)
}

// mixed reports whether jobs of several profiles are among them.
func (l *list) mixed() bool { return len(l.profiles) > 1 }

func (l *list) forget(j *jobs.Job) {
	if l.profiles[j.Profile]--; l.profiles[j.Profile] <= 0 {
		delete(l.profiles, j.Profile)
	}
}

func (l *list) remove(id string) {
	old, known := l.byID[id]
	if !known {
		return
	}
	l.forget(old)
	delete(l.byID, id)
	if i, ok := l.index(id); ok {
		l.order = slices.Delete(l.order, i, i+1)
	}
}
