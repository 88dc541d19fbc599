package store

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"darkroom/jobs"
)

// The number of jobs that one transaction of a prune removes begins with the first, and
// follows the time that it takes: others write meanwhile. Jobs removed together share most of
// the pages that change, so that small portions write each of them many times.
const (
	prunePortion = 50
	leastPortion = 10
	mostPortion  = 2000
	pruneFor     = 180 * time.Millisecond
)

// What the connection keeps in memory, in KiB: usually SQLite's own default. What a portion changes and
// does not fit is written to the log before its end, and read again, several times.
const (
	usualCache = 2000
	pruneCache = 16_000
)

// nextPortion is the size of the portion that follows one of n jobs, by how long that one took.
func nextPortion(n int, took time.Duration) int {
	switch {
	case took > 2*pruneFor:
		return max(n/2, leastPortion)
	case took < pruneFor/2:
		return min(2*n, mostPortion)
	}
	return n
}

// maxBreath bounds the time that is left to others between two portions.
const maxBreath = 100 * time.Millisecond

// endedStates returns the ended states among those wanted (all, if want is empty) as arguments,
// with their marks in SQL.
func endedStates(want []jobs.State) (marks string, args []any) {
	var list []string
	for _, st := range jobs.States() {
		if !st.Ended() {
			continue
		}
		keep := len(want) == 0
		for _, w := range want {
			keep = keep || w == st
		}
		if keep {
			list = append(list, "?")
			args = append(args, string(st))
		}
	}
	return strings.Join(list, ", "), args
}

// victims selects the ids (and search rows) of what p removes, to be followed by afterOne or
// stillThese. It is "" when p removes nothing.
func (t *tx) victims(p jobs.Prune) (query string, args []any, err error) {
	marks, states := endedStates(p.States)
	if marks == "" {
		return "", nil, nil
	}
	of := `j.state IN (` + marks + `)`
	args = states
	if p.Profile != "" {
		of += ` AND j.profile = ?`
		args = append(args, p.Profile)
	}
	below := ""
	if p.Newest > 0 {
		found := false
		err := t.each(`SELECT j.id FROM jobs j WHERE `+of+` ORDER BY j.id DESC LIMIT 1 OFFSET ?`,
			append(args[:len(args):len(args)], p.Newest-1), func(r scanner) error {
				found = true
				return r.Scan(&below)
			})
		if err != nil || !found { // there are not so many
			return "", nil, err
		}
		of += ` AND j.id < ?`
		args = append(args, below)
	}
	keep, err := jsonList(p.Keep)
	if err != nil {
		return "", nil, err
	}
	before := int64(math.MaxInt64)
	if !p.Before.IsZero() {
		before = millis(p.Before)
	}
	return `SELECT j.n, j.id FROM jobs j CROSS JOIN job_polls p ON p.job_id = j.id WHERE ` + of + `
		AND iif(j.ended_at > 0, j.ended_at, j.updated_at) < ?
		AND p.next_poll_at = 0 AND p.lease_owner = ''
		AND NOT EXISTS (SELECT 1 FROM job_tags t WHERE t.job_id = j.id AND (? OR t.tag IN (SELECT value FROM json_each(?))))`,
		append(args, before, p.KeepTagged, keep), nil
}

const (
	afterOne   = ` AND j.id > ? ORDER BY j.id LIMIT ?`
	stillThese = ` AND j.id IN (SELECT value FROM json_each(?)) ORDER BY j.id`
)

// chosen are jobs that a prune removes: their search rows and ids.
type chosen struct {
	rows []int64
	ids  []string
}

func (t *tx) choose(query string, args ...any) (c chosen, err error) {
	err = t.each(query, args, func(r scanner) error {
		var row int64
		var id string
		err := r.Scan(&row, &id)
		c.rows, c.ids = append(c.rows, row), append(c.ids, id)
		return err
	})
	return c, err
}

// Prune implements jobs.Store, in portions. The pages that it frees stay in the file and
// are used again.
func (s *SQLite) Prune(ctx context.Context, p jobs.Prune) (jobs.Pruned, error) {
	if p.Dry {
		return s.pruneDry(ctx, p)
	}
	var sum jobs.Pruned
	// What stays of the newest is settled once: jobs that end meanwhile are not older.
	query, args, err := s.reader(ctx).victims(p)
	if err != nil || query == "" {
		return sum, explain(s.path, err)
	}
	if err := s.w.cache(ctx, pruneCache); err != nil {
		return sum, explain(s.path, err)
	}
	defer func() { _ = s.w.cache(context.WithoutCancel(ctx), usualCache) }() // the next prune sets it anew
	after, portion := "", prunePortion
	for {
		// They are looked for outside the transaction: the search may take long where there are
		// few.
		maybe, err := s.reader(ctx).choose(query+afterOne, append(args[:len(args):len(args)], after, portion)...)
		if err != nil || len(maybe.ids) == 0 {
			return sum, explain(s.path, err)
		}
		after = maybe.ids[len(maybe.ids)-1]
		list, err := jsonList(maybe.ids)
		if err != nil {
			return sum, err
		}
		start := time.Now()
		var part jobs.Pruned
		err = s.tx(ctx, func(t *tx) error {
			still, err := t.choose(query+stillThese, append(args[:len(args):len(args)], list)...)
			if err != nil || len(still.ids) == 0 {
				return err
			}
			part.Jobs = len(still.ids)
			part.Bytes, err = t.remove(still)
			return err
		})
		if err != nil {
			return sum, err
		}
		sum.Jobs += part.Jobs
		sum.Bytes += part.Bytes
		if p.Tell != nil {
			p.Tell(sum)
		}
		took := time.Since(start)
		portion = nextPortion(portion, took)
		if err := breathe(ctx, took); err != nil {
			return sum, err
		}
	}
}

