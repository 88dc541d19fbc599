package store

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"darkroom/jobs"
)

// compressFrom is the size from which a body is compressed.
const compressFrom = 256

// maxPayload bounds a decompressed body: nothing larger is ever written.
const maxPayload = 1 << 30

// pack compresses a body where that makes it smaller.
func pack(body []byte) (enc string, packed []byte) {
	if len(body) < compressFrom {
		return "", body
	}
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.DefaultCompression)
	if err != nil {
		return "", body
	}
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
	enc, packed := pack(body)
	if packed == nil {
		packed = []byte{}
	}
	_, err := t.exec(`INSERT INTO payloads (sha256, enc, size, body) VALUES (?, ?, ?, ?)`, sha, enc, len(body), packed)
	return err
}

// attachPayloads makes bodies the current ones of their kinds, and forgets those that
// nothing names any more.
func (t *tx) attachPayloads(c *jobs.Change) error {
	id := c.Job.ID
	for _, p := range c.Payloads {
		sha := jobs.PayloadSHA(p.Body)
		if err := t.keep(sha, p.Body); err != nil {
			return err
		}
		old, err := t.payloadKey(id, p.Kind)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO job_payloads (job_id, kind, sha256) VALUES (?, ?, ?)
			ON CONFLICT (job_id, kind) DO UPDATE SET sha256 = excluded.sha256`, id, string(p.Kind), sha)
		if err != nil {
			return err
		}
		if _, err := t.dropPayload(old, sha); err != nil {
			return err
		}
	}
	for _, k := range c.Forget {
		old, err := t.payloadKey(id, k)
		if err != nil {
			return err
		}
		if _, err := t.exec(`DELETE FROM job_payloads WHERE job_id = ? AND kind = ?`, id, string(k)); err != nil {
			return err
		}
		if _, err := t.dropPayload(old, ""); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) payloadKey(id string, k jobs.PayloadKind) (sha string, err error) {
	err = t.row(`SELECT sha256 FROM job_payloads WHERE job_id = ? AND kind = ?`, id, string(k)).Scan(&sha)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return sha, err
}

// dropPayload deletes a body that no job and no event names, unless it is the one that
// is just written. Events of the running transaction are written later: they name bodies
// that are current by then. It returns the size of what it deleted.
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
	err := t.row(`SELECT p.enc, p.body FROM job_payloads k JOIN payloads p ON p.sha256 = k.sha256
		WHERE k.job_id = ? AND k.kind = ?`, id, string(kind)).Scan(&enc, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, jobs.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return unpack(enc, packed)
}
