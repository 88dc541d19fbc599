package jobs

import (
	"slices"
	"sync"

	"darkroom/client"
)

// boardCap is how many changed jobs the board remembers beside those with work.
const boardCap = 16384

// board is what readers see without touching the disk: the newest copy of every job that
// changed since the engine was made, in the order of the changes. The engine and its
// workers write to it under a lock that is held for moments only.
type board struct {
	mu     sync.Mutex
	seq    uint64
	jobs   map[string]posted
	order  []ref            // ascending seq; refs that a newer change made stale are skipped
	states map[string]State // jobs of the profile that are active or ambiguous
	failed int

	dirty   chan struct{} // capacity one
	changed chan struct{} // closed and replaced at every change
}

type posted struct {
	job Job
	rev int64
}

type ref struct {
	seq uint64
	id  string
}

func newBoard() *board {
	return &board{
		jobs: map[string]posted{}, states: map[string]State{},
		dirty: make(chan struct{}, 1), changed: make(chan struct{}),
	}
}

// post publishes a job. A copy that the store made before the one already posted
// (0 < rev < that of the posted one) is ignored; rev 0 means a change in memory only.
func (b *board) post(j Job, rev int64, profile string) {
	// The draft is never changed; the rest is the worker's, who goes on with it.
	j.AltIDs, j.Files, j.Assets = slices.Clone(j.AltIDs), slices.Clone(j.Files), slices.Clone(j.Assets)
	b.mu.Lock()
	defer b.mu.Unlock()
	old, known := b.jobs[j.ID]
	if rev != 0 && known && rev <= old.rev {
		return
	}
	b.seq++
	j.Seq = b.seq
	b.jobs[j.ID] = posted{job: j, rev: max(rev, old.rev)}
	b.order = append(b.order, ref{b.seq, j.ID})
	if j.Profile == profile {
		b.count(j.ID, j.State)
	}
	if len(b.order) > 2*boardCap && len(b.order) > 2*len(b.jobs) {
		b.compact()
	}
	b.signal()
}

// count follows one job's state for Counts. Only failures that were seen to happen count,
// not old ones of jobs that are merely touched.
func (b *board) count(id string, s State) {
	if b.states[id] != "" && (s == Failed || s == Refused || s == Lost) {
		b.failed++
	}
	if s.Active() || s == Ambiguous {
		b.states[id] = s
	} else {
		delete(b.states, id)
	}
}

// compact drops stale refs, and the oldest ended jobs beyond the cap.
func (b *board) compact() {
	fresh := b.order[:0]
	for _, r := range b.order {
		if b.jobs[r.id].job.Seq == r.seq {
			fresh = append(fresh, r)
		}
	}
	b.order = slices.Clone(fresh)
	spare := len(b.jobs) - boardCap
	b.order = slices.DeleteFunc(b.order, func(r ref) bool {
		if spare <= 0 || b.states[r.id] != "" || filesPending(b.jobs[r.id].job.Files) {
			return false
		}
		spare--
		delete(b.jobs, r.id)
		return true
	})
}

func (b *board) signal() {
	select {
	case b.dirty <- struct{}{}:
	default:
	}
	close(b.changed)
	b.changed = make(chan struct{})
}

// since returns copies of the jobs that changed after seq, oldest change first.
func (b *board) since(seq uint64) ([]Job, uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, _ := slices.BinarySearchFunc(b.order, seq+1, func(r ref, want uint64) int {
		switch {
		case r.seq < want:
			return -1
		case r.seq > want:
			return 1
		default:
			return 0
		}
	})
	var out []Job
	for _, r := range b.order[i:] {
		if p := b.jobs[r.id]; p.job.Seq == r.seq {
			out = append(out, copyJob(p.job))
		}
	}
	return out, b.seq
}

// get returns the posted copy of a job.
func (b *board) get(id string) (Job, int64, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.jobs[id]
	if !ok {
		return Job{}, 0, false
	}
	return copyJob(p.job), p.rev, true
}

// watch returns a channel that is closed at the next change of any job.
func (b *board) watch() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// mark sets what the history holds at the start.
func (b *board) mark(marks []Mark) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range marks {
		if _, known := b.jobs[m.ID]; !known {
			b.states[m.ID] = m.State
		}
	}
	b.signal()
}

func (b *board) counts() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := Counts{Failed: b.failed}
	for _, s := range b.states {
		switch {
		case s == Ambiguous:
			c.Ambiguous++
		case s == Queued || s == Planned:
			c.Queued++
		case s.Active():
			c.Running++
		}
	}
	return c
}

// copyJob makes a copy that shares nothing mutable with j.
func copyJob(j Job) Job {
	j.Draft = j.Draft.Clone()
	j.AltIDs = slices.Clone(j.AltIDs)
	j.Files = slices.Clone(j.Files)
	j.Assets = slices.Clone(j.Assets)
	if j.Error != nil {
		e := *j.Error
		j.Error = &e
	}
	return j
}

// jobAsset returns the asset of an index, or an empty one.
func jobAsset(j Job, index int) client.Asset {
	if index < 0 || index >= len(j.Assets) {
		return client.Asset{}
	}
	return j.Assets[index]
}
