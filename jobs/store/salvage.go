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

// strange removes from a history what only one kept on this machine can vouch for: see
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
	if err := asToday(ctx, db, to.readDB); err != nil {
		return err
	}
	from := &SQLite{path: aside, readDB: db}
	// Ids begin with the time of the submission: those of the last day before the backup are looked
	// at as well.
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
// records are read from, as migrations would have made them, without a change of the file.
func asToday(ctx context.Context, db, today *sql.DB) error {
	have, err := columnsOf(ctx, db)
	if err != nil {
		return err
	}
	want, err := columnsOf(ctx, today)
	if err != nil {
		return err
	}
	for table, columns := range want {
		lacks := ""
		for name, value := range columns {
			if _, there := have[table][name]; there {
				continue
			}
			if name == "proof" {
				value = "'" + jobs.ProofBefore + "'" // migration 6 gives it to what is there
			}
			lacks += ", " + value + " AS " + name
		}
		stmt := `CREATE TEMP VIEW ` + table + ` AS SELECT *` + lacks + ` FROM main.` + table //nolint:gosec // names of our own schema, which was checked
		switch {
		case lacks == "":
			continue
		case have[table] == nil: // an empty one
			stmt = `CREATE TEMP VIEW ` + table + ` AS SELECT ` + lacks[2:] + ` WHERE false`
		}
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}

// columnsOf lists the columns of each table, with what they are where nothing is said.
func columnsOf(ctx context.Context, db *sql.DB) (map[string]map[string]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT t.name, c.name, coalesce(c.dflt_value, 'NULL')
		FROM sqlite_schema t JOIN pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.sql LIKE 'CREATE TABLE %' AND t.name NOT LIKE 'jobs\_fts%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	out := map[string]map[string]string{}
	for rows.Next() {
		var table, name, value string
		if err := rows.Scan(&table, &name, &value); err != nil {
			return nil, err
		}
		if out[table] == nil {
			out[table] = map[string]string{}
		}
		out[table][name] = value
	}
	return out, rows.Err()
}

// idAt is the least id of jobs that were submitted at a time.
func idAt(t time.Time) string {
	h := fmt.Sprintf("%012x", max(0, t.UnixMilli()))
	return h[:8] + "-" + h[8:12] + "-0000-0000-000000000000"
}
