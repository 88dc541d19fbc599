package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// claimLimit bounds one claim by default.
const claimLimit = 10000

// claimable selects work that nobody holds: due at any time, of one profile, without a
// living lease. Arguments: profile, now, owner if its own leases are claimed anew or an
// empty text, ids or NULL, except, installation, limit.
const claimable = `SELECT w.job_id FROM work w
	WHERE w.due > 0 AND w.profile = $1
	AND (w.lease_owner = '' OR w.lease_owner = $3 OR (w.lease_until <= $2
		AND NOT EXISTS (SELECT 1 FROM pollers o WHERE o.owner = w.lease_owner AND o.lease_until > $2)))
	AND ($4::text[] IS NULL OR w.job_id = ANY($4)) AND w.job_id <> ALL($5::text[])
	AND NOT EXISTS (SELECT 1 FROM jobs l WHERE l.id = w.job_id AND l.state = 'planned' AND l.proof <> '' AND l.installation <> $6)
	ORDER BY w.due, w.job_id LIMIT $7`

// Claim implements jobs.Store. Claims do not wait for one another: a row that another one is taking
// is skipped. It looks before it begins to write, so that looking every second costs no
// transaction.
func (s *Store) Claim(ctx context.Context, c jobs.Claim) ([]jobs.Work, error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	if err := s.sync(ctx); err != nil {
		return nil, s.explain(err)
	}
	args, claimable := s.claimArgs(c), claimable
	if c.SkipFetch {
		claimable = strings.Replace(claimable, `ORDER BY`, `AND (SELECT state FROM jobs WHERE id = w.job_id) <> 'completed' ORDER BY`, 1)
	}
	if c.SkipPlanned {
		claimable = strings.Replace(claimable, `ORDER BY`, `AND (SELECT state FROM jobs WHERE id = w.job_id) <> 'planned' ORDER BY`, 1)
	}
	var found bool
	err := s.again(ctx, func() error {
		return s.pool.QueryRow(ctx, `SELECT EXISTS (`+claimable+`)`, append(args[:6:6], 1)...).Scan(&found)
	})
	if err != nil || !found {
		return nil, s.explain(err)
	}
	var works []jobs.Work
	err = s.write(ctx, func(t *tx) error {
		works = nil
		args := s.claimArgs(c) // by the clock as it is known now
		t.each(func(r pgx.Row) error {
			w, err := s.scanWork(r)
			works = append(works, w)
			return err
		}, `WITH due AS MATERIALIZED (`+claimable+` FOR UPDATE OF w SKIP LOCKED)
			UPDATE work w SET lease_owner = $8, lease_token = w.lease_token + 1, lease_until = $9
			FROM due, jobs j WHERE w.job_id = due.job_id AND j.id = due.job_id RETURNING `+table().Select,
			append(args, text(c.Owner), s.skew.millis(c.Until))...)
		t.exec(`SELECT nextval('rev')`) // a look sees that there are leases to wait for
		t.tells = true
		return t.flush()
	})
	slices.SortFunc(works, func(a, b jobs.Work) int { return strings.Compare(a.Job.ID, b.Job.ID) })
	return works, err
}

func (s *Store) claimArgs(c jobs.Claim) []any {
	own := ""
	if c.Own {
		own = c.Owner
	}
	var ids any
	if c.IDs != nil {
		ids = texts(c.IDs)
	}
	limit := c.Limit
	if limit <= 0 {
		limit = claimLimit
	}
	return []any{text(c.Profile), s.skew.millis(c.Now), text(own), ids, texts(c.Except), text(c.Installation), limit}
}

// Beat implements jobs.Store.
func (s *Store) Beat(ctx context.Context, owner string, until time.Time) error {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	if err := s.sync(ctx); err != nil {
		return s.explain(err)
	}
	err := s.again(ctx, func() error {
		_, err := s.pool.Exec(ctx, `INSERT INTO pollers (owner, lease_until) VALUES ($1, $2)
			ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until`, text(owner), s.skew.millis(until))
		return err
	})
	return s.explain(err)
}

// Release implements jobs.Store.
func (s *Store) Release(ctx context.Context, owner string) error {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	if owner == "" {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		t.exec(`UPDATE work SET lease_owner = '', lease_until = 0, lease_token = lease_token + 1
			WHERE lease_owner = $1`, text(owner))
		// And rows that killed processes left a week ago.
		t.exec(`DELETE FROM pollers WHERE owner = $1
			OR lease_until < (extract(epoch FROM now()) * 1000)::bigint - 604800000`, text(owner))
		t.exec(`SELECT nextval('rev')`)
		t.tells = true
		return nil
	})
}

// Owners implements jobs.Store.
func (s *Store) Owners(ctx context.Context) (out []string, err error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	err = s.again(ctx, func() error {
		rows, err := s.pool.Query(ctx, `SELECT DISTINCT lease_owner FROM work WHERE lease_owner <> ''`)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return out, s.explain(err)
}
