package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

// maxNamed is how many examples a finding names.
const maxNamed = 10

// Health is what Examine saw.
type Health struct {
	Place       string         `json:"place"` // the address without a password
	Server      string         `json:"server"`
	Schema      int            `json:"schema"` // version
	Answer      time.Duration  `json:"answer"` // of the server to a question
	ClockAhead  time.Duration  `json:"clock_ahead"`
	Connections int            `json:"connections"` // of all programs to this server
	MaxConns    int            `json:"max_connections"`
	Durable     bool           `json:"durable"` // commits wait for the server's disk
	Trigrams    bool           `json:"trigrams"`
	Jobs        int64          `json:"jobs"`
	Active      int64          `json:"active"`
	Bodies      int64          `json:"bodies"`
	BodyBytes   int64          `json:"body_bytes"` // before compression
	Bytes       int64          `json:"bytes"`      // of all tables and indexes
	Upkeep      time.Time      `json:"upkeep,omitzero"`
	Leases      []jobs.Lease   `json:"leases"`
	Findings    []jobs.Finding `json:"findings"`
}

// Sound reports whether nothing is wrong that was not fixed.
func (h *Health) Sound() bool {
	for _, f := range h.Findings {
		if !f.Fixed {
			return false
		}
	}
	return true
}

// Examine looks through the whole history while others work on it, and with fix repairs what
// can be repaired without losing anything. It reads every body.
func (s *Store) Examine(ctx context.Context, fix bool) (*Health, error) {
	x := examination{s: s, h: &Health{Place: s.place, Leases: []jobs.Lease{}, Findings: []jobs.Finding{}}, fix: fix}
	for _, step := range []func(context.Context) error{x.server, x.numbers, x.relations, x.bodies, x.leases, x.triggers} {
		if err := step(ctx); err != nil {
			return x.h, s.explain(err)
		}
	}
	return x.h, nil
}

// examination is one look through a history.
type examination struct {
	s   *Store
	h   *Health
	fix bool
}

func (x *examination) server(ctx context.Context) error {
	if err := x.s.sync(ctx); err != nil {
		return err
	}
	begin := time.Now()
	if _, err := x.s.pool.Exec(ctx, "SELECT 1"); err != nil {
		return err
	}
	x.h.Answer, x.h.ClockAhead = time.Since(begin), x.s.skew.get()
	return x.s.pool.QueryRow(ctx, `SELECT current_setting('server_version'), (SELECT version FROM darkroom_schema),
		(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'), current_setting('max_connections')::int,
		current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off',
		to_regclass('job_search_words') IS NOT NULL`).
		Scan(&x.h.Server, &x.h.Schema, &x.h.Connections, &x.h.MaxConns, &x.h.Durable, &x.h.Trigrams)
}

