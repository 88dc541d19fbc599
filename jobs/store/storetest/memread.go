package storetest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"darkroom/jobs"
	"darkroom/jobs/order"
	"darkroom/jobs/store/cutdraft"
)

// Owners implements jobs.Store.
func (m *Mem) Owners(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	set := map[string]bool{}
	for _, r := range m.rows {
		if r.work.Owner != "" {
			set[r.work.Owner] = true
		}
	}
	return slices.Sorted(maps.Keys(set)), nil
}

// Get implements jobs.Store.
func (m *Mem) Get(_ context.Context, id string) (jobs.Work, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.rows[id]
	if r == nil {
		return jobs.Work{}, jobs.ErrNotFound
	}
	return copyWork(r.work), nil
}

// List implements jobs.Store.
func (m *Mem) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	limit := cmp.Or(q.Limit, 50)
	var found []*row
	for _, r := range m.rows {
		if matches(r, q) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b *row) int { return order.Compare(q.Sort, &a.work.Job, &b.work.Job) })
	page := jobs.Page{Jobs: []jobs.Job{}}
	if r := m.rows[q.Before]; r != nil {
		found = slices.DeleteFunc(found, func(x *row) bool { return order.Compare(q.Sort, &x.work.Job, &r.work.Job) <= 0 })
	}
	for _, r := range found {
		if len(page.Jobs) == limit {
			page.Next = page.Jobs[limit-1].ID
			break
		}
		page.Jobs = append(page.Jobs, listed(r.work).Job)
	}
	return page, nil
}

// listed is a copy with a draft that is cut where it is long.
func listed(w jobs.Work) jobs.Work {
	var err error
	w = copyWork(w)
	if w.Job.Draft, err = cutdraft.Of(w.Job.Draft); err != nil {
		panic(err)
	}
	cutdraft.Texts(&w.Job)
	return w
}

// matches reports whether a query selects a job: by the job itself, or by what its events say.
func matches(r *row, q jobs.Query) bool {
	words, codes := jobs.SearchWords(q.Text), q.Codes
	q.Text, q.Codes = "", nil
	return q.Matches(&r.work.Job) && r.hasWords(words) && (len(codes) == 0 || r.hasCode(codes)) && !r.hasCode(q.Not.Codes)
}

func (r *row) hasCode(codes []string) bool {
	j := &r.work.Job
	return j.Error != nil && jobs.FitsCode(codes, j.Error.Code) ||
		slices.ContainsFunc(r.events, func(e jobs.Event) bool {
			return e.HTTPStatus >= 400 && jobs.FitsCode(codes, strconv.Itoa(e.HTTPStatus))
		})
}

// hasWords reports whether each word stands in a text of the job or of its events, or is the
// id of a request of it.
func (r *row) hasWords(words []string) bool {
	texts := r.work.Job.SearchTexts()
	all := texts[:]
	for _, e := range r.events {
		all = append(all, e.Told())
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		named := slices.ContainsFunc(r.events, func(e jobs.Event) bool { return len(w) >= 16 && e.RequestID == w })
		return !named && !jobs.HasWords([]string{w}, all...)
	})
}

// Detail implements jobs.Store.
func (m *Mem) Detail(_ context.Context, id string) (jobs.Detail, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.rows[id]
	if r == nil {
		return jobs.Detail{}, jobs.ErrNotFound
	}
	return jobs.Detail{
		Job: copyWork(r.work).Job, Events: slices.Clone(r.events),
		Exchanges: slices.Clone(r.exchanges),
		Request:   m.blobs[r.current[jobs.PayloadRequest]], Answer: m.blobs[r.current[jobs.PayloadAnswer]],
	}, nil
}

// Payload implements jobs.Store.
func (m *Mem) Payload(_ context.Context, id string, kind jobs.PayloadKind) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.rows[id]
	if r == nil || r.current[kind] == "" {
		return nil, jobs.ErrNotFound
	}
	return m.blobs[r.current[kind]], nil
}

// Marks implements jobs.Store.
func (m *Mem) Marks(_ context.Context, profile string) ([]jobs.Mark, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []jobs.Mark
	for id, r := range m.rows {
		j := r.work.Job
		if j.Profile == profile && (j.State.Active() || j.State == jobs.Ambiguous) {
			out = append(out, jobs.Mark{ID: id, State: j.State})
		}
	}
	return out, m.rev, nil
}

// Since implements jobs.Store.
func (m *Mem) Since(_ context.Context, rev int64) ([]jobs.Work, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []jobs.Work
	for _, r := range m.rows {
		if r.work.Rev > rev {
			out = append(out, listed(r.work))
		}
	}
	slices.SortFunc(out, func(a, b jobs.Work) int {
		return cmp.Or(cmp.Compare(a.Rev, b.Rev), cmp.Compare(a.Job.ID, b.Job.ID))
	})
	return out, m.rev, nil
}

// Look implements jobs.Store. It sees this process's own writes too, as if every engine on
// the store were a process of its own.
func (m *Mem) Look(context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rev + m.writes, nil
}

// Close implements jobs.Store; the content stays, so that tests can go on with it.
func (m *Mem) Close() error { return nil }

// KeptBytes is the size of the bodies that the events of a job name, each once.
func (m *Mem) KeptBytes(_ context.Context, id string) (n int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := map[string]bool{}
	if r := m.rows[id]; r != nil {
		for _, e := range r.events {
			if !seen[e.PayloadSHA] {
				seen[e.PayloadSHA] = true
				n += int64(len(m.blobs[e.PayloadSHA]))
			}
		}
	}
	return n, nil
}
