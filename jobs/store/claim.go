package store

import (
	"context"
	"strings"
	"time"

	"darkroom/jobs"
)

// claimLimit bounds one claim by default.
const claimLimit = 10000

// claimable selects work that nobody holds: due at any time, of one profile, without a living
// lease. Arguments: profile, now, owner if its own leases are claimed anew or an empty text, ids or
// an empty text, except, installation, limit. The index is named because the planner would
// otherwise go through all jobs of the profile.
const claimable = `SELECT p.job_id FROM job_polls p INDEXED BY job_polls_due CROSS JOIN jobs j ON j.id = p.job_id
	WHERE p.next_poll_at > 0 AND j.profile = ?1
	AND (p.lease_owner = '' OR p.lease_owner = ?3 OR (p.lease_until <= ?2
		AND NOT EXISTS (SELECT 1 FROM pollers o WHERE o.owner = p.lease_owner AND o.lease_until > ?2)))
	AND (?4 = '' OR p.job_id IN (SELECT value FROM json_each(iif(?4 = '', '[]', ?4))))
	AND p.job_id NOT IN (SELECT value FROM json_each(?5))
	AND (j.state <> 'planned' OR j.proof IN ('', 'before') OR j.installation = ?6)
	ORDER BY p.next_poll_at LIMIT ?7`

// Claim implements jobs.Store. It looks before it begins to write, so that looking every
// second costs no transaction.
func (s *SQLite) Claim(ctx context.Context, c jobs.Claim) ([]jobs.Work, error) {
	args, err := claimArgs(c)
	if err != nil {
		return nil, err
	}
	claimable := claimable
	if c.SkipFetch {
		claimable = strings.Replace(claimable, `ORDER BY`, `AND j.state <> 'completed' ORDER BY`, 1)
	}
	if c.SkipPlanned {
		claimable = strings.Replace(claimable, `ORDER BY`, `AND j.state <> 'planned' ORDER BY`, 1)
	}
	found := false
	err = s.reader(ctx).each(claimable, append(args[:6:6], 1), func(scanner) error {
		found = true
		return nil
	})
	if err != nil || !found {
		return nil, err
	}
	var works []jobs.Work
	err = s.tx(ctx, func(t *tx) error {
		works = nil
		var ids []string
		err := t.each(`UPDATE job_polls SET lease_owner = ?8, lease_token = lease_token + 1, lease_until = ?9
			WHERE job_id IN (`+claimable+`) RETURNING job_id`,
			append(args, c.Owner, millis(c.Until)), func(r scanner) error {
				var id string
				ids = append(ids, id)
				return r.Scan(&ids[len(ids)-1])
			})
		if err != nil {
			return err
		}
		list, err := jsonList(ids)
		if err != nil {
			return err
		}
		err = t.each(`SELECT `+table().Select+fromJobs+`WHERE j.id IN (SELECT value FROM json_each(?)) ORDER BY j.id`,
			[]any{list}, func(r scanner) error {
				w, err := scanWork(r)
				works = append(works, w)
				return err
			})
		if err != nil {
			return err
		}
		return t.complete(works)
	})
	return works, err
}

func claimArgs(c jobs.Claim) ([]any, error) {
	own, ids := "", ""
	if c.Own {
		own = c.Owner
	}
	if c.IDs != nil {
		var err error
		if ids, err = jsonList(c.IDs); err != nil {
			return nil, err
		}
	}
	except, err := jsonList(c.Except)
	if err != nil {
		return nil, err
	}
	limit := c.Limit
	if limit <= 0 {
		limit = claimLimit
	}
	return []any{c.Profile, millis(c.Now), own, ids, except, c.Installation, limit}, nil
}

// Beat implements jobs.Store.
func (s *SQLite) Beat(ctx context.Context, owner string, until time.Time) error {
	return s.tx(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO pollers (owner, lease_until) VALUES (?, ?)
			ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until`, owner, millis(until))
		return err
	})
}

// Release implements jobs.Store.
func (s *SQLite) Release(ctx context.Context, owner string) error {
	return s.tx(ctx, func(t *tx) error {
		_, err := t.exec(`UPDATE job_polls SET lease_owner = '', lease_until = 0, lease_token = lease_token + 1
			WHERE lease_owner = ? AND lease_owner <> ''`, owner)
		if err != nil {
			return err
		}
		_, err = t.exec(`DELETE FROM pollers WHERE owner = ?`, owner)
		return err
	})
}

// Owners implements jobs.Store.
func (s *SQLite) Owners(ctx context.Context) ([]string, error) {
	var owners []string
	err := s.reader(ctx).each(`SELECT DISTINCT lease_owner FROM job_polls WHERE lease_owner <> ''`, nil,
		func(r scanner) error {
			var o string
			err := r.Scan(&o)
			owners = append(owners, o)
			return err
		})
	return owners, err
}

// Leases implements jobs.Leaser.
func (s *SQLite) Leases(ctx context.Context) ([]jobs.Lease, error) {
	var out []jobs.Lease
	err := s.reader(ctx).each(`SELECT p.lease_owner, count(*), max(p.lease_until) > ?1
		OR EXISTS (SELECT 1 FROM pollers o WHERE o.owner = p.lease_owner AND o.lease_until > ?1)
		FROM job_polls p WHERE p.lease_owner <> '' GROUP BY p.lease_owner ORDER BY p.lease_owner`,
		[]any{millis(time.Now())}, func(r scanner) error {
			var l jobs.Lease
			err := r.Scan(&l.Owner, &l.Jobs, &l.Lives)
			out = append(out, l)
			return err
		})
	return out, explain(s.path, err)
}
