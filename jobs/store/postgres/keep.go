package postgres

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// pastLimit is how many durations Past returns when the query names no number.
const pastLimit = 200

// Past implements jobs.Store.
func (s *Store) Past(ctx context.Context, q jobs.PastQuery) ([]time.Duration, error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	limit := q.Limit
	if limit <= 0 {
		limit = pastLimit
	}
	var out []time.Duration
	err := s.again(ctx, func() error {
		rows, err := s.pool.Query(ctx, `SELECT ended_at - accepted_at FROM jobs WHERE state = 'completed' AND accepted_at > 0
		AND profile = $1 AND model = $2 AND mode = $3 AND ended_at >= accepted_at ORDER BY ended_at DESC LIMIT $4`,
			text(q.Profile), text(q.Model), text(q.Mode), limit)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (time.Duration, error) {
			var ms int64
			err := r.Scan(&ms)
			return time.Duration(ms) * time.Millisecond, err
		})
		return err
	})
	return out, s.explain(err)
}

// SetPause implements jobs.Store.
func (s *Store) SetPause(ctx context.Context, p jobs.Pause, on bool) error {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	return s.write(ctx, func(t *tx) error {
		if on {
			t.exec(`INSERT INTO pauses (profile, host, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
				text(p.Profile), text(p.Host), s.skew.millis(p.At))
		} else {
			t.exec(`DELETE FROM pauses WHERE profile = $1 AND host = $2`, text(p.Profile), text(p.Host))
		}
		t.exec(`SELECT nextval('rev')`)
		t.tells = true
		return nil
	})
}

// Pauses implements jobs.Store.
func (s *Store) Pauses(ctx context.Context, profile string) ([]jobs.Pause, error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	var out []jobs.Pause
	err := s.again(ctx, func() error {
		rows, err := s.pool.Query(ctx, `SELECT profile, host, at FROM pauses WHERE $1 = '' OR profile = $1
		ORDER BY profile COLLATE "C", host COLLATE "C"`, text(profile))
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (p jobs.Pause, err error) {
			var at int64
			err = r.Scan(&p.Profile, &p.Host, &at)
			p.At = s.skew.time(at)
			return p, err
		})
		return err
	})
	return out, s.explain(err)
}

// prunePortion is how many jobs one transaction of a prune removes: few enough that others can
// write between two.
const prunePortion = 200

// victims are the ids of what a prune removes, in their order. Arguments: states, profile,
// the id below which, the time before which, whether tagged jobs stay, tags that keep, the
// id after which, the limit.
const victims = `SELECT j.id FROM jobs j JOIN work w ON w.job_id = j.id
	WHERE j.state = ANY($1) AND ($2 = '' OR j.profile = $2) AND ($3 = '' OR j.id < $3)
	AND CASE WHEN j.ended_at > 0 THEN j.ended_at ELSE j.updated_at END < $4
	AND w.due = 0 AND w.lease_owner = ''
	AND NOT EXISTS (SELECT 1 FROM job_tags t WHERE t.job_id = j.id AND ($5 OR t.tag = ANY($6)))
	AND j.id > $7 ORDER BY j.id LIMIT $8`

// victimArgs returns the first six arguments of victims; some is false when there can be none.
func (s *Store) victimArgs(ctx context.Context, p jobs.Prune) (args []any, some bool, err error) {
	var states []string
	for _, st := range jobs.States() {
		if st.Ended() && (len(p.States) == 0 || slices.Contains(p.States, st)) {
			states = append(states, string(st))
		}
	}
	below := ""
	if p.Newest > 0 {
		rows, err := s.pool.Query(ctx, `SELECT id FROM jobs WHERE state = ANY($1) AND ($2 = '' OR profile = $2)
			ORDER BY id DESC LIMIT 1 OFFSET $3`, states, text(p.Profile), p.Newest-1)
		if err != nil {
			return nil, false, err
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(found) == 0 { // there are not so many
			return nil, false, err
		}
		below = found[0]
	}
	before := int64(math.MaxInt64)
	if !p.Before.IsZero() {
		before = s.skew.millis(p.Before)
	}
	return []any{states, text(p.Profile), below, before, p.KeepTagged, texts(p.Keep)}, len(states) > 0, nil
}

// Prune implements jobs.Store, in portions.
func (s *Store) Prune(ctx context.Context, p jobs.Prune) (sum jobs.Pruned, err error) {
	if err := s.sync(ctx); err != nil {
		return sum, s.explain(err)
	}
	// Which of the newest stay is settled once: jobs that end meanwhile are not older.
	args, some, err := s.victimArgs(ctx, p)
	if err != nil || !some {
		return sum, s.explain(err)
	}
	if p.Dry {
		err := s.pool.QueryRow(ctx, `WITH v AS MATERIALIZED (`+victims+`) SELECT (SELECT count(*) FROM v),
			(SELECT coalesce(sum(p.size), 0)::bigint FROM payloads p
				WHERE p.sha256 IN (SELECT b.sha256 FROM job_bodies b WHERE b.job_id IN (SELECT id FROM v)) AND NOT EXISTS (
					SELECT 1 FROM job_bodies o WHERE o.sha256 = p.sha256 AND o.job_id NOT IN (SELECT id FROM v)))`,
			append(args, "", nil)...).Scan(&sum.Jobs, &sum.Bytes)
		return sum, s.explain(err)
	}
	for after, n := "", prunePortion; n == prunePortion; {
		var ids []string
		var bytes int64
		err := s.write(ctx, func(t *tx) error {
			ids, bytes = nil, 0
			t.each(func(r pgx.Row) error {
				var id string
				err := r.Scan(&id)
				ids = append(ids, id)
				return err
			}, victims+` FOR UPDATE OF w`, append(args[:6:6], after, prunePortion)...)
			if err := t.flush(); err != nil || len(ids) == 0 {
				return err
			}
			t.row(func(r pgx.Row) error { return r.Scan(&bytes) }, `SELECT remove_jobs($1)`, ids)
			t.exec(`SELECT nextval('rev')`)
			t.tells = true
			return nil
		})
		if err != nil {
			return sum, err
		}
		if n = len(ids); n > 0 {
			after = ids[n-1]
		}
		sum.Jobs += n
		sum.Bytes += bytes
	}
	return sum, nil
}
