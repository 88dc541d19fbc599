package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// When KeepUp looks for the day's work: not while a console starts, and often enough for one that
// runs for weeks.
const (
	upkeepAfter = 5 * time.Second
	upkeepEvery = time.Hour
	// upkeepAge is the time after which a task is done again: a day, less the hour by which
	// processes may differ.
	upkeepAge = 23 * time.Hour
)

// The advisory lock of whoever does the upkeep. Keys of two halves are never those of writers,
// which are of one piece (see since.go); the second half is the schema's.
const lockUpkeep = 0x446b726e

// Upkeep says what to do once a day.
type Upkeep struct {
	// Profile is whose jobs Retain is about.
	Profile string
	// Retain is how long ended jobs stay; 0 for ever. Jobs with a tag always stay.
	Retain time.Duration
}

// Done says what an upkeep did.
type Done struct {
	Busy   bool        // another process is at it: nothing was done here
	Freed  int64       // bytes of bodies that were nobody's, before compression
	Pruned jobs.Pruned // by the retention
}

// KeepUp does the upkeep, soon and then each hour, until ctx ends (see daily). tell gets what
// failed.
func (s *Store) KeepUp(ctx context.Context, u Upkeep, tell func(error)) {
	wait := time.NewTimer(upkeepAfter)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		if _, err := s.daily(ctx, u); err != nil && ctx.Err() == nil {
			tell(err)
		}
		wait.Reset(upkeepEvery)
	}
}

// daily removes bodies that belong to no job, and the jobs of the profile that are older than the
// retention: each once a day, by the first of the processes that share the history, and by one at a
// time. Backups are the server's business.
func (s *Store) daily(ctx context.Context, u Upkeep) (d Done, err error) {
	conn, err := s.connect(ctx) // the lock ends with it, however we end
	if err != nil {
		return d, s.explain(err)
	}
	defer hangUp(conn)
	var free bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, $2)", lockUpkeep, int32(s.space>>keyBits)).Scan(&free); err != nil || !free {
		d.Busy = !free
		return d, s.explain(err)
	}
	err = s.onceADay(ctx, conn, "bodies", func() (err error) {
		d.Freed, err = s.freeBodies(ctx)
		return err
	})
	if err != nil || u.Retain <= 0 {
		return d, s.explain(err)
	}
	err = s.onceADay(ctx, conn, "prune "+text(u.Profile), func() (err error) {
		before := s.skew.wall().Add(-u.Retain)
		d.Pruned, err = s.Prune(ctx, jobs.Prune{Profile: u.Profile, Before: before, KeepTagged: true})
		return err
	})
	return d, s.explain(err)
}

// onceADay runs a task unless it was done within upkeepAge, by the server's clock.
func (s *Store) onceADay(ctx context.Context, conn *pgx.Conn, task string, run func() error) error {
	var due bool
	err := conn.QueryRow(ctx, `SELECT NOT EXISTS (SELECT 1 FROM upkeep WHERE task = $1
		AND at BETWEEN $2::bigint - $3::bigint AND $2)`, task, s.skew.millis(s.skew.wall()), upkeepAge.Milliseconds()).Scan(&due)
	if err != nil || !due {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `INSERT INTO upkeep (task, at) VALUES ($1, $2) ON CONFLICT (task) DO UPDATE SET at = excluded.at`,
		task, s.skew.millis(s.skew.wall()))
	return err
}

// freePortion is how many bodies one transaction removes.
const freePortion = 1000

// freeBodies removes the bodies that belong to no job: one is left where two jobs let go of it at
// the same moment. It returns their size before compression.
func (s *Store) freeBodies(ctx context.Context) (freed int64, err error) {
	for after, more := "", true; more; {
		var size int64
		err := s.write(ctx, func(t *tx) error {
			var shas []string
			t.each(func(r pgx.Row) error {
				var sha string
				err := r.Scan(&sha)
				shas = append(shas, sha)
				return err
			}, nobodys+` AND p.sha256 > $1 ORDER BY p.sha256 LIMIT $2`, after, freePortion)
			if err := t.flush(); err != nil {
				return err
			}
			if more = len(shas) == freePortion; len(shas) == 0 {
				return nil
			}
			after = shas[len(shas)-1]
			t.row(func(r pgx.Row) error { return r.Scan(&size) }, `SELECT free_bodies($1)`, shas)
			return nil
		})
		if err != nil {
			return freed, err
		}
		freed += size
	}
	return freed, nil
}

// nobodys selects the bodies that belong to no job.
const nobodys = `SELECT p.sha256 FROM payloads p WHERE NOT EXISTS (SELECT 1 FROM job_bodies b WHERE b.sha256 = p.sha256)`