func (x *examination) numbers(ctx context.Context) error {
	var upkeep int64
	err := x.s.pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM jobs),
		(SELECT count(*) FROM jobs WHERE state IN ('planned', 'submitting', 'queued', 'running', 'unknown')),
		(SELECT count(*) FROM payloads), (SELECT coalesce(sum(size), 0)::bigint FROM payloads),
		(SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
			WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'jobs'::regclass) AND c.relkind = 'r'),
		(SELECT coalesce(max(at), 0) FROM upkeep)`).
		Scan(&x.h.Jobs, &x.h.Active, &x.h.Bodies, &x.h.BodyBytes, &x.h.Bytes, &upkeep)
	x.h.Upkeep = x.s.skew.time(upkeep)
	return err
}

// relations looks for rows whose counterparts are missing.
func (x *examination) relations(ctx context.Context) error {
	for _, look := range []struct {
		f     jobs.Finding
		query string
		fix   func() error
	}{
		{jobs.Finding{Name: "orphaned_bodies", Text: "kept bodies belong to no job; the upkeep removes them once a day", Fixable: true},
			nobodys, func() error { _, err := x.s.freeBodies(ctx); return err }},
		{jobs.Finding{Name: "missing_bodies", Text: "events name bodies that are not there"},
			`SELECT e.job_id || ' ' || e.payload FROM job_events e WHERE e.payload <> ''
			AND NOT EXISTS (SELECT 1 FROM job_bodies b WHERE b.job_id = e.job_id AND b.sha256 = e.payload)`, nil},
		{jobs.Finding{Name: "jobs_without_work", Text: "jobs have no row in work: nobody can see or change them"},
			`SELECT j.id FROM jobs j WHERE NOT EXISTS (SELECT 1 FROM work w WHERE w.job_id = j.id)`, nil},
		{jobs.Finding{Name: "jobs_not_searched", Text: "jobs have no row in job_search: a search does not find them"},
			`SELECT j.id FROM jobs j WHERE NOT EXISTS (SELECT 1 FROM job_search w WHERE w.job_id = j.id)`, nil},
		{jobs.Finding{Name: "event_numbers", Text: "jobs have more or fewer events than they count"},
			`SELECT w.job_id FROM work w WHERE w.events <> (SELECT coalesce(max(e.seq), 0) FROM job_events e WHERE e.job_id = w.job_id)`, nil},
	} {
		f := look.f
		rows, err := x.s.pool.Query(ctx, `WITH found AS (`+look.query+`) SELECT *, count(*) OVER () FROM found LIMIT $1`, maxNamed)
		if err != nil {
			return err
		}
		f.Named, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (name string, err error) {
			err = r.Scan(&name, &f.Count)
			return name, err
		})
		if err != nil {
			return err
		}
		if f.Count == 0 {
			continue
		}
		if x.fix && look.fix != nil {
			if err := look.fix(); err != nil {
				return err
			}
			f.Fixed = true
		}
		f.Text = fmt.Sprintf("%d %s", f.Count, f.Text)
		x.h.Findings = append(x.h.Findings, f)
	}
	return nil
}

// bodies reads every body and compares it with its sum.
func (x *examination) bodies(ctx context.Context) error {
	f := jobs.Finding{Name: "damaged_bodies"}
	rows, err := x.s.pool.Query(ctx, `SELECT sha256, enc, size, body FROM payloads`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var sha, enc string
		var size int64
		var body []byte
		if err := rows.Scan(&sha, &enc, &size, &body); err != nil {
			return err
		}
		body, err := deflate.Unpack(enc, body)
		if err == nil && int64(len(body)) == size && jobs.PayloadSHA(body) == sha {
			continue
		}
		if f.Count++; f.Count <= maxNamed {
			f.Named = append(f.Named, sha)
		}
	}
	if err := rows.Err(); err != nil || f.Count == 0 {
		return err
	}
	f.Text = fmt.Sprintf("%d kept bodies are not what was written: the server's disk, or somebody's hand; a backup has them", f.Count)
	x.h.Findings = append(x.h.Findings, f)
	return nil
}

// Leases implements jobs.Leaser.
func (s *Store) Leases(ctx context.Context) ([]jobs.Lease, error) {
	rows, err := s.pool.Query(ctx, `SELECT w.lease_owner, count(*),
		max(w.lease_until) > $1 OR EXISTS (SELECT 1 FROM pollers o WHERE o.owner = w.lease_owner AND o.lease_until > $1)
		FROM work w WHERE w.lease_owner <> '' GROUP BY w.lease_owner ORDER BY w.lease_owner`, s.skew.millis(s.skew.wall()))
	if err != nil {
		return nil, s.explain(err)
	}
	all, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (l jobs.Lease, err error) {
		err = r.Scan(&l.Owner, &l.Jobs, &l.Lives)
		return l, err
	})
	return all, s.explain(err)
}

// leases lists who holds jobs, and with fix releases those whose owners are gone.
func (x *examination) leases(ctx context.Context) (err error) {
	if x.h.Leases, err = x.s.Leases(ctx); err != nil {
		return err
	}
	f := jobs.Finding{Name: "expired_leases", Fixable: true}
	for _, l := range x.h.Leases {
		if l.Lives {
			continue
		}
		f.Count += int64(l.Jobs)
		f.Named = append(f.Named, l.Owner)
		if x.fix {
			if err := x.s.Release(ctx, l.Owner); err != nil {
				return err
			}
			f.Fixed = true
		}
	}
	if f.Count > 0 {
		f.Named = f.Named[:min(len(f.Named), maxNamed)]
		f.Text = fmt.Sprintf("%d jobs have a lease that has expired; any console or poller takes them over", f.Count)
		x.h.Findings = append(x.h.Findings, f)
	}
	return nil
}

// unknownTriggers selects triggers and rules on our tables that no migration made, and our own
// trigger if its function or its state is another.
const unknownTriggers = `SELECT 'the trigger ' || t.tgname || ' on ' || c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
		JOIN pg_proc p ON p.oid = t.tgfoid
		WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
		AND NOT (t.tgname = 'job_events_append' AND c.relname = 'job_events' AND t.tgenabled = 'O' AND p.proname = 'job_events_append')
	UNION ALL SELECT 'the rule ' || r.rulename || ' on ' || c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
		WHERE c.relnamespace = current_schema()::regnamespace AND r.rulename <> '_RETURN'
	ORDER BY 1`

// triggers reports such triggers and rules, which run with every write: one could have a job sent
// again. They are for the owner of the database to look at; nothing is done about them.
func (x *examination) triggers(ctx context.Context) error {
	rows, err := x.s.pool.Query(ctx, unknownTriggers)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) == 0 {
		return err
	}
	x.h.Findings = append(x.h.Findings, jobs.Finding{
		Name: "strange_triggers", Count: int64(len(names)), Named: names[:min(len(names), maxNamed)],
		Text: fmt.Sprintf("%d triggers or rules are on the tables that no darkroom made: they can change jobs behind your back; ask who owns the database", len(names)),
	})
	return nil
}
