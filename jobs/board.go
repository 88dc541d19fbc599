package jobs

import (
	"slices"
	"sync"

	"darkroom/client"
)

// boardCap is how many changed jobs the board remembers, beside those with work.
const boardCap = 16384

// board is what readers see without touching the disk: the newest copy of every job that
// changed since the engine was made, in the order of the changes. The engine and its
// workers write to it under a lock that is held for moments only. The copies are never
// changed: the loop shares them.
type board struct {
	mu     sync.Mutex
	seq    uint64
	jobs   map[string]*packed
	alikes map[alike]*alike // what jobs have in common, to be shared
	rest   Job              // see restOf
	order  []ref            // ascending seq; refs that a newer change made stale are skipped
	states map[string]State // jobs of the profile that are active or ambiguous
	failed int
	flow   Flow

	dirty   chan struct{} // capacity one
	changed chan struct{} // closed at the next change; nil while nobody waits
}

type ref struct {
	seq uint64
	id  string
}

func newBoard() *board {
	return &board{
		jobs: map[string]*packed{}, alikes: map[alike]*alike{}, states: map[string]State{},
		dirty: make(chan struct{}, 1),
	}
}

// post publishes a worker's copy of a job under its lease; what a person decided meanwhile stays.
// Rev is 0 for a change in memory only. It returns the copy now published: a worker that lost its
// lease changes nothing.
func (b *board) post(j *Job, rev, token int64, profile string) *packed {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.jobs[j.ID]
	if old != nil && (token < old.token || rev != 0 && rev <= old.rev) {
		return old
	}
	h := b.pack(j, old)
	h.rev, h.token = rev, token
	if old != nil {
		if own := old.ownOf(); !h.sameOwn(own) {
			h = h.withOwn(own)
		}
		h.rev, h.own = max(rev, old.rev), old.own
	}
	return b.put(h, profile)
}

// read publishes a job as the history has it, unless the board's copy is newer.
func (b *board) read(w *Work, profile string) *packed {
	b.mu.Lock()
	defer b.mu.Unlock()
	j, rev := &w.Job, w.Rev
	old := b.jobs[j.ID]
	switch {
	case old == nil || rev > old.rev:
		h := b.pack(j, old)
		h.rev, h.own, h.token = rev, rev, w.Token
		return b.put(h, profile)
	case rev <= old.own:
		return old
	}
	// A worker wrote after the person did, without knowing of it.
	h := old.withOwn(j)
	h.own = rev
	if old.sameOwn(j) {
		b.jobs[j.ID] = h
		return h
	}
	return b.put(h, profile)
}

// put publishes what nobody else has yet; b.mu is held.
func (b *board) put(h *packed, profile string) *packed {
	b.seq++
	h.seq = b.seq
	b.jobs[h.id] = h
	b.order = append(b.order, ref{b.seq, h.id})
	if h.profile == profile {
		b.count(h.id, h.state)
	}
	if len(b.order) > maxOrder && len(b.order) > 2*len(b.jobs) {
		b.compact()
	}
	b.signal()
	return h
}

// published returns the shared published copy of a job as of a rev, or else the one given.
func (b *board) published(j *Job, rev int64) *packed {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.jobs[j.ID]
	if h != nil && h.cut && !j.Draft.Cut { // it was read in a list before
		whole := *h
		whole.keep(&j.Draft)
		h = &whole
		b.jobs[j.ID] = h
	}
	if h != nil && h.rev == rev && h.state == j.State {
		return h
	}
	return b.pack(j, h)
}

// maxOrder is how many refs may pile up before stale ones are dropped.
const maxOrder = boardCap + boardCap/2

// count follows one job's state for Counts. Only failures seen as they happen count, not old
// failures of jobs that were merely touched.
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
		if b.jobs[r.id].seq == r.seq {
			fresh = append(fresh, r)
		}
	}
	b.order = fresh
	spare := len(b.jobs) - boardCap
	b.order = slices.DeleteFunc(b.order, func(r ref) bool {
		if spare <= 0 || b.states[r.id] != "" || filesPending(b.jobs[r.id].files()) {
			return false
		}
		spare--
		delete(b.jobs, r.id)
		return true
	})
}

// poke wakes whoever waits for a change.
func (b *board) poke() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.signal()
}

func (b *board) signal() {
	select {
	case b.dirty <- struct{}{}:
	default:
	}
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// since returns copies of the jobs that changed after seq, oldest change first.
func (b *board) since(seq uint64) ([]Job, uint64) {
	changed, seq := b.changes(seq)
	out := make([]Job, len(changed))
	for i, h := range changed {
		out[i] = h.job()
	}
	return out, seq
}

func (b *board) changes(seq uint64) ([]*packed, uint64) {
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
	var out []*packed
	for _, r := range b.order[i:] {
		if h := b.jobs[r.id]; h.seq == r.seq {
			out = append(out, h)
		}
	}
	return out, b.seq
}

// recall adds to a work of the history what was seen of its job in looks that are not written yet. It
// returns the board's copy, nil if that is of another rev.
func (b *board) recall(w *Work) *packed {
	h := b.at(w.Job.ID)
	if h == nil || h.rev != w.Rev || h.state != w.Job.State {
		return nil
	}
	w.Job.Seen, w.Job.Polls = h.seen(), int(h.polls)
	return h
}

// at returns the board's copy of a job; nil if there is none.
func (b *board) at(id string) *packed {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.jobs[id]
}

// get returns a copy of a job.
func (b *board) get(id string) (Job, bool) {
	h := b.at(id)
	if h == nil {
		return Job{}, false
	}
	return h.job(), true
}

// watch returns a channel that is closed at the next change of any job.
func (b *board) watch() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
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
	c := Counts{Failed: b.failed, Flow: b.flow}
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

// shareJob makes a copy that shares what is never changed in place: the draft and the error.
func shareJob(j Job) Job {
	j.AltIDs = slices.Clone(j.AltIDs)
	j.Files = slices.Clone(j.Files)
	j.Assets = slices.Clone(j.Assets)
	j.Warnings = slices.Clone(j.Warnings)
	return j
}

// copyJob makes a copy that shares nothing mutable with j.
func copyJob(j Job) Job {
	j.Draft = j.Draft.Clone()
	j.AltIDs = slices.Clone(j.AltIDs)
	j.Files = slices.Clone(j.Files)
	j.Assets = slices.Clone(j.Assets)
	j.Tags = slices.Clone(j.Tags)
	j.Warnings = slices.Clone(j.Warnings)
	if j.Error != nil {
		e := *j.Error
		j.Error = &e
	}
	return j
}

// jobAsset returns the asset of an index, or an empty one.
func jobAsset(assets []client.Asset, index int) client.Asset {
	if index < 0 || index >= len(assets) {
		return client.Asset{}
	}
	return assets[index]
}
