package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

// pageSize is the number of jobs of a page when the query names none, maxPage bounds it.
const (
	pageSize = 50
	maxPage  = 10000
)

// again runs fn, which only reads or may be done twice, and runs it again when a connection of the
// pool turns out to be dead, as all are after a restart of the server.
func (s *Store) again(ctx context.Context, fn func() error) error {
	for try := int32(0); ; try++ {
		err := fn()
		if err == nil || ctx.Err() != nil || try > s.pool.Config().MaxConns || !dead(err) {
			return err
		}
	}
}

// dead reports whether an error is that of a connection that broke, rather than the server's answer
// or a failure to connect.
func dead(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return false
	}
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(pe.Code, "57P") // the server ends
	}
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

// Get implements jobs.Store.
func (s *Store) Get(ctx context.Context, id string) (w jobs.Work, err error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	err = s.again(ctx, func() (err error) {
		w, err = s.scanWork(s.pool.QueryRow(ctx, `SELECT `+table().Select+fromJobs+`WHERE j.id = $1`, text(id)))
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return jobs.Work{}, jobs.ErrNotFound
	}
	return w, s.explain(err)
}

// List implements jobs.Store, by keyset: a page costs the same wherever it lies.
func (s *Store) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	limit := q.Limit
	if limit <= 0 {
		limit = pageSize
	}
	limit = min(limit, maxPage)
	have, err := s.wholeIDs(ctx, q.Text)
	if err != nil {
		return jobs.Page{}, s.explain(err)
	}
	query, args := listQuery(q, have, limit+1, s.skew.millis)
	var works []jobs.Work
	var keys []string
	err = s.again(ctx, func() error {
		rows, err := s.pool.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		keys = keys[:0]
		works, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (jobs.Work, error) {
			var key string
			w, err := s.scanWork(r, &key)
			keys = append(keys, key)
			return w, err
		})
		return err
	})
	if err != nil {
		return jobs.Page{}, s.explain(err)
	}
	order := dialect.OrderOf(q.Sort)
	page := jobs.Page{Jobs: make([]jobs.Job, 0, min(len(works), limit))}
	for i, w := range works {
		if i == limit {
			page.Next = order.Cursor(works[i-1].Job.ID, keys[i-1])
			break
		}
		page.Jobs = append(page.Jobs, w.Job)
	}
	return page, nil
}

// Detail implements jobs.Store, as one state of the job.
func (s *Store) Detail(ctx context.Context, id string) (jobs.Detail, error) {
	var d jobs.Detail
	err := s.snapshot(ctx, func(t *tx) error {
		d = jobs.Detail{}
		list := []string{text(id)}
		t.row(func(r pgx.Row) error {
			w, err := s.scanWork(r)
			d.Job = w.Job
			return err
		}, `SELECT `+table().Select+fromJobs+`WHERE j.id = $1`, list[0])
		t.events(func(_ string, e jobs.Event) { d.Events = append(d.Events, e) }, list)
		t.exchanges(func(_ string, _ int, x jobs.Exchange) { d.Exchanges = append(d.Exchanges, x) }, list)
		t.each(func(r pgx.Row) error {
			var kind, enc string
			var body []byte
			err := r.Scan(&kind, &enc, &body)
			if err == nil {
				body, err = deflate.Unpack(enc, body)
			}
			switch jobs.PayloadKind(kind) {
			case jobs.PayloadRequest:
				d.Request = body
			case jobs.PayloadAnswer:
				d.Answer = body
			}
			return err
		}, `SELECT k.kind, p.enc, p.body FROM job_payloads k JOIN payloads p ON p.sha256 = k.sha256
			WHERE k.job_id = $1 AND k.kind = ANY($2)`, list[0], texts([]jobs.PayloadKind{jobs.PayloadRequest, jobs.PayloadAnswer}))
		return nil
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return jobs.Detail{}, jobs.ErrNotFound
	}
	return d, err
}

// Payload implements jobs.Store.
func (s *Store) Payload(ctx context.Context, id string, kind jobs.PayloadKind) (body []byte, err error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	var enc string
	err = s.again(ctx, func() error {
		return s.pool.QueryRow(ctx, `SELECT p.enc, p.body FROM job_payloads k JOIN payloads p ON p.sha256 = k.sha256
			WHERE k.job_id = $1 AND k.kind = $2`, text(id), text(string(kind))).Scan(&enc, &body)
	})
	if err == nil {
		body, err = deflate.Unpack(enc, body)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, jobs.ErrNotFound
	}
	return body, s.explain(err)
}

// snapshot reads from one state of the history, whatever is written meanwhile; what fn leaves
// queued is read at its end. fn may be run again.
func (s *Store) snapshot(ctx context.Context, fn func(*tx) error) error {
	ctx, cancel := limit(ctx)
	defer cancel()
	return s.explain(s.again(ctx, func() error { return s.snapshotOnce(ctx, fn) }))
}

func (s *Store) snapshotOnce(ctx context.Context, fn func(*tx) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	t := &tx{s: s, ctx: ctx, conn: conn, batch: &pgx.Batch{}}
	t.exec("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	if err = fn(t); err == nil {
		t.exec("COMMIT")
		err = t.flush()
	}
	if err != nil && !conn.Conn().IsClosed() && conn.Conn().PgConn().TxStatus() != 'I' {
		t.rollback()
	}
	return err
}
