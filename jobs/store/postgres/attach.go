package postgres

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// attach queues the ids, tags, bodies, events and exchanges of a change; old is nil for a
// new job.
func (t *tx) attach(c *jobs.Change, old *held) error {
	j := &c.Job
	var had held
	if old != nil {
		had = *old
	}
	if now := ids(j); !slices.Equal(now, ids(&had.Job)) {
		if old != nil {
			t.exec(`DELETE FROM job_ids WHERE job_id = $1`, text(j.ID))
		}
		t.exec(`INSERT INTO job_ids (job_id, ext_id) SELECT $1, unnest($2::text[])`, text(j.ID), now)
	}
	if !slices.Equal(j.Tags, had.Job.Tags) {
		if old != nil {
			t.exec(`DELETE FROM job_tags WHERE job_id = $1`, text(j.ID))
		}
		t.exec(`INSERT INTO job_tags (job_id, tag) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`, text(j.ID), texts(j.Tags))
	}
	for i, e := range c.Events {
		t.exec(`INSERT INTO job_events (job_id, seq, at, kind, from_state, to_state, raw_status, http_status, request_id,
			message, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			text(j.ID), had.events+int64(i)+1, t.s.skew.millis(e.At), text(string(e.Kind)), text(string(e.From)),
			text(string(e.To)), text(e.RawStatus), e.HTTPStatus, text(e.RequestID), text(e.Message), text(e.PayloadSHA))
	}
	for _, p := range c.Payloads {
		t.keep(j.ID, jobs.PayloadSHA(p.Body), p.Body)
		t.current(j.ID, p.Kind, jobs.PayloadSHA(p.Body))
	}
	for _, k := range c.Forget {
		t.exec(`DELETE FROM job_payloads WHERE job_id = $1 AND kind = $2`, text(j.ID), text(string(k)))
	}
	if len(c.Payloads) > 1 || old != nil && len(c.Payloads)+len(c.Forget) > 0 {
		t.sweep(j.ID)
	}
	return t.ring(c, had.exchanges)
}

// keep queues a body of a job.
func (t *tx) keep(id, sha string, body []byte) {
	if body == nil {
		body = []byte{}
	}
	t.exec(`INSERT INTO bodies (job_id, sha256, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, text(id), text(sha), body)
}

// current makes a body the current one of its kind.
func (t *tx) current(id string, k jobs.PayloadKind, sha string) {
	t.exec(`INSERT INTO job_payloads (job_id, kind, sha256) VALUES ($1, $2, $3)
		ON CONFLICT (job_id, kind) DO UPDATE SET sha256 = excluded.sha256`, text(id), text(string(k)), text(sha))
}

// sweep deletes the bodies of a job that nothing names any more.
func (t *tx) sweep(id string) {
	t.exec(`DELETE FROM bodies b WHERE job_id = $1
		AND NOT EXISTS (SELECT 1 FROM job_payloads k WHERE k.job_id = $1 AND k.sha256 = b.sha256)
		AND NOT EXISTS (SELECT 1 FROM job_events e WHERE e.job_id = $1 AND e.payload = b.sha256)`, text(id))
}

// ring queues the exchanges of a change behind the n that there were.
func (t *tx) ring(c *jobs.Change, n int64) error {
	list := c.Exchanges
	if over := len(list) - jobs.MaxExchanges; over > 0 {
		list, n = list[over:], n+int64(over)
	}
	for i, x := range list {
		data, err := encode(exchange{MS: t.s.skew.millis(x.At), Exchange: x}, false)
		if err != nil {
			return err
		}
		t.exec(`INSERT INTO job_exchanges (job_id, slot, n, data) VALUES ($1, $2, $3, $4)
			ON CONFLICT (job_id, slot) DO UPDATE SET n = excluded.n, data = excluded.data`,
			text(c.Job.ID), (n+int64(i))%jobs.MaxExchanges, n+int64(i), data)
	}
	return nil
}

// exchange is one of a ring as it is kept: its time is apart, by the server's clock.
type exchange struct {
	MS int64 `json:"ms"`
	jobs.Exchange
}

// exchanges reads rings, oldest first, into add.
func (t *tx) exchanges(add func(id string, x jobs.Exchange), list []string) {
	t.each(func(r pgx.Row) error {
		var id, data string
		if err := r.Scan(&id, &data); err != nil {
			return err
		}
		var x exchange
		if err := decode(data, &x); err != nil {
			return err
		}
		x.At = t.s.skew.time(x.MS)
		add(id, x.Exchange)
		return nil
	}, `SELECT job_id, data FROM job_exchanges WHERE job_id = ANY($1) ORDER BY job_id, n`, list)
}

// events reads timelines, oldest event first, into add.
func (t *tx) events(add func(id string, e jobs.Event), list []string) {
	t.each(func(r pgx.Row) error {
		var id, kind, from, to string
		var at int64
		var e jobs.Event
		err := r.Scan(&id, &at, &kind, &from, &to, &e.RawStatus, &e.HTTPStatus, &e.RequestID, &e.Message, &e.PayloadSHA)
		e.At, e.Kind, e.From, e.To = t.s.skew.time(at), jobs.EventKind(kind), jobs.State(from), jobs.State(to)
		add(id, e)
		return err
	}, `SELECT job_id, at, kind, from_state, to_state, raw_status, http_status, request_id, message, payload
		FROM job_events WHERE job_id = ANY($1) ORDER BY job_id, seq`, list)
}
