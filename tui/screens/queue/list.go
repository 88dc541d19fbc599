package queue

import (
	"slices"
	"strings"

	"darkroom/jobs"
)

// list are the jobs in memory, newest first: the pages read so far, and what changed
// since. Job ids are UUIDv7, so their order is that of creation.
type list struct {
	order []string // ids, newest first
	byID  map[string]jobs.Job
}

func newList() list { return list{byID: map[string]jobs.Job{}} }

func (l *list) len() int { return len(l.order) }

func (l *list) at(i int) (jobs.Job, bool) {
	if i < 0 || i >= len(l.order) {
		return jobs.Job{}, false
	}
	return l.byID[l.order[i]], true
}

// index is where an id stands, or would stand.
func (l *list) index(id string) (int, bool) {
	return slices.BinarySearchFunc(l.order, id, func(a, b string) int { return strings.Compare(b, a) })
}

// put adds a job or replaces what is known of it. A page of the history may be older
// than what came as news meanwhile: then the news stay. It reports whether something
// changed.
func (l *list) put(j jobs.Job, news bool) bool {
	old, known := l.byID[j.ID]
	if known && !news && !j.UpdatedAt.After(old.UpdatedAt) {
		return false
	}
	l.byID[j.ID] = j
	if !known {
		i, _ := l.index(j.ID)
		l.order = slices.Insert(l.order, i, j.ID)
	}
	return true
}

func (l *list) remove(id string) {
	if _, known := l.byID[id]; !known {
		return
	}
	delete(l.byID, id)
	if i, ok := l.index(id); ok {
		l.order = slices.Delete(l.order, i, i+1)
	}
}
