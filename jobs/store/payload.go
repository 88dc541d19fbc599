package store

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"darkroom/jobs"
)

// The sizes from which bodies are compressed: those that are kept for good, and answers that
// the next poll replaces, for which a smaller row is worth no more than a page.
const (
	compressFrom    = 256
	compressAnswers = 2048
)

// maxPayload bounds a decompressed body: nothing larger is ever written.
const maxPayload = 1 << 30

// packers are used again: each has some hundred kilobytes of tables.
var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		return nil // not with this level
	}
	return w
}}

// pack compresses a body of a size and more, where that makes it smaller. It is never nil.
func pack(body []byte, from int) (enc string, packed []byte) {
	if body == nil {
		body = []byte{}
	}
	if len(body) < from {
		return "", body
	}
	w, ok := packers.Get().(*flate.Writer)
	if !ok {
		return "", body
	}
	defer packers.Put(w)
	var buf bytes.Buffer
	w.Reset(&buf)
	if _, err := w.Write(body); err != nil {
		return "", body
	}
	if err := w.Close(); err != nil || buf.Len() >= len(body) {
		return "", body
	}
	return "deflate", buf.Bytes()
}

func unpack(enc string, packed []byte) ([]byte, error) {
	switch enc {
	case "":
		return packed, nil
	case "deflate":
		r := flate.NewReader(bytes.NewReader(packed))
		body, err := io.ReadAll(io.LimitReader(r, maxPayload))
		return body, errors.Join(err, r.Close())
	default:
		return nil, fmt.Errorf("a body is kept in an unknown encoding %q", enc)
	}
}

// keep writes a body, if it is not there yet.
func (t *tx) keep(sha string, body []byte) error {
	var n int
	if err := t.row(`SELECT count(*) FROM payloads WHERE sha256 = ?`, sha).Scan(&n); err != nil || n > 0 {
		return err
	}
	enc, packed := pack(body, compressFrom)
	_, err := t.exec(`INSERT INTO payloads (sha256, enc, size, body) VALUES (?, ?, ?, ?)`, sha, enc, len(body), packed)
	return err
}

// attachPayloads makes bodies the current ones of their kinds, and forgets those that
// nothing names any more. The events of the change are written already.
func (t *tx) attachPayloads(c *jobs.Change, old *row) error {
	if old.answer != "" && names(c.Events, old.answer) {
		if err := t.shareAnswer(old); err != nil {
			return err
		}
	}
	for _, p := range c.Payloads {
		sha := jobs.PayloadSHA(p.Body)
		var err error
		if p.Kind == jobs.PayloadAnswer && !names(c.Events, sha) {
			err = t.keepAnswer(old, sha, p.Body)
		} else {
			err = t.share(old, p.Kind, sha, p.Body)
		}
		if err != nil {
			return err
		}
	}
	for _, k := range c.Forget {
		if err := t.forget(old, k); err != nil {
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
func (t *tx) keepAnswer(old *row, sha string, body []byte) error {
	enc, packed := pack(body, compressAnswers)
	_, err := t.exec(`INSERT INTO job_answers (n, sha256, enc, size, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (n) DO UPDATE SET sha256 = excluded.sha256, enc = excluded.enc, size = excluded.size, body = excluded.body`,
		old.n, sha, enc, len(body), packed)
	old.answer = sha
	if err != nil || old.shared == "" {
		return err
	}
	return t.unshare(old, jobs.PayloadAnswer)
}

// share keeps a body among those that events and other jobs may name.
func (t *tx) share(old *row, kind jobs.PayloadKind, sha string, body []byte) error {
	if err := t.keep(sha, body); err != nil {
		return err
	}
	return t.point(old, kind, sha)
}

// point makes a kept body the current one of a kind.
func (t *tx) point(old *row, kind jobs.PayloadKind, sha string) error {
	id := old.Job.ID
	before, err := t.payloadKey(id, kind)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO job_payloads (job_id, kind, sha256) VALUES (?, ?, ?)
		ON CONFLICT (job_id, kind) DO UPDATE SET sha256 = excluded.sha256`, id, string(kind), sha)
	if err != nil {
		return err
	}
	if kind == jobs.PayloadAnswer {
		old.shared = sha
		if err := t.dropAnswer(old); err != nil {
			return err
		}
	}
	_, err = t.dropPayload(before, sha)
	return err
}

// shareAnswer moves the job's own answer to where events can name it.
func (t *tx) shareAnswer(old *row) error {
	_, err := t.exec(`INSERT INTO payloads (sha256, enc, size, body) SELECT sha256, enc, size, body FROM job_answers
		WHERE n = ? ON CONFLICT DO NOTHING`, old.n)
	if err != nil {
		return err
	}
	return t.point(old, jobs.PayloadAnswer, old.answer)
}

func (t *tx) forget(old *row, kind jobs.PayloadKind) error {
	if kind == jobs.PayloadAnswer {
		if err := t.dropAnswer(old); err != nil {
			return err
		}
	}
	return t.unshare(old, kind)
}

// unshare takes a kind's body from a job, and drops the body if nothing else names it.
func (t *tx) unshare(old *row, kind jobs.PayloadKind) error {
	id := old.Job.ID
	sha, err := t.payloadKey(id, kind)
	if err != nil || sha == "" {
		return err
	}
	if _, err := t.exec(`DELETE FROM job_payloads WHERE job_id = ? AND kind = ?`, id, string(kind)); err != nil {
		return err
	}
	if kind == jobs.PayloadAnswer {
		old.shared = ""
	}
	_, err = t.dropPayload(sha, "")
	return err
}

func (t *tx) dropAnswer(old *row) error {
	if old.answer == "" {
		return nil
	}
	old.answer = ""
	_, err := t.exec(`DELETE FROM job_answers WHERE n = ?`, old.n)
	return err
}

func (t *tx) payloadKey(id string, k jobs.PayloadKind) (sha string, err error) {
	err = t.row(`SELECT sha256 FROM job_payloads WHERE job_id = ? AND kind = ?`, id, string(k)).Scan(&sha)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return sha, err
}

// dropPayload deletes a body that no job and no event names, unless it is the one that
// is just written. It returns the size of what it deleted.
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
	return unpack(enc, packed)
}

// KeptBytes is the size of the bodies that the events of a job name, before compression.
func (s *SQLite) KeptBytes(ctx context.Context, id string) (n int64, err error) {
	err = s.reader(ctx).row(`SELECT coalesce(sum(size), 0) FROM payloads WHERE sha256 IN (
		SELECT payload FROM job_events WHERE job_id = ? AND payload <> '')`, id).Scan(&n)
	return n, explain(s.path, err)
}
