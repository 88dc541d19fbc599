package store

import (
	"context"
	"time"

	"darkroom/jobs"
)

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
