package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

const (
	// recordsLimit is how many records Records reads when the caller names no number.
	recordsLimit = 100
	// recordsBytes ends a page of records early, by the size of their bodies.
	recordsBytes = 32 << 20
)

// Records implements jobs.Store; a page is one state of the history.
func (s *Store) Records(ctx context.Context, after string, limit int) (out []jobs.Record, err error) {
	if limit <= 0 {
		limit = recordsLimit
	}
	err = s.snapshot(ctx, func(t *tx) error {
		out = nil
		at := map[string]int{}
		size := int64(0)
		t.each(func(r pgx.Row) error {
			var bytes int64
			w, err := s.scanWork(r, &bytes)
			if err != nil || size >= recordsBytes {
				return err
			}
			size += bytes
			w.Job.NextPollAt = time.Time{}
			at[w.Job.ID] = len(out)
			out = append(out, jobs.Record{Job: w.Job, Due: w.Due})
			return nil
		}, `SELECT `+table().Select+`, (SELECT coalesce(sum(p.size), 0)::bigint FROM job_bodies b JOIN payloads p ON p.sha256 = b.sha256 WHERE b.job_id = j.id)`+
			fromJobs+`WHERE j.id > $1 ORDER BY j.id LIMIT $2`, text(after), limit)
		if err := t.flush(); err != nil {
			return err
		}
		t.parts(func(id string) *jobs.Record { return &out[at[id]] }, slices.Collect(maps.Keys(at)))
		return nil
	})
	return out, err
}

// parts queues the reading of everything that belongs to jobs beside their rows.
func (t *tx) parts(of func(id string) *jobs.Record, list []string) {
	t.events(func(id string, e jobs.Event) { of(id).Events = append(of(id).Events, e) }, list)
	t.exchanges(func(id string, _ int, x jobs.Exchange) { of(id).Exchanges = append(of(id).Exchanges, x) }, list)
	t.each(func(r pgx.Row) error {
		var id, kind, sha string
		if err := r.Scan(&id, &kind, &sha); err != nil {
			return err
		}
		rec := of(id)
		if rec.Current == nil {
			rec.Current = map[jobs.PayloadKind]string{}
		}
		rec.Current[jobs.PayloadKind(kind)] = sha
		return nil
	}, `SELECT job_id, kind, sha256 FROM job_payloads WHERE job_id = ANY($1)`, list)
	t.each(func(r pgx.Row) error {
		var id, sha, enc string
		var body []byte
		err := r.Scan(&id, &sha, &enc, &body)
		if err == nil {
			body, err = deflate.Unpack(enc, body)
		}
		if err != nil {
			return err
		}
		rec := of(id)
		if rec.Bodies == nil {
			rec.Bodies = map[string][]byte{}
		}
		rec.Bodies[sha] = body
		return nil
	}, `SELECT b.job_id, p.sha256, p.enc, p.body FROM job_bodies b JOIN payloads p ON p.sha256 = b.sha256 WHERE b.job_id = ANY($1)`, list)
}

// Import implements jobs.Store.
func (s *Store) Import(ctx context.Context, records []jobs.Record) (added int, err error) {
	ids := make([]string, len(records))
	for i := range records {
		if err := records[i].Check(); err != nil {
			return 0, err
		}
		ids[i] = records[i].Job.ID
	}
	err = s.write(ctx, func(t *tx) error {
		added = 0
		have := map[string]bool{}
		t.each(func(r pgx.Row) error {
			var id string
			err := r.Scan(&id)
			have[id] = true
			return err
		}, `SELECT id FROM jobs WHERE id = ANY($1)`, ids)
		if err := t.flush(); err != nil {
			return err
		}
		bodies := map[string][]byte{}
		var fresh []*jobs.Record
		for i := range records {
			if have[ids[i]] {
				continue
			}
			have[ids[i]] = true
			fresh = append(fresh, &records[i])
			maps.Copy(bodies, records[i].Bodies)
		}
		t.keep(bodies)
		for _, r := range fresh {
			if err := t.importOne(r); err != nil {
				return err
			}
		}
		added = len(fresh)
		t.tells = added > 0
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// importOne queues one record, whose bodies are kept already.
func (t *tx) importOne(r *jobs.Record) error {
	j := r.Job
	j.Strange()
	if err := t.insert(&jobs.Change{Job: j, Events: r.Events, Exchanges: r.Exchanges, Due: r.Due}); err != nil {
		return err
	}
	t.own(r.Job.ID, slices.Sorted(maps.Keys(r.Bodies)))
	for _, kind := range slices.Sorted(maps.Keys(r.Current)) {
		t.current(r.Job.ID, kind, r.Current[kind])
	}
	t.sweep(r.Job.ID)
	return nil
}

// Count is the number of jobs.
func (s *Store) Count(ctx context.Context) (n int64, err error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	err = s.again(ctx, func() error { return s.pool.QueryRow(ctx, `SELECT count(*) FROM jobs`).Scan(&n) })
	return n, s.explain(err)
}

// Every implements jobs.Store.
func (s *Store) Every(ctx context.Context, n int) (ids []string, err error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	err = s.again(ctx, func() error {
		rows, err := s.pool.Query(ctx, `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS at FROM jobs) x WHERE at % $1 = 0 ORDER BY id`, n)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return ids, s.explain(err)
}
