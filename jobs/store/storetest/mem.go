// Package storetest has the suite that every jobs.Store passes, and a store in memory for
// tests of what is built on one.
package storetest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"darkroom/jobs"
)

// Mem is a jobs.Store in memory. It passes the suite of this package, so that what is
// tested with it holds for a real one.
type Mem struct {
	mu      sync.Mutex
	rev     int64
	writes  int64
	rows    map[string]*row
	pollers map[string]time.Time
	blobs   map[string][]byte // bodies by SHA-256
	pauses  map[[2]string]jobs.Pause

	// Fail, if set, is asked before each write; an error is what the write fails with,
	// as for a full disk or a killed process.
	Fail func(op string, c *jobs.Change) error
}

type row struct {
	work      jobs.Work
	until     time.Time
	events    []jobs.Event
	exchanges []jobs.Exchange
	current   map[jobs.PayloadKind]string // SHA-256
}

var _ jobs.Store = (*Mem)(nil)

// NewMem makes an empty store.
func NewMem() *Mem {
	return &Mem{
		rows: map[string]*row{}, pollers: map[string]time.Time{},
		blobs: map[string][]byte{}, pauses: map[[2]string]jobs.Pause{},
	}
}

func (m *Mem) fail(op string, c *jobs.Change) error {
	if m.Fail == nil {
		return nil
	}
	return m.Fail(op, c)
}

// copyWork copies through JSON, as a database would, so that nothing is shared and what is not kept
// does not come back.
func copyWork(w jobs.Work) jobs.Work {
	b, err := json.Marshal(w.Job)
	if err != nil {
		panic(err)
	}
	var j jobs.Job
	if err := json.Unmarshal(b, &j); err != nil {
		panic(err)
	}
	j.Seq, j.RejectedBy = 0, w.Job.RejectedBy // which is in no JSON
	j.NextPollAt = time.Time{}
	if j.State.Polled() {
		j.NextPollAt = w.Due
	}
	for _, t := range []*time.Time{&j.CreatedAt, &j.SubmittedAt, &j.AcceptedAt, &j.EndedAt, &j.UpdatedAt} {
		*t = t.Truncate(time.Millisecond)
	}
	j.CreateTook = j.CreateTook.Truncate(time.Millisecond)
	w.Job = j
	return w
}

// Insert implements jobs.Store.
func (m *Mem) Insert(_ context.Context, changes []jobs.Change) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := map[string]bool{}
	for i := range changes {
		id := changes[i].Job.ID
		if err := m.fail("insert", &changes[i]); err != nil {
			return err
		}
		if m.rows[id] != nil || seen[id] {
			return errDuplicate
		}
		seen[id] = true
	}
	m.rev++
	for _, c := range changes {
		r := &row{current: map[jobs.PayloadKind]string{}}
		r.work.Token = 1
		if c.Take {
			r.work.Owner, r.until = c.Owner, c.Until
		}
		m.rows[c.Job.ID] = r
		m.write(r, c)
	}
	return nil
}

func (m *Mem) write(r *row, c jobs.Change) {
	written, observed := r.work.Job.ID != "", r.work.Job.Observed
	r.work.Job, r.work.Rev = c.Job, m.rev
	if written {
		r.work.Job.Observed = observed
	}
	r.work.Due, r.work.Attempts, r.work.Backoff = c.Due, c.Attempts, c.Backoff
	r.work = copyWork(r.work)
	if c.Due.IsZero() {
		r.work.Owner, r.until = "", time.Time{}
	}
	r.events = append(r.events, c.Events...)
	r.exchanges, _ = jobs.Renew(r.exchanges, c.Exchanges)
	for _, p := range c.Payloads {
		sha := jobs.PayloadSHA(p.Body)
		m.blobs[sha] = append([]byte{}, p.Body...)
		r.current[p.Kind] = sha
	}
	for _, k := range c.Forget {
		delete(r.current, k)
	}
}

