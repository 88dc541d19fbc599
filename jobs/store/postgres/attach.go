package postgres

import (
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
)

// attach queues the ids, tags, events, exchanges and the names of kept bodies of a change;
// old is nil for a new job.
func (t *tx) attach(c *jobs.Change, old *stored) error {
	j := &c.Job
	var had stored
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
	t.attachBodies(c, old == nil)
	return t.ring(c, had.exchanges)
}

// ring queues the exchanges of a change behind the n that there were.
func (t *tx) ring(c *jobs.Change, n int64) error {
	list := c.Exchanges
	if over := len(list) - jobs.MaxExchanges; over > 0 {
		list, n = list[over:], n+int64(over)
	}
	for i, x := range list {
		data, err := json.Marshal(exchange{MS: t.s.skew.millis(x.At), Exchange: x})
		if err != nil {
			return err
		}
		t.exec(`INSERT INTO job_exchanges (job_id, slot, n, data) VALUES ($1, $2, $3, $4)
			ON CONFLICT (job_id, slot) DO UPDATE SET n = excluded.n, data = excluded.data`,
			text(c.Job.ID), (n+int64(i))%jobs.MaxExchanges, n+int64(i), text(string(data)))
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
		if err := json.Unmarshal([]byte(data), &x); err != nil && data != "" {
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
