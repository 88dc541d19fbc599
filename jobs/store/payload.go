package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

// The sizes from which bodies are compressed: those that are kept for good, and answers that the
// next poll replaces, where compression pays only if it saves a page.
const (
	compressFrom    = 256
	compressAnswers = 2048
)

// keep writes a body, if it is not there yet.
func (t *tx) keep(sha string, body []byte) error {
	var n int
	if err := t.row(`SELECT count(*) FROM payloads WHERE sha256 = ?`, sha).Scan(&n); err != nil || n > 0 {
		return err
	}
	enc, packed := deflate.Pack(body, compressFrom)
	_, err := t.exec(`INSERT INTO payloads (sha256, enc, size, body) VALUES (?, ?, ?, ?)`, sha, enc, len(body), packed)
	return err
}

// bodies are what is kept of one job beside its row, within a transaction. of is the row as the
// write found it; what becomes of the answer is noted there.
type bodies struct {
	t  *tx
	of *row
}

// attach makes bodies the current ones of their kinds, and forgets those that
// nothing names any more. The events of the change are written already.
func (b bodies) attach(c *jobs.Change) error {
	if b.of.answer != "" && names(c.Events, b.of.answer) {
		if err := b.shareAnswer(); err != nil {
			return err
		}
	}
	for _, p := range c.Payloads {
		sha := jobs.PayloadSHA(p.Body)
		var err error
		if p.Kind == jobs.PayloadAnswer && !names(c.Events, sha) {
			err = b.keepAnswer(sha, p.Body)
		} else {
			err = b.share(p.Kind, sha, p.Body)
		}
		if err != nil {
			return err
		}
	}
	for _, k := range c.Forget {
		if err := b.forget(k); err != nil {
			return err
		}
	}
	return nil
}

// names reports whether one of the events names a body.
func names(events []jobs.Event, sha string) bool {
	return slices.ContainsFunc(events, func(e jobs.Event) bool { return e.PayloadSHA == sha })
}

// keepAnswer makes a body the current answer of a job, in the job's own row of answers.
func (b bodies) keepAnswer(sha string, body []byte) error {
	enc, packed := deflate.Pack(body, compressAnswers)
	_, err := b.t.exec(`INSERT INTO job_answers (n, sha256, enc, size, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (n) DO UPDATE SET sha256 = excluded.sha256, enc = excluded.enc, size = excluded.size, body = excluded.body`,
		b.of.n, sha, enc, len(body), packed)
	b.of.answer = sha
	if err != nil || b.of.shared == "" {
		return err
	}
	return b.unshare(jobs.PayloadAnswer)
}

// share keeps a body among those that events and other jobs may name.
func (b bodies) share(kind jobs.PayloadKind, sha string, body []byte) error {
	if err := b.t.keep(sha, body); err != nil {
		return err
	}
	return b.point(kind, sha)
}

// point makes a kept body the current one of a kind.
func (b bodies) point(kind jobs.PayloadKind, sha string) error {
	id := b.of.Job.ID
	before, err := b.key(kind)
	if err != nil {
		return err
	}
	_, err = b.t.exec(`INSERT INTO job_payloads (job_id, kind, sha256) VALUES (?, ?, ?)
		ON CONFLICT (job_id, kind) DO UPDATE SET sha256 = excluded.sha256`, id, string(kind), sha)
	if err != nil {
		return err
	}
	if kind == jobs.PayloadAnswer {
		b.of.shared = sha
		if err := b.dropAnswer(); err != nil {
			return err
		}
	}
	_, err = b.t.dropPayload(before, sha)
	return err
}

// shareAnswer moves the job's own answer to where events can name it.
func (b bodies) shareAnswer() error {
	_, err := b.t.exec(`INSERT INTO payloads (sha256, enc, size, body) SELECT sha256, enc, size, body FROM job_answers
		WHERE n = ? ON CONFLICT DO NOTHING`, b.of.n)
	if err != nil {
		return err
	}
	return b.point(jobs.PayloadAnswer, b.of.answer)
}

func (b bodies) forget(kind jobs.PayloadKind) error {
	if kind == jobs.PayloadAnswer {
		if err := b.dropAnswer(); err != nil {
			return err
		}
	}
	return b.unshare(kind)
}

// unshare takes a kind's body from a job, and drops the body if nothing else names it.
func (b bodies) unshare(kind jobs.PayloadKind) error {
	id := b.of.Job.ID
	sha, err := b.key(kind)
	if err != nil || sha == "" {
		return err
	}
	if _, err := b.t.exec(`DELETE FROM job_payloads WHERE job_id = ? AND kind = ?`, id, string(kind)); err != nil {
		return err
	}
	if kind == jobs.PayloadAnswer {
		b.of.shared = ""
	}
	_, err = b.t.dropPayload(sha, "")
	return err
}

func (b bodies) dropAnswer() error {
	if b.of.answer == "" {
		return nil
	}
	b.of.answer = ""
	_, err := b.t.exec(`DELETE FROM job_answers WHERE n = ?`, b.of.n)
	return err
}

func (b bodies) key(k jobs.PayloadKind) (sha string, err error) {
	err = b.t.row(`SELECT sha256 FROM job_payloads WHERE job_id = ? AND kind = ?`, b.of.Job.ID, string(k)).Scan(&sha)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return sha, err
}

// dropPayload deletes a body that no job and no event names, unless it is the one just written. It
// returns the size of what it deleted.
func (t *tx) dropPayload(sha, current string) (size int64, err error) {
	if sha == "" || sha == current {
		return 0, nil
	}
	err = t.row(`DELETE FROM payloads WHERE sha256 = ?1
		AND NOT EXISTS (SELECT 1 FROM job_payloads WHERE sha256 = ?1)
		AND NOT EXISTS (SELECT 1 FROM job_events WHERE payload = ?1 AND payload <> '') RETURNING size`, sha).Scan(&size)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return size, err
}

// Payload implements jobs.Store.
func (s *SQLite) Payload(ctx context.Context, id string, kind jobs.PayloadKind) ([]byte, error) {
	return s.reader(ctx).payload(id, kind)
}

func (t *tx) payload(id string, kind jobs.PayloadKind) ([]byte, error) {
	var enc string
	var packed []byte
	query := `SELECT p.enc, p.body FROM job_payloads k JOIN payloads p ON p.sha256 = k.sha256
		WHERE k.job_id = ?1 AND k.kind = ?2`
	if kind == jobs.PayloadAnswer {
		query += ` UNION ALL SELECT a.enc, a.body FROM jobs j JOIN job_answers a ON a.n = j.n WHERE j.id = ?1 LIMIT 1`
	}
	err := t.row(query, id, string(kind)).Scan(&enc, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, jobs.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return deflate.Unpack(enc, packed)
}

// KeptBytes is the size of the bodies that the events of a job name, before compression.
func (s *SQLite) KeptBytes(ctx context.Context, id string) (n int64, err error) {
	err = s.reader(ctx).row(`SELECT coalesce(sum(size), 0) FROM payloads WHERE sha256 IN (
		SELECT payload FROM job_events WHERE job_id = ? AND payload <> '')`, id).Scan(&n)
	return n, explain(s.path, err)
}
