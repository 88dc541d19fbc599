package store

import (
	"context"
	"errors"

	"darkroom/jobs"
)

// Get implements jobs.Store.
func (s *SQLite) Get(ctx context.Context, id string) (jobs.Work, error) {
	w, err := s.reader(ctx).get(id)
	return w, explain(s.path, err)
}

// Detail implements jobs.Store.
func (s *SQLite) Detail(ctx context.Context, id string) (jobs.Detail, error) {
	t := s.reader(ctx)
	w, err := t.get(id)
	if err != nil {
		return jobs.Detail{}, explain(s.path, err)
	}
	d := jobs.Detail{Job: w.Job}
	if d.Events, err = t.events(id); err != nil {
		return d, explain(s.path, err)
	}
	if d.Exchanges, err = t.exchanges(id); err != nil {
		return d, explain(s.path, err)
	}
	for _, p := range []struct {
		kind jobs.PayloadKind
		into *[]byte
	}{{jobs.PayloadRequest, &d.Request}, {jobs.PayloadAnswer, &d.Answer}} {
		body, err := t.payload(id, p.kind)
		if err != nil && !errors.Is(err, jobs.ErrNotFound) {
			return d, explain(s.path, err)
		}
		*p.into = body
	}
	return d, nil
}

// events reads a job's timeline.
func (t *tx) events(id string) (out []jobs.Event, err error) {
	err = t.each(`SELECT at, kind, from_state, to_state, raw_status, http_status, request_id, message, payload
		FROM job_events WHERE job_id = ? ORDER BY seq`, []any{id}, func(r scanner) error {
		var e jobs.Event
		var at int64
		var kind, from, to string
		err := r.Scan(&at, &kind, &from, &to, &e.RawStatus, &e.HTTPStatus, &e.RequestID, &e.Message, &e.PayloadSHA)
		e.At, e.Kind, e.From, e.To = fromMillis(at), jobs.EventKind(kind), jobs.State(from), jobs.State(to)
		out = append(out, e)
		return err
	})
	return out, err
}

// Marks implements jobs.Store.
func (s *SQLite) Marks(ctx context.Context, profile string) ([]jobs.Mark, int64, error) {
	t := s.reader(ctx)
	// The counter first: what changes between the two reads is seen again by Since.
	var rev int64
	if err := t.row(`SELECT value FROM counters WHERE name = 'rev'`).Scan(&rev); err != nil {
		return nil, 0, explain(s.path, err)
	}
	var marks []jobs.Mark
	err := t.each(`SELECT id, state FROM jobs WHERE profile = ?
		AND state IN ('planned', 'submitting', 'ambiguous', 'queued', 'running', 'unknown')`, []any{profile},
		func(r scanner) error {
			var m jobs.Mark
			var state string
			err := r.Scan(&m.ID, &state)
			m.State = jobs.State(state)
			marks = append(marks, m)
			return err
		})
	return marks, rev, explain(s.path, err)
}

// Since implements jobs.Store.
func (s *SQLite) Since(ctx context.Context, rev int64) ([]jobs.Work, int64, error) {
	t := s.reader(ctx)
	newest := rev
	var works []jobs.Work
	err := t.each(`SELECT `+table.List+fromJobs+`WHERE j.rev > ? ORDER BY j.rev, j.id`, []any{rev},
		func(r scanner) error {
			w, err := scanWork(r)
			works = append(works, w)
			newest = max(newest, w.Rev)
			return err
		})
	if err != nil {
		return nil, rev, explain(s.path, err)
	}
	return works, newest, explain(s.path, t.complete(works))
}
