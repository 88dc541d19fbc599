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
	return t.ring(c, &had)
}

// ring adds a change's exchanges to the job's ring, as [jobs.Renew] does; new ones take the slots
// of those that went.
func (t *tx) ring(c *jobs.Change, old *stored) error {
	if len(c.Exchanges) == 0 {
		return nil
	}
	kept, from := jobs.Renew(old.ring, c.Exchanges)
	var taken [jobs.MaxExchanges]bool
	for _, i := range from {
		if i >= 0 {
			taken[old.slots[i]] = true
		}
	}
	n := old.exchanges
	for i, x := range kept {
		if from[i] >= 0 {
			continue
		}
		data, err := json.Marshal(exchange{MS: t.s.skew.millis(x.At), FirstMS: t.s.skew.millis(x.First), Exchange: x})
		if err != nil {
			return err
		}
		slot := slices.Index(taken[:], false)
		taken[slot] = true
		t.exec(`INSERT INTO job_exchanges (job_id, slot, n, data) VALUES ($1, $2, $3, $4)
			ON CONFLICT (job_id, slot) DO UPDATE SET n = excluded.n, data = excluded.data`,
			text(c.Job.ID), slot, n, text(string(data)))
		n++
	}
	return nil
}

// exchange is one of a ring as it is kept: its times are apart, by the server's clock.
type exchange struct {
	MS      int64 `json:"ms"`
	FirstMS int64 `json:"first_ms,omitempty"`
	jobs.Exchange
}

// exchanges reads rings, oldest first, into add.
func (t *tx) exchanges(add func(id string, slot int, x jobs.Exchange), list []string) {
	t.each(func(r pgx.Row) error {
		var id, data string
		var slot int
		if err := r.Scan(&id, &slot, &data); err != nil {
			return err
		}
		var x exchange
		if err := json.Unmarshal([]byte(data), &x); err != nil && data != "" {
			return err
		}
		x.At, x.First = t.s.skew.time(x.MS), t.s.skew.time(x.FirstMS)
		add(id, slot, x.Exchange)
		return nil
	}, `SELECT job_id, slot, data FROM job_exchanges WHERE job_id = ANY($1) ORDER BY job_id, n`, list)
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