// breathe leaves the history to others for a while after a long transaction: a process that waits
// for the end of one looks only now and then, and would find the next one under way.
func breathe(ctx context.Context, took time.Duration) error {
	return rest(ctx, min(took/4, maxBreath))
}

// remove deletes jobs with everything of them, and returns the size of the bodies that
// nothing needs any more.
func (t *tx) remove(c chosen) (size int64, err error) {
	list, err := jsonList(c.ids)
	if err != nil {
		return 0, err
	}
	var bodies []string
	err = t.each(`SELECT sha256 FROM job_payloads WHERE job_id IN (SELECT value FROM json_each(?1))
		UNION SELECT payload FROM job_events WHERE job_id IN (SELECT value FROM json_each(?1)) AND payload <> ''`,
		[]any{list}, func(r scanner) error {
			var sha string
			err := r.Scan(&sha)
			bodies = append(bodies, sha)
			return err
		})
	if err != nil {
		return 0, err
	}
	err = t.row(`SELECT coalesce(sum(size), 0) FROM job_answers WHERE n IN (
		SELECT n FROM jobs WHERE id IN (SELECT value FROM json_each(?)))`, list).Scan(&size)
	if err != nil {
		return 0, err
	}
	rows, err := json.Marshal(c.rows)
	if err != nil {
		return 0, err
	}
	if err := t.unindex(string(rows)); err != nil {
		return 0, err
	}
	// What belongs to them goes table by table, and the jobs after it: left to the cascade, each of
	// their rows would look into each of the tables.
	for _, table := range ofJobs() {
		if _, err := t.exec(`DELETE FROM `+table+` WHERE job_id IN (SELECT value FROM json_each(?))`, list); err != nil {
			return 0, err
		}
	}
	if _, err := t.exec(`DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))`, list); err != nil {
		return 0, err
	}
	gone, err := t.dropPayloads(bodies)
	return size + gone, err
}

// unindex removes rows of the search index. Each one counts as a page written, and once a tenth of a
// segment is gone FTS5 would merge it in steps of some hundred pages: for many rows that was two
// thirds of a prune. What is written later merges it, bit by bit.
func (t *tx) unindex(rows string) error {
	const merge = `INSERT INTO jobs_fts (jobs_fts, rank) VALUES ('deletemerge', ?)`
	const usual = 10 // per cent, as FTS5 has it by itself
	if _, err := t.exec(merge, 0); err != nil {
		return err
	}
	if _, err := t.exec(`DELETE FROM jobs_fts WHERE rowid IN (SELECT value FROM json_each(?))`, rows); err != nil {
		return err
	}
	_, err := t.exec(merge, usual)
	return err
}

// dropPayloads removes those bodies that nothing names any more, and returns their size.
func (t *tx) dropPayloads(shas []string) (size int64, err error) {
	list, err := jsonList(shas)
	if err != nil {
		return 0, err
	}
	err = t.each(`DELETE FROM payloads WHERE sha256 IN (SELECT value FROM json_each(?))
		AND NOT EXISTS (SELECT 1 FROM job_payloads k WHERE k.sha256 = payloads.sha256)
		AND NOT EXISTS (SELECT 1 FROM job_events e WHERE e.payload = payloads.sha256 AND e.payload <> '') RETURNING size`,
		[]any{list}, func(r scanner) error {
			var n int64
			err := r.Scan(&n)
			size += n
			return err
		})
	return size, err
}

// pruneDry counts what Prune would remove.
func (s *SQLite) pruneDry(ctx context.Context, p jobs.Prune) (sum jobs.Pruned, err error) {
	err = s.snapshot(ctx, func(t *tx) error {
		query, args, err := t.victims(p)
		if err != nil || query == "" {
			return err
		}
		const count = `, body (sha) AS MATERIALIZED (
			SELECT k.sha256 FROM job_payloads k JOIN victim v ON v.id = k.job_id
			UNION SELECT e.payload FROM job_events e JOIN victim v ON v.id = e.job_id WHERE e.payload <> '')
			SELECT (SELECT count(*) FROM victim), (SELECT coalesce(sum(a.size), 0) FROM victim v JOIN job_answers a ON a.n = v.n)
			+ (SELECT coalesce(sum(p.size), 0) FROM body b JOIN payloads p ON p.sha256 = b.sha
			WHERE NOT EXISTS (SELECT 1 FROM job_payloads k WHERE k.sha256 = b.sha AND k.job_id NOT IN (SELECT id FROM victim))
			AND NOT EXISTS (SELECT 1 FROM job_events e WHERE e.payload = b.sha AND e.payload <> ''
				AND e.job_id NOT IN (SELECT id FROM victim)))`
		return t.row(`WITH victim (n, id) AS MATERIALIZED (`+query+afterOne+`)`+count, append(args, "", -1)...).
			Scan(&sum.Jobs, &sum.Bytes)
	})
	return sum, explain(s.path, err)
}
