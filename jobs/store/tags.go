package store

import (
	"slices"
	"time"

	"darkroom/jobs"
)

// attachTags makes the job's tags those of the row; a tag that stays keeps its time.
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

// ringSlack is how many exchanges a ring may have too many before its oldest go, so that not
// each write has to delete one.
const ringSlack = 8

// attachExchanges appends to the job's ring and lets the oldest go.
func (t *tx) attachExchanges(c *jobs.Change, old *row) error {
	if len(c.Exchanges) == 0 {
		return nil
	}
	seq := old.exchanges
	for _, x := range c.Exchanges[max(0, len(c.Exchanges)-jobs.MaxExchanges):] {
		seq++
		_, err := t.exec(`INSERT INTO job_exchanges (job_id, seq, at, kind, format, path, http_status, latency,
			request_id, raw_status, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			c.Job.ID, seq, millis(x.At), x.Kind, x.Format, x.Path, x.HTTPStatus, x.Latency.Milliseconds(),
			x.RequestID, x.RawStatus, x.Error)
		if err != nil {
			return err
		}
	}
	if seq <= jobs.MaxExchanges || seq/ringSlack == old.exchanges/ringSlack {
		return nil
	}
	_, err := t.exec(`DELETE FROM job_exchanges WHERE job_id = ? AND seq <= ?`, c.Job.ID, seq-jobs.MaxExchanges)
	return err
}

// exchanges reads a job's ring, oldest first.
func (t *tx) exchanges(id string) (out []jobs.Exchange, err error) {
	err = t.each(`SELECT at, kind, format, path, http_status, latency, request_id, raw_status, error
		FROM job_exchanges WHERE job_id = ?1 AND seq > (SELECT max(seq) FROM job_exchanges WHERE job_id = ?1) - ?2
		ORDER BY seq`, []any{id, jobs.MaxExchanges}, func(r scanner) error {
		var x jobs.Exchange
		var at, latency int64
		err := r.Scan(&at, &x.Kind, &x.Format, &x.Path, &x.HTTPStatus, &latency, &x.RequestID, &x.RawStatus, &x.Error)
		x.At, x.Latency = fromMillis(at), time.Duration(latency)*time.Millisecond
		out = append(out, x)
		return err
	})
	return out, err
}
