package storetest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"darkroom/jobs"
)

// Past implements jobs.Store.
func (m *Mem) Past(_ context.Context, q jobs.PastQuery) ([]time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []jobs.Job
	for _, r := range m.rows {
		j := r.work.Job
		if j.State == jobs.Completed && j.Profile == q.Profile && j.Draft.Model == q.Model && j.Draft.Mode == q.Mode &&
			!j.AcceptedAt.IsZero() && !j.EndedAt.Before(j.AcceptedAt) {
			found = append(found, j)
		}
	}
	slices.SortFunc(found, func(a, b jobs.Job) int { return b.EndedAt.Compare(a.EndedAt) })
	var out []time.Duration
	for _, j := range found[:min(len(found), cmp.Or(q.Limit, 200))] {
		out = append(out, j.EndedAt.Sub(j.AcceptedAt))
	}
	return out, nil
}

// SetPause implements jobs.Store.
func (m *Mem) SetPause(_ context.Context, p jobs.Pause, on bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail("pause", nil); err != nil {
		return err
	}
	key := [2]string{p.Profile, p.Host}
	_, had := m.pauses[key]
	switch {
	case !on:
		delete(m.pauses, key)
	case !had:
		p.At = p.At.Truncate(time.Millisecond)
		m.pauses[key] = p
	}
	m.writes++
	return nil
}

// Pauses implements jobs.Store.
func (m *Mem) Pauses(_ context.Context, profile string) ([]jobs.Pause, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []jobs.Pause
	for _, p := range m.pauses {
		if profile == "" || p.Profile == profile {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b jobs.Pause) int {
		return cmp.Or(strings.Compare(a.Profile, b.Profile), strings.Compare(a.Host, b.Host))
	})
	return out, nil
}

// Prune implements jobs.Store.
func (m *Mem) Prune(_ context.Context, p jobs.Prune) (jobs.Pruned, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail("prune", nil); err != nil {
		return jobs.Pruned{}, err
	}
	ids := slices.Sorted(maps.Keys(m.rows))
	slices.Reverse(ids)
	keep := maps.Clone(m.rows)
	ended := 0
	for _, id := range ids {
		w := &m.rows[id].work
		if !w.Job.State.Ended() || (p.Profile != "" && w.Job.Profile != p.Profile) ||
			(len(p.States) > 0 && !slices.Contains(p.States, w.Job.State)) {
			continue
		}
		if ended++; ended > p.Newest && goes(w, &p) {
			delete(keep, id)
		}
	}
	sum := jobs.Pruned{Jobs: len(m.rows) - len(keep)}
	blobs := map[string][]byte{}
	for _, r := range keep {
		maps.Copy(blobs, m.bodiesOf(r))
	}
	for id, r := range m.rows {
		if keep[id] != nil {
			continue
		}
		for sha, b := range m.bodiesOf(r) {
			if _, ok := blobs[sha]; !ok {
				blobs[sha] = nil
				sum.Bytes += int64(len(b))
			}
		}
	}
	if !p.Dry {
		m.rows = keep
		m.writes++
	}
	return sum, nil
}

// goes reports whether an ended job is old enough for a prune, and nothing keeps it.
func goes(w *jobs.Work, p *jobs.Prune) bool {
	at := w.Job.EndedAt
	if at.IsZero() {
		at = w.Job.UpdatedAt
	}
	tagged := slices.ContainsFunc(w.Job.Tags, func(t string) bool { return p.KeepTagged || slices.Contains(p.Keep, t) })
	return !tagged && (p.Before.IsZero() || at.Before(p.Before)) && w.Due.IsZero() && w.Owner == ""
}

// bodiesOf returns the bodies that a job needs.
func (m *Mem) bodiesOf(r *row) map[string][]byte {
	out := map[string][]byte{}
	for _, sha := range r.current {
		out[sha] = m.blobs[sha]
	}
	for _, e := range r.events {
		if b, ok := m.blobs[e.PayloadSHA]; ok {
			out[e.PayloadSHA] = b
		}
	}
	return out
}

// Records implements jobs.Store.
func (m *Mem) Records(_ context.Context, after string, limit int) ([]jobs.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []jobs.Record
	for _, id := range slices.Sorted(maps.Keys(m.rows)) {
		if id <= after || len(out) == cmp.Or(limit, 100) {
			continue
		}
		r := m.rows[id]
		rec := jobs.Record{
			Job: copyWork(r.work).Job, Due: r.work.Due, Events: slices.Clone(r.events), Exchanges: slices.Clone(r.exchanges),
			Current: maps.Clone(r.current), Bodies: m.bodiesOf(r),
		}
		rec.Job.NextPollAt = time.Time{}
		out = append(out, rec)
	}
	return out, nil
}

// Every implements jobs.Store.
func (m *Mem) Every(_ context.Context, n int) (ids []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, id := range slices.Sorted(maps.Keys(m.rows)) {
		if (i+1)%n == 0 {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Import implements jobs.Store.
func (m *Mem) Import(_ context.Context, records []jobs.Record) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range records {
		if err := records[i].Check(); err != nil {
			return 0, err
		}
		if err := m.fail("import", &jobs.Change{Job: records[i].Job}); err != nil {
			return 0, err
		}
	}
	m.rev++
	added := 0
	for _, rec := range records {
		if m.rows[rec.Job.ID] != nil {
			continue
		}
		r := &row{current: maps.Clone(rec.Current)}
		if r.current == nil {
			r.current = map[jobs.PayloadKind]string{}
		}
		r.work.Token = 1
		for sha, b := range rec.Bodies {
			m.blobs[sha] = append([]byte{}, b...)
		}
		m.rows[rec.Job.ID] = r
		rec.Job.Strange()
		m.write(r, jobs.Change{Job: rec.Job, Events: rec.Events, Exchanges: rec.Exchanges, Due: rec.Due})
		added++
	}
	return added, nil
}
