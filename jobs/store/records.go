package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

const (
	// recordsLimit is how many records Records reads when the caller names no number.
	recordsLimit = 100
	// recordsBytes ends a page of records early, by the size of their bodies.
	recordsBytes = 32 << 20
)

// snapshot reads from one state of the history, whatever is written meanwhile.
func (s *SQLite) snapshot(ctx context.Context, fn func(*tx) error) (err error) {
	rt, err := s.readDB.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	t := &tx{ctx: ctx, stmts: &stmtCache{prepare: rt.PrepareContext}}
	defer func() {
		err = errors.Join(err, t.stmts.close())
		if e := rt.Rollback(); err == nil && !errors.Is(e, sql.ErrTxDone) {
			err = e
		}
	}()
	return fn(t)
}

// Records implements jobs.Store; a page is one state of the history.
func (s *SQLite) Records(ctx context.Context, after string, limit int) (out []jobs.Record, err error) {
	if limit <= 0 {
		limit = recordsLimit
	}
	err = s.snapshot(ctx, func(t *tx) error {
		var works []jobs.Work
		err := t.each(`SELECT `+table.Select+fromJobs+`WHERE j.id > ? ORDER BY j.id LIMIT ?`, []any{after, limit},
			func(r scanner) error {
				w, err := scanWork(r)
				works = append(works, w)
				return err
			})
		if err != nil {
			return err
		}
		if err := t.complete(works); err != nil {
			return err
		}
		size := 0
		for _, w := range works {
			r, n, err := t.record(w)
			if err != nil {
				return err
			}
			out = append(out, r)
			if size += n; size >= recordsBytes {
				return nil
			}
		}
		return nil
	})
	return out, explain(s.path, err)
}

// Count is the number of jobs.
func (s *SQLite) Count(ctx context.Context) (n int64, err error) {
	err = s.reader(ctx).row(`SELECT count(*) FROM jobs`).Scan(&n)
	return n, explain(s.path, err)
}

// record reads the rest of a job, and says how large its bodies are.
func (t *tx) record(w jobs.Work) (r jobs.Record, size int, err error) {
	r = jobs.Record{Job: w.Job, Due: w.Due}
	r.Job.NextPollAt = time.Time{}
	id := w.Job.ID
	if r.Events, err = t.events(id); err != nil {
		return r, 0, err
	}
	if r.Exchanges, err = t.exchanges(id); err != nil {
		return r, 0, err
	}
	err = t.each(`SELECT kind, sha256 FROM job_payloads WHERE job_id = ?1
		UNION ALL SELECT 'answer', a.sha256 FROM jobs j JOIN job_answers a ON a.n = j.n WHERE j.id = ?1`, []any{id}, func(row scanner) error {
		var kind, sha string
		if err := row.Scan(&kind, &sha); err != nil {
			return err
		}
		if r.Current == nil {
			r.Current = map[jobs.PayloadKind]string{}
		}
		r.Current[jobs.PayloadKind(kind)] = sha
		return nil
	})
	if err != nil {
		return r, 0, err
	}
	err = t.each(`SELECT sha256, enc, body FROM payloads WHERE sha256 IN (
		SELECT sha256 FROM job_payloads WHERE job_id = ?1
		UNION SELECT payload FROM job_events WHERE job_id = ?1 AND payload <> '')
		UNION ALL SELECT a.sha256, a.enc, a.body FROM jobs j JOIN job_answers a ON a.n = j.n WHERE j.id = ?1`, []any{id}, func(row scanner) error {
		var sha, enc string
		var packed []byte
		if err := row.Scan(&sha, &enc, &packed); err != nil {
			return err
		}
		body, err := deflate.Unpack(enc, packed)
		if err != nil {
			return err
		}
		if r.Bodies == nil {
			r.Bodies = map[string][]byte{}
		}
		r.Bodies[sha] = body
		size += len(body)
		return nil
	})
	return r, size, err
}

// manyRecords is the size of an import after which others get their turn.
const manyRecords = 10

// Import implements jobs.Store.
func (s *SQLite) Import(ctx context.Context, records []jobs.Record) (added int, err error) {
	records = slices.Clone(records)
	for i := range records {
		records[i].Job.Strange()
	}
	return s.importAll(ctx, records)
}

// importAll is Import of records that this machine has written.
func (s *SQLite) importAll(ctx context.Context, records []jobs.Record) (added int, err error) {
	for i := range records {
		if err := records[i].Check(); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	err = s.tx(ctx, func(t *tx) error {
		added = 0
		rev, err := t.nextRevs(1)
		if err != nil {
			return err
		}
		for i := range records {
			var n int
			err := t.row(`SELECT count(*) FROM jobs WHERE id = ?`, records[i].Job.ID).Scan(&n)
			if err != nil {
				return err
			}
			if n > 0 {
				continue
			}
			if err := t.importOne(&records[i], rev); err != nil {
				return err
			}
			added++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if added >= manyRecords {
		// The jobs are there, whatever becomes of the pause.
		_ = breathe(ctx, time.Since(start))
	}
	return added, nil
}

func (t *tx) importOne(r *jobs.Record, rev int64) error {
	for _, sha := range slices.Sorted(maps.Keys(r.Bodies)) {
		if err := t.keep(sha, r.Bodies[sha]); err != nil {
			return err
		}
	}
	c := jobs.Change{Job: r.Job, Events: r.Events, Exchanges: r.Exchanges, Due: r.Due}
	if err := t.insert(&c, rev); err != nil {
		return err
	}
	for kind, sha := range r.Current {
		_, err := t.exec(`INSERT INTO job_payloads (job_id, kind, sha256) VALUES (?, ?, ?)`, r.Job.ID, string(kind), sha)
		if err != nil {
			return err
		}
	}
	for sha := range r.Bodies { // those that nothing names
		if _, err := t.dropPayload(sha, ""); err != nil {
			return err
		}
	}
	return nil
}
