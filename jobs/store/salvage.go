package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"darkroom/jobs"
)

// prepare brings a copy to where work can go on from it: no leases, and what was about to
// be sent is ambiguous.
func (r *Restored) prepare(ctx context.Context, part string) error {
	s, err := open(ctx, part)
	if err != nil {
		return err
	}
	return errors.Join(r.settleJobs(ctx, s), s.Close())
}

func (r *Restored) settleJobs(ctx context.Context, s *SQLite) error {
	var ids []string
	var last int64
	err := s.tx(ctx, func(t *tx) error {
		for _, stmt := range []string{
			`UPDATE job_polls SET lease_owner = '', lease_until = 0, lease_token = lease_token + 1 WHERE lease_owner <> ''`,
			`DELETE FROM pollers`,
		} {
			if _, err := t.exec(stmt); err != nil {
				return err
			}
		}
		if filepath.Dir(r.Backup) != BackupDir(r.Path) { // another person's, for all we know
			if err := t.strange(); err != nil {
				return err
			}
		}
		if err := t.row(`SELECT count(*), coalesce(max(updated_at), 0) FROM jobs`).Scan(&r.Jobs, &last); err != nil {
			return err
		}
		return t.each(`SELECT id FROM jobs WHERE state IN ('planned', 'submitting')`, nil, func(row scanner) error {
			var id string
			err := row.Scan(&id)
			ids = append(ids, id)
			return err
		})
	})
	if err != nil {
		return err
	}
	if r.From = fromMillis(last); last == 0 {
		if st, err := os.Stat(r.Backup); err == nil {
			r.From = st.ModTime()
		}
	}
	for _, id := range ids {
		_, err := s.Amend(ctx, id, func(w jobs.Work) (jobs.Change, error) {
			rec := jobs.Record{Job: w.Job}
			rec.Doubt(time.Now())
			return jobs.Change{Job: rec.Job, Events: rec.Events}, nil
		})
		if err != nil {
			return err
		}
		r.Doubt++
	}
	return nil
}

// strange takes from a history what only one that was kept on this machine can say: see
// [jobs.Job.Strange].
func (t *tx) strange() error {
	for _, table := range []string{"jobs", "job_results"} {
		if _, err := t.exec(`UPDATE `+table+` SET proof = '' WHERE proof = ?`, jobs.ProofBefore); err != nil {
			return err
		}
	}
	return nil
}

// salvage takes over what can still be read of newer jobs, as far as that goes.
func (r *Restored) salvage(ctx context.Context, aside string) {
	if err := r.salvageFrom(ctx, aside); err != nil {
		r.Unread = err.Error()
	}
}

func (r *Restored) salvageFrom(ctx context.Context, aside string) error {
	to, err := open(ctx, r.Path)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	db, err := sql.Open("sqlite", dsnOf(aside, "mode=ro"))
	if err != nil {
		return err
	}
	defer func() {
		_ = db.Close()
		_ = os.Remove(suspectPath(aside))
	}()
	db.SetMaxOpenConns(1) // which has what an older one lacks
	if err := asToday(ctx, db); err != nil {
		return err
	}
	from := &SQLite{path: aside, readDB: db}
	// Ids begin with the time of the submission: those of the last day before the backup
	// are looked at, too.
	for after := idAt(r.From.Add(-24 * time.Hour)); ; {
		page, err := from.Records(ctx, after, 20)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Job.ID
		for i := range page {
			doubt := page[i].Doubt(time.Now())
			if n, err := to.importAll(ctx, page[i:i+1]); err == nil && n > 0 {
				r.Saved++
				if doubt {
					r.Doubt++
				}
			}
		}
	}
}

// asToday gives a connection to a history of an older schema the tables and columns that
// records are read from, without a change of the file.
func asToday(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	const proof = `, 'before' AS proof`
	columns := ``
	if version < 2 {
		columns = `, '' AS remark, 0 AS paused`
	}
	if version < 6 {
		_, err := db.ExecContext(ctx, `CREATE TEMP VIEW jobs AS SELECT *`+columns+`, '' AS installation, '' AS warnings`+proof+` FROM main.jobs;
			CREATE TEMP VIEW job_results AS SELECT *`+proof+` FROM main.job_results`)
		if err != nil {
			return err
		}
	}
	lacks := []string{
		1: `CREATE TEMP TABLE job_exchanges (job_id, seq, at, kind, format, path, http_status, latency, request_id, raw_status, error)`,
		2: `CREATE TEMP TABLE job_answers (n, sha256, enc, size, body)`,
	}
	for v := max(version, 1); v < len(lacks); v++ {
		if _, err := db.ExecContext(ctx, lacks[v]); err != nil {
			return err
		}
	}
	return nil
}

// idAt is the least id of jobs that were submitted at a time.
func idAt(t time.Time) string {
	h := fmt.Sprintf("%012x", max(0, t.UnixMilli()))
	return h[:8] + "-" + h[8:12] + "-0000-0000-000000000000"
}
