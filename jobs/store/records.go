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
		err := t.each(`SELECT `+table().Select+fromJobs+`WHERE j.id > ? ORDER BY j.id LIMIT ?`, []any{after, limit},
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
		out, err = t.records(works)
		return err
	})
	return out, explain(s.path, err)
}

// Count is the number of jobs.
func (s *SQLite) Count(ctx context.Context) (n int64, err error) {
	err = s.reader(ctx).row(`SELECT count(*) FROM jobs`).Scan(&n)
	return n, explain(s.path, err)
}

// Every implements jobs.Store.
func (s *SQLite) Every(ctx context.Context, n int) (ids []string, err error) {
	err = s.reader(ctx).each(`SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS at FROM jobs) WHERE at % ? = 0 ORDER BY id`, []any{n},
		func(r scanner) error {
			var id string
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, explain(s.path, err)
}

// bodiesOf are the bodies of jobs that lie in payloads, each once a job; their ids are ?1.
const bodiesOf = `(SELECT job_id, sha256 FROM job_payloads WHERE job_id IN (SELECT value FROM json_each(?1))
	UNION SELECT job_id, payload FROM job_events WHERE job_id IN (SELECT value FROM json_each(?1)) AND payload <> '') x
	CROSS JOIN payloads p ON p.sha256 = x.sha256`

// answersOf are the answers that lie in a table of their own.
const answersOf = `jobs j CROSS JOIN job_answers a ON a.n = j.n WHERE j.id IN (SELECT value FROM json_each(?1))`

// records reads the rest of the first of some jobs, as many as their bodies allow, all of them with a
// few statements.
func (t *tx) records(works []jobs.Work) ([]jobs.Record, error) {
	works, err := t.fitting(works)
	if err != nil || len(works) == 0 {
		return nil, err
	}
	out := make([]jobs.Record, len(works))
	at := make(map[string]*jobs.Record, len(works))
	ids := make([]string, len(works))
	for i, w := range works {
		out[i] = jobs.Record{Job: w.Job, Due: w.Due}
		out[i].Job.NextPollAt = time.Time{}
		ids[i], at[w.Job.ID] = w.Job.ID, &out[i]
	}
	list, err := jsonList(ids)
	if err != nil {
		return nil, err
	}
	for _, read := range []func(string, map[string]*jobs.Record) error{t.eventsOf, t.exchangesOf, t.currentOf, t.unpackAll} {
		if err := read(list, at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fitting are the first of some jobs, whose bodies are not too large together; at least one.
func (t *tx) fitting(works []jobs.Work) ([]jobs.Work, error) {
	ids := make([]string, len(works))
	for i, w := range works {
		ids[i] = w.Job.ID
	}
	list, err := jsonList(ids)
	if err != nil {
		return nil, err
	}
	sizes := map[string]int{}
	err = t.each(`SELECT x.job_id, p.size FROM `+bodiesOf+` UNION ALL SELECT j.id, a.size FROM `+answersOf, []any{list},
		func(r scanner) error {
			var id string
			var size int
			err := r.Scan(&id, &size)
			sizes[id] += size
			return err
		})
	size := 0
	for i, w := range works {
		if size += sizes[w.Job.ID]; size >= recordsBytes {
			return works[:i+1], err
		}
	}
	return works, err
}

func (t *tx) eventsOf(ids string, at map[string]*jobs.Record) error {
	return t.each(`SELECT job_id, `+eventColumns+` FROM job_events WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id, seq`,
		[]any{ids}, func(r scanner) error {
			var id string
			e, err := scanEvent(r, &id)
			if err == nil {
				at[id].Events = append(at[id].Events, e)
			}
			return err
		})
}

func (t *tx) exchangesOf(ids string, at map[string]*jobs.Record) error {
	err := t.each(`SELECT `+exchangeColumns+`, job_id FROM job_exchanges WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id, seq`,
		[]any{ids}, func(r scanner) error {
			var id string
			_, x, err := scanExchange(r, &id)
			if err == nil {
				at[id].Exchanges = append(at[id].Exchanges, x)
			}
			return err
		})
	for _, r := range at {
		if more := len(r.Exchanges) - jobs.MaxExchanges; more > 0 {
			r.Exchanges = r.Exchanges[more:]
		}
	}
	return err
}

func (t *tx) currentOf(ids string, at map[string]*jobs.Record) error {
	return t.each(`SELECT job_id, kind, sha256 FROM job_payloads WHERE job_id IN (SELECT value FROM json_each(?1))
		UNION ALL SELECT j.id, 'answer', a.sha256 FROM `+answersOf, []any{ids}, func(row scanner) error {
		var id, kind, sha string
		if err := row.Scan(&id, &kind, &sha); err != nil {
			return err
		}
		r := at[id]
		if r.Current == nil {
			r.Current = map[jobs.PayloadKind]string{}
		}
		r.Current[jobs.PayloadKind(kind)] = sha
		return nil
	})
}

// unpackAll reads the bodies.
func (t *tx) unpackAll(ids string, at map[string]*jobs.Record) error {
	return t.each(`SELECT x.job_id, p.sha256, p.enc, p.body FROM `+bodiesOf+`
		UNION ALL SELECT j.id, a.sha256, a.enc, a.body FROM `+answersOf, []any{ids}, func(row scanner) error {
		var id, sha, enc string
		var packed []byte
		if err := row.Scan(&id, &sha, &enc, &packed); err != nil {
			return err
		}
		body, err := deflate.Unpack(enc, packed)
		if err != nil {
			return err
		}
		r := at[id]
		if r.Bodies == nil {
			r.Bodies = map[string][]byte{}
		}
		r.Bodies[sha] = body
		return nil
	})
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
