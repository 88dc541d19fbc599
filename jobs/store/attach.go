package store

import (
	"slices"

	"darkroom/jobs"
	"time"
)

// attach writes the ids, tags, files, bodies, events and exchanges of a change; old is
// the row as it was, which for a new job has a number and an id alone.
func (t *tx) attach(c *jobs.Change, old *row) error {
	if err := t.attachIDs(&c.Job, old); err != nil {
		return err
	}
	if err := t.attachTags(&c.Job, old); err != nil {
		return err
	}
	if err := t.attachFiles(&c.Job, old); err != nil {
		return err
	}
	for _, e := range c.Events {
		_, err := t.exec(`INSERT INTO job_events (job_id, seq, at, kind, from_state, to_state, raw_status,
			http_status, request_id, message, payload)
			SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM job_events WHERE job_id = ?1`,
			c.Job.ID, millis(e.At), string(e.Kind), string(e.From), string(e.To), e.RawStatus,
			e.HTTPStatus, e.RequestID, e.Message, e.PayloadSHA)
		if err != nil {
			return err
		}
	}
	if err := (bodies{t, old}).attach(c); err != nil {
		return err
	}
	return t.attachExchanges(c, old)
}

func (t *tx) attachIDs(j *jobs.Job, old *row) error {
	ids := append([]string{j.TaskID}, j.AltIDs...)
	had := append([]string{old.Job.TaskID}, old.Job.AltIDs...)
	if slices.Equal(ids, had) {
		return nil
	}
	if had[0] != "" || len(had) > 1 {
		if _, err := t.exec(`DELETE FROM job_ids WHERE job_id = ?`, j.ID); err != nil {
			return err
		}
	}
	for i, id := range ids {
		if id == "" {
			continue
		}
		if _, err := t.exec(`INSERT INTO job_ids (job_id, pos, ext_id) VALUES (?, ?, ?)`, j.ID, i, id); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) attachFiles(j *jobs.Job, old *row) error {
	if slices.Equal(old.Job.Files, j.Files) {
		return nil
	}
	if len(old.Job.Files) > 0 {
		if _, err := t.exec(`DELETE FROM job_results WHERE job_id = ?`, j.ID); err != nil {
			return err
		}
	}
	for _, f := range j.Files {
		_, err := t.exec(`INSERT INTO job_results (job_id, idx, kind, state, path, bytes, total, sha256, media_type, error, proof)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			j.ID, f.Index, string(f.Kind), string(f.State), f.Path, f.Bytes, f.Total, f.SHA256, f.MediaType, f.Error, f.Proof)
		if err != nil {
			return err
		}
	}
	return nil
}

// index writes a job's row of the search index. It reads the messages of the job's events, which
// have to be written before.
func (t *tx) index(n int64, j *jobs.Job, replace bool) error {
	if replace {
		if _, err := t.exec(`DELETE FROM jobs_fts WHERE rowid = ?`, n); err != nil {
			return err
		}
	}
	told, err := t.toldOf(j.ID)
	if err != nil {
		return err
	}
	args := []any{n}
	for i, text := range j.SearchTexts() {
		if i == errorText && told != "" {
			text += "\n" + told
		}
		args = append(args, text+searchPad)
	}
	_, err = t.exec(`INSERT INTO jobs_fts (rowid, prompt, ids, title, error, note, tags, remark)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, args...)
	return err
}

// errorText is the place of the error among the texts of a job.
const errorText = 3

// attachTags replaces the row's tags by the job's; a tag that stays keeps its time.
func (t *tx) attachTags(j *jobs.Job, old *row) error {
	var had []string
	if old != nil {
		had = old.Job.Tags
	}
	for _, tag := range had {
		if slices.Contains(j.Tags, tag) {
			continue
		}
		if _, err := t.exec(`DELETE FROM job_tags WHERE job_id = ? AND tag = ?`, j.ID, tag); err != nil {
			return err
		}
	}
	for _, tag := range j.Tags {
		if slices.Contains(had, tag) {
			continue
		}
		_, err := t.exec(`INSERT INTO job_tags (job_id, tag, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			j.ID, tag, millis(j.UpdatedAt))
		if err != nil {
			return err
		}
	}
	return nil
}

// attachExchanges adds a change's exchanges to the job's ring, and deletes what [jobs.Renew] drops
// from it.
func (t *tx) attachExchanges(c *jobs.Change, old *row) error {
	if len(c.Exchanges) == 0 {
		return nil
	}
	var (
		ring []jobs.Exchange
		seqs []int64
	)
	if old.exchanges > 0 {
		err := t.eachExchange(c.Job.ID, func(seq int64, x jobs.Exchange) { ring, seqs = append(ring, x), append(seqs, seq) })
		if err != nil {
			return err
		}
	}
	kept, from := jobs.Renew(ring, c.Exchanges)
	for i, seq := range seqs {
		if slices.Contains(from, i) {
			continue
		}
		if _, err := t.exec(`DELETE FROM job_exchanges WHERE job_id = ? AND seq = ?`, c.Job.ID, seq); err != nil {
			return err
		}
	}
	seq := old.exchanges
	for i, x := range kept {
		if from[i] >= 0 {
			continue
		}
		seq++
		_, err := t.exec(`INSERT INTO job_exchanges (job_id, seq, at, kind, format, path, http_status, latency,
			request_id, raw_status, error, times, first_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			c.Job.ID, seq, millis(x.At), x.Kind, x.Format, x.Path, x.HTTPStatus, x.Latency.Milliseconds(),
			x.RequestID, x.RawStatus, x.Error, x.Times(), millis(x.First))
		if err != nil {
			return err
		}
	}
	return nil
}

// exchanges reads a job's ring, oldest first.
func (t *tx) exchanges(id string) (out []jobs.Exchange, err error) {
	err = t.eachExchange(id, func(_ int64, x jobs.Exchange) { out = append(out, x) })
	return out, err
}

// eachExchange reads a job's ring, oldest first. One that an older version wrote may have a few too
// many at its beginning.
func (t *tx) eachExchange(id string, add func(seq int64, x jobs.Exchange)) error {
	return t.each(`SELECT `+exchangeColumns+` FROM (SELECT * FROM job_exchanges WHERE job_id = ? ORDER BY seq DESC LIMIT ?) ORDER BY seq`, []any{id, jobs.MaxExchanges},
		func(r scanner) error {
			seq, x, err := scanExchange(r)
			add(seq, x)
			return err
		})
}

const exchangeColumns = `seq, at, kind, format, path, http_status, latency, request_id, raw_status, error, times, first_at`

// scanExchange reads an exchange, and what stands behind it into more.
func scanExchange(r scanner, more ...any) (seq int64, x jobs.Exchange, err error) {
	var at, latency, first int64
	err = r.Scan(append([]any{&seq, &at, &x.Kind, &x.Format, &x.Path, &x.HTTPStatus, &latency, &x.RequestID, &x.RawStatus, &x.Error, &x.Count, &first}, more...)...)
	x.At, x.Latency, x.First = fromMillis(at), time.Duration(latency)*time.Millisecond, fromMillis(first)
	if x.Count == 1 {
		x.Count = 0
	}
	return seq, x, err
}