// Claim implements jobs.Store.
func (m *Mem) Claim(_ context.Context, c jobs.Claim) ([]jobs.Work, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []jobs.Work
	for _, id := range slices.Sorted(maps.Keys(m.rows)) {
		r := m.rows[id]
		if !m.leased(r, &c) && claimed(&r.work.Job, r.work.Due, &c) && (c.Limit <= 0 || len(out) < c.Limit) {
			if err := m.fail("claim", nil); err != nil {
				return nil, err
			}
			r.work.Owner, r.until = c.Owner, c.Until
			r.work.Token++
			out = append(out, copyWork(r.work))
		}
	}
	return out, nil
}

// leased reports whether somebody has a row whose lease a claim does not take anew.
func (m *Mem) leased(r *row, c *jobs.Claim) bool {
	owner := r.work.Owner
	return owner != "" && (!c.Own || owner != c.Owner) && (r.until.After(c.Now) || m.pollers[owner].After(c.Now))
}

// claimed reports whether a job is one of those that a claim is for.
func claimed(j *jobs.Job, due time.Time, c *jobs.Claim) bool {
	switch {
	case due.IsZero() || j.Profile != c.Profile || slices.Contains(c.Except, j.ID):
		return false
	case c.IDs != nil && !slices.Contains(c.IDs, j.ID):
		return false
	case j.State == jobs.Planned && j.Proof != "" && j.Proof != jobs.ProofBefore && j.Installation != c.Installation:
		return false
	default:
		return (!c.SkipFetch || j.State != jobs.Completed) && (!c.SkipPlanned || j.State != jobs.Planned)
	}
}

// Commit implements jobs.Store.
func (m *Mem) Commit(_ context.Context, c jobs.Change) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail("commit", &c); err != nil {
		return 0, err
	}
	r := m.rows[c.Job.ID]
	if r == nil {
		return 0, jobs.ErrNotFound
	}
	if r.work.Token != c.Token {
		return 0, jobs.ErrLeaseLost
	}
	c.Job.KeepOwn(&r.work.Job)
	c.Job.Draft = r.work.Job.Draft
	m.rev++
	m.write(r, c)
	return m.rev, nil
}

// Amend implements jobs.Store.
func (m *Mem) Amend(_ context.Context, id string, fn func(jobs.Work) (jobs.Change, error)) (jobs.Work, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.rows[id]
	if r == nil {
		return jobs.Work{}, jobs.ErrNotFound
	}
	c, err := fn(copyWork(r.work))
	if err != nil {
		return jobs.Work{}, err
	}
	if err := m.fail("amend", &c); err != nil {
		return jobs.Work{}, err
	}
	if c.Take {
		r.work.Token++
		r.work.Owner, r.until = c.Owner, c.Until
	}
	m.rev++
	m.write(r, c)
	return copyWork(r.work), nil
}

// Beat implements jobs.Store.
func (m *Mem) Beat(_ context.Context, owner string, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail("beat", nil); err != nil {
		return err
	}
	m.pollers[owner] = until
	return nil
}

// Leases implements jobs.Leaser.
func (m *Mem) Leases(context.Context) (all []jobs.Lease, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, at := time.Now(), map[string]int{}
	for _, r := range m.rows {
		owner := r.work.Owner
		if owner == "" {
			continue
		}
		i, known := at[owner]
		if !known {
			i, at[owner] = len(all), len(all)
			all = append(all, jobs.Lease{Owner: owner})
		}
		all[i].Jobs++
		all[i].Lives = all[i].Lives || r.until.After(now) || m.pollers[owner].After(now)
	}
	return all, nil
}

// Release implements jobs.Store.
func (m *Mem) Release(_ context.Context, owner string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.pollers, owner)
	for _, r := range m.rows {
		if owner != "" && r.work.Owner == owner {
			r.work.Owner, r.until = "", time.Time{}
			r.work.Token++
		}
	}
	m.writes++
	return nil
}
