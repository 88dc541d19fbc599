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
// workers write to it under a lock that is held for moments only. The copies are never
// changed: the loop shares them.
type board struct {
	mu     sync.Mutex
	seq    uint64
	jobs   map[string]posted
	order  []ref            // ascending seq; refs that a newer change made stale are skipped
	states map[string]State // jobs of the profile that are active or ambiguous
	failed int
	flow   Flow

	notes map[string]pending // exchanges that the history does not have yet

	dirty   chan struct{} // capacity one
	changed chan struct{} // closed at the next change; nil while nobody waits
}

type posted struct {
	job *Job
	rev int64
	own int64 // the rev at which a person's own was taken over
}

type ref struct {
	seq uint64
	id  string
}

func newBoard() *board {
	return &board{
		jobs: map[string]posted{}, states: map[string]State{}, notes: map[string]pending{},
		dirty: make(chan struct{}, 1),
	}
}

// post publishes what a worker made of a job; what a person has said of it meanwhile
// stays. Rev is 0 for a change in memory only. It returns the copy that was published.
func (b *board) post(j Job, rev int64, profile string) *Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, known := b.jobs[j.ID]
	if known {
		j.KeepOwn(old.job)
		if rev != 0 && rev <= old.rev {
			return old.job
		}
	}
	return b.put(j, posted{rev: max(rev, old.rev), own: old.own}, profile)
}

// read publishes a job as the history has it, unless what is known of it is newer.
func (b *board) read(j Job, rev int64, profile string) *Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, known := b.jobs[j.ID]
	if !known || rev > old.rev {
		return b.put(j, posted{rev: rev, own: rev}, profile)
	}
	if rev <= old.own {
		return old.job
	}
	// A worker wrote after the person did, and did not know.
	if old.own = rev; sameOwn(old.job, &j) {
		b.jobs[j.ID] = old
		return old.job
	}
	newer := *old.job
	newer.KeepOwn(&j)
	return b.put(newer, old, profile)
}

// put publishes a copy; b.mu is held.
func (b *board) put(j Job, p posted, profile string) *Job {
	// The draft is never changed; the rest is the worker's, who goes on with it.
	j = shareJob(j)
	b.seq++
	j.Seq = b.seq
	p.job = &j
	b.jobs[j.ID] = p
	b.order = append(b.order, ref{b.seq, j.ID})
	if j.Profile == profile {
		b.count(j.ID, j.State)
	}
	if len(b.order) > maxOrder && len(b.order) > 2*len(b.jobs) {
		b.compact()
	}
	b.signal()
	return &j
}

// published is the published copy of a job as of a rev, to be shared, or else the one given.
func (b *board) published(j *Job, rev int64) *Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.jobs[j.ID]; ok && p.rev == rev && p.job.State == j.State {
		return p.job
	}
	return j
}

// maxOrder is how many refs there are before stale ones are dropped.
const maxOrder = boardCap + boardCap/2

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
	b.order = fresh
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
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
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
			out = append(out, copyJob(*p.job))
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
	return copyJob(*p.job), p.rev, true
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

// shareJob makes a copy that shares what nobody changes in place: the draft and the error.
func shareJob(j Job) Job {
	j.AltIDs = slices.Clone(j.AltIDs)
	j.Files = slices.Clone(j.Files)
	j.Assets = slices.Clone(j.Assets)
	return j
}

// copyJob makes a copy that shares nothing mutable with j.
func copyJob(j Job) Job {
	j.Draft = j.Draft.Clone()
	j.AltIDs = slices.Clone(j.AltIDs)
	j.Files = slices.Clone(j.Files)
	j.Assets = slices.Clone(j.Assets)
	j.Tags = slices.Clone(j.Tags)
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
