package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// Rev, and how Since misses none.
//
// A rev is drawn from a sequence when the row of the job is locked, so that a job's revs
// grow. They are not committed in the order in which they were drawn, and reading "rev >
// last" would miss those that were under way. Three ways out were measured with pgbench, 16
// writers with fsync on one machine (transactions a second): a counter row that is locked
// until the commit 680 to 710, since each waits for the other's fsync; pg_snapshot_xmin or
// the way below 2,500 to 6,600. xmin waits for every writer of the whole server, those of
// other databases too, and xids do not grow with the revs of a job. So:
//
// Before a writer draws its revs it takes a shared advisory lock whose key is the last rev
// that was drawn: all of its own are greater. A reader asks for the last rev L, then for
// the least such key K, then for the rows. A writer whose lock it did not see drew its revs
// after L was read, or has ended (locks go after the rows are visible). So no rev up to
// min(L, K) is still to come, and the next Since goes on from there. What is visible above
// that is returned at once, and again then.

// keyBits are the bits of an advisory lock's key that hold a rev; above are those of the
// history.
const keyBits = 48

// lockSpace are the upper bits of the keys of a history, by its schema: several may be in
// one database, beside the locks of other programs.
func lockSpace(schema uint32) int64 { return int64(0x4000|schema&0x3fff) << keyBits }

const (
	sqlLast = `SELECT last_value FROM rev`
	// sqlLeast is the least key of a writer under way. pg_locks shows a key in two halves.
	sqlLeast = `SELECT coalesce(min(((classid::bigint << 32) | objid::bigint) & ((1::bigint << 48) - 1)), -1) FROM pg_locks
		WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = $1::bigint >> 48
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
)

// bound queues the questions for the greatest rev up to which all can be read.
func (s *Store) bound(b *pgx.Batch, rev *int64) {
	b.Queue(sqlLast).QueryRow(func(r pgx.Row) error { return r.Scan(rev) })
	b.Queue(sqlLeast, s.space).QueryRow(func(r pgx.Row) error {
		var least int64
		err := r.Scan(&least)
		if least >= 0 {
			*rev = min(*rev, least)
		}
		return err
	})
}

// Look implements jobs.Store. It tells of this process's own writes too.
func (s *Store) Look(ctx context.Context) (rev int64, err error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	err = s.again(ctx, func() error {
		b := &pgx.Batch{}
		s.bound(b, &rev)
		return s.pool.SendBatch(ctx, b).Close()
	})
	return rev, s.explain(err)
}

// Since implements jobs.Store. Jobs that changed while others were being changed may be returned
// again by the next call.
func (s *Store) Since(ctx context.Context, rev int64) (works []jobs.Work, newest int64, err error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	err = s.again(ctx, func() error {
		b := &pgx.Batch{}
		s.bound(b, &newest)
		b.Queue(`SELECT `+table().List+fromJobs+`WHERE w.rev > $1 ORDER BY w.rev, j.id`, rev).Query(func(rows pgx.Rows) (err error) {
			works, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (jobs.Work, error) { return s.scanWork(r) })
			return err
		})
		return s.pool.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return nil, rev, s.explain(err)
	}
	return works, max(rev, newest), nil
}

// Marks implements jobs.Store.
func (s *Store) Marks(ctx context.Context, profile string) (marks []jobs.Mark, rev int64, err error) {
	ctx, cancel := s.quick(ctx)
	defer cancel()
	err = s.again(ctx, func() error {
		b := &pgx.Batch{}
		// The bound first: what changes between the two reads is seen again by Since.
		s.bound(b, &rev)
		b.Queue(`SELECT id, state FROM jobs WHERE profile = $1
			AND state IN ('planned', 'submitting', 'ambiguous', 'queued', 'running', 'unknown')`, text(profile)).
			Query(func(rows pgx.Rows) (err error) {
				marks, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (m jobs.Mark, err error) {
					var state string
					err = r.Scan(&m.ID, &state)
					m.State = jobs.State(state)
					return m, err
				})
				return err
			})
		return s.pool.SendBatch(ctx, b).Close()
	})
	return marks, rev, s.explain(err)
}
