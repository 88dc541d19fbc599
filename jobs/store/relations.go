package store

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

// relation is a rule between tables that no constraint holds by itself, or that a lost
// write could have broken.
type relation struct {
	name, text string
	count      string   // says how often it is broken
	repair     []string // "" for what cannot be repaired
}

// ofJobs are the tables whose rows belong to a job, by its id.
func ofJobs() []string {
	return []string{"job_ids", "job_polls", "job_payloads", "job_events", "job_results", "job_tags", "job_exchanges", "job_parents"}
}

// relations are looked at in this order, and repaired in it.
func relations() []relation {
	var out []relation
	for _, table := range ofJobs() {
		of := ` FROM ` + table + ` WHERE job_id NOT IN (SELECT id FROM jobs)`
		out = append(out, relation{"orphaned_" + table, "%d rows of " + table + " belong to no job",
			`SELECT count(*)` + of, []string{`DELETE` + of}})
	}
	const answers = ` FROM job_answers WHERE n NOT IN (SELECT n FROM jobs)`
	out = append(out, relation{"orphaned_job_answers", "%d rows of job_answers belong to no job",
		`SELECT count(*)` + answers, []string{`DELETE` + answers}})
	const (
		unnamed = ` FROM payloads WHERE NOT EXISTS (SELECT 1 FROM job_payloads k WHERE k.sha256 = payloads.sha256)
			AND NOT EXISTS (SELECT 1 FROM job_events e WHERE e.payload = payloads.sha256 AND e.payload <> '')`
		idle = ` FROM jobs WHERE id NOT IN (SELECT job_id FROM job_polls)`
		hung = ` FROM job_payloads WHERE sha256 NOT IN (SELECT sha256 FROM payloads)`
	)
	return append(out,
		relation{"jobs_without_work", "%d jobs have no row of work and are not shown", `SELECT count(*)` + idle, []string{
			`INSERT INTO job_polls (job_id, next_poll_at, attempts, backoff, lease_owner, lease_token, lease_until)
			SELECT id, 0, 0, 0, '', 1, 0` + idle}},
		relation{"missing_bodies", "%d bodies of jobs are missing", `SELECT count(*)` + hung, []string{`DELETE` + hung}},
		relation{"missing_event_bodies", "%d events name a body that is missing",
			`SELECT count(*) FROM job_events WHERE payload <> '' AND payload NOT IN (SELECT sha256 FROM payloads)`, nil},
		relation{"orphaned_bodies", "%d bodies are needed by no job", `SELECT count(*)` + unnamed, []string{`DELETE` + unnamed}},
		relation{"search_index", "the search index differs by %d jobs from the history",
			`SELECT (SELECT count(*) FROM jobs WHERE n NOT IN (SELECT id FROM jobs_fts_docsize))
				+ (SELECT count(*) FROM jobs_fts_docsize WHERE id NOT IN (SELECT n FROM jobs))`,
			[]string{`INSERT INTO jobs_fts (jobs_fts) VALUES ('delete-all')`, indexAll}},
	)
}

// indexAll fills an empty search index, as search does for one job.
const indexAll = `INSERT INTO jobs_fts (rowid, prompt, ids, title, error, note, tags, remark)
	SELECT n,
		coalesce(json_extract(draft, '$.prompt'), '') || char(10, 10),
		id || ' ' || coalesce((SELECT group_concat(ext_id, ' ' ORDER BY pos) FROM job_ids WHERE job_id = id), '') || char(10, 10),
		title || char(10, 10),
		iif(error = '', '', coalesce(json_extract(error, '$.code'), '') || ' ' || coalesce(json_extract(error, '$.message'), ''))
			|| coalesce((SELECT char(10) || group_concat(message, char(10)) FROM (
				SELECT DISTINCT message FROM job_events e WHERE e.job_id = jobs.id AND ` + told + `)), '')
			|| char(10, 10),
		note || char(10, 10),
		coalesce((SELECT group_concat(tag, ' ' ORDER BY tag) FROM job_tags WHERE job_id = id), '') || char(10, 10),
		remark || char(10, 10)
	FROM jobs`

// relations counts what is broken between tables, and repairs it.
func (x *examination) relations(ctx context.Context) error {
	for _, r := range relations() {
		var n int64
		if err := x.s.reader(ctx).row(r.count).Scan(&n); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if n == 0 {
			continue
		}
		f := jobs.Finding{Name: r.name, Count: n, Text: fmt.Sprintf(r.text, n), Fixable: len(r.repair) > 0}
		if x.fix && f.Fixable {
			err := x.s.tx(ctx, func(t *tx) error {
				for _, stmt := range r.repair {
					if _, err := t.exec(stmt); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			f.Fixed = true
		}
		x.h.Findings = append(x.h.Findings, f)
	}
	return nil
}

// bodies unpacks each body and compares it with its hash.
func (x *examination) bodies(ctx context.Context) error {
	var bad int64
	var named []string
	err := x.s.reader(ctx).each(`SELECT sha256, enc, size, body FROM payloads
		UNION ALL SELECT sha256, enc, size, body FROM job_answers`, nil, func(r scanner) error {
		var sha, enc string
		var size int
		var packed []byte
		if err := r.Scan(&sha, &enc, &size, &packed); err != nil {
			return err
		}
		body, err := deflate.Unpack(enc, packed)
		if err == nil && len(body) == size && jobs.PayloadSHA(body) == sha {
			return nil
		}
		if bad++; bad <= maxNamed {
			named = append(named, sha)
		}
		return nil
	})
	if err != nil || bad == 0 {
		return err
	}
	x.changed = &jobs.Finding{Name: "changed_bodies", Count: bad, Named: named,
		Text: fmt.Sprintf("%d bodies are not what their SHA-256 says", bad)}
	return nil
}

// Naming returns the jobs that name one of the paths, in their drafts or as files that were saved for
// them, by path. It reads the drafts with local files, which are few.
func (s *SQLite) Naming(ctx context.Context, paths []string) (map[string][]string, error) {
	t := s.reader(ctx)
	out := map[string][]string{}
	list, err := jsonList(paths)
	if err != nil {
		return nil, err
	}
	err = t.each(`SELECT job_id, path FROM job_results WHERE path IN (SELECT value FROM json_each(?))`, []any{list},
		func(r scanner) error {
			var id, path string
			err := r.Scan(&id, &path)
			out[path] = append(out[path], id)
			return err
		})
	if err != nil {
		return nil, explain(s.path, err)
	}
	wanted := map[string]string{}
	for _, p := range paths {
		wanted[filepath.Clean(p)] = p
	}
	err = t.each(`SELECT id, draft FROM jobs WHERE instr(draft, '"file://') > 0`, nil, func(r scanner) error {
		var id, draft string
		if err := r.Scan(&id, &draft); err != nil {
			return err
		}
		var d client.Draft
		if json.Unmarshal([]byte(draft), &d) != nil {
			return nil // nobody can send it either
		}
		for _, f := range d.LocalFiles() {
			if path, is := wanted[filepath.Clean(f.Path())]; is {
				out[path] = append(out[path], id)
			}
		}
		return nil
	})
	return out, explain(s.path, err)
}
