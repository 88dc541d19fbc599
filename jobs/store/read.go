package store

import (
	"context"
	"errors"

	"darkroom/jobs"
	"time"
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
	err = t.each(`SELECT `+eventColumns+` FROM job_events WHERE job_id = ? ORDER BY seq`, []any{id}, func(r scanner) error {
		e, err := scanEvent(r)
		out = append(out, e)
		return err
	})
	return out, err
}

const eventColumns = `at, kind, from_state, to_state, raw_status, http_status, request_id, message, payload`

// scanEvent reads an event, and what stands before it into first.
func scanEvent(r scanner, first ...any) (e jobs.Event, err error) {
	var at int64
	var kind, from, to string
	err = r.Scan(append(first, &at, &kind, &from, &to, &e.RawStatus, &e.HTTPStatus, &e.RequestID, &e.Message, &e.PayloadSHA)...)
	e.At, e.Kind, e.From, e.To = fromMillis(at), jobs.EventKind(kind), jobs.State(from), jobs.State(to)
	return e, err
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
	err := t.each(`SELECT `+table().List+fromJobs+`WHERE j.rev > ? ORDER BY j.rev, j.id`, []any{rev},
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

// pastLimit is how many durations Past returns when the query names no number.
const pastLimit = 200

// pastSQL is answered by the index jobs_past alone, but for accepted_at.
const pastSQL = `SELECT ended_at - accepted_at FROM jobs WHERE state = 'completed' AND accepted_at > 0
	AND profile = ? AND model = ? AND mode = ? AND ended_at >= accepted_at ORDER BY ended_at DESC LIMIT ?`

// Past implements jobs.Store.
func (s *SQLite) Past(ctx context.Context, q jobs.PastQuery) ([]time.Duration, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = pastLimit
	}
	var out []time.Duration
	err := s.reader(ctx).each(pastSQL, []any{q.Profile, q.Model, q.Mode, limit}, func(r scanner) error {
		var ms int64
		err := r.Scan(&ms)
		out = append(out, time.Duration(ms)*time.Millisecond)
		return err
	})
	return out, explain(s.path, err)
}

// SetPause implements jobs.Store.
func (s *SQLite) SetPause(ctx context.Context, p jobs.Pause, on bool) error {
	return s.tx(ctx, func(t *tx) error {
		if !on {
			_, err := t.exec(`DELETE FROM pauses WHERE profile = ? AND host = ?`, p.Profile, p.Host)
			return err
		}
		_, err := t.exec(`INSERT INTO pauses (profile, host, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			p.Profile, p.Host, millis(p.At))
		return err
	})
}

// Pauses implements jobs.Store.
func (s *SQLite) Pauses(ctx context.Context, profile string) ([]jobs.Pause, error) {
	var out []jobs.Pause
	err := s.reader(ctx).each(`SELECT profile, host, at FROM pauses WHERE ?1 = '' OR profile = ?1 ORDER BY profile, host`,
		[]any{profile}, func(r scanner) error {
			var p jobs.Pause
			var at int64
			err := r.Scan(&p.Profile, &p.Host, &at)
			p.At = fromMillis(at)
			out = append(out, p)
			return err
		})
	return out, explain(s.path, err)
}
