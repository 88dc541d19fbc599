package postgres

import (
	"context"
	"maps"
	"slices"

	"darkroom/jobs"
	"darkroom/jobs/store/deflate"
)

// Bodies are kept once, by their SHA-256, whichever jobs they belong to. A transaction that writes
// a body which another is writing waits for the other to end. Each therefore writes its bodies in
// the order of their sums: two never wait for each other. Nobody waits to remove one, see
// free_bodies in the migrations. If a body that a writer found is removed before the writer can
// name it, the writer fails at a foreign key and is run again.

// compressFrom is the size from which a body is compressed. The server itself compresses
// only what is larger than some 2 KB, and less.
const compressFrom = 256

// bodiesOf are the bodies of changes by their sums.
func bodiesOf(changes ...jobs.Change) map[string][]byte {
	out := map[string][]byte{}
	for i := range changes {
		for _, p := range changes[i].Payloads {
			out[jobs.PayloadSHA(p.Body)] = p.Body
		}
	}
	return out
}

// keep queues the bodies of a transaction: all of them in one call.
func (t *tx) keep(bodies map[string][]byte) {
	for _, sha := range slices.Sorted(maps.Keys(bodies)) {
		enc, packed := deflate.Pack(bodies[sha], compressFrom)
		t.exec(`INSERT INTO payloads (sha256, enc, size, body) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			text(sha), enc, len(bodies[sha]), packed)
	}
}

// own queues the claim of a job to kept bodies.
func (t *tx) own(id string, shas []string) {
	if len(shas) > 0 {
		t.exec(`INSERT INTO job_bodies (job_id, sha256) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`, text(id), texts(shas))
	}
}

// current makes a body the current one of its kind.
func (t *tx) current(id string, k jobs.PayloadKind, sha string) {
	t.exec(`INSERT INTO job_payloads (job_id, kind, sha256) VALUES ($1, $2, $3)
		ON CONFLICT (job_id, kind) DO UPDATE SET sha256 = excluded.sha256`, text(id), text(string(k)), text(sha))
}

// sweep takes from a job the bodies that nothing of it names any more.
func (t *tx) sweep(id string) { t.exec(`SELECT sweep_job($1)`, text(id)) }

// attachBodies queues what a change says of a job's bodies, which are kept already.
func (t *tx) attachBodies(c *jobs.Change, fresh bool) {
	shas := make([]string, len(c.Payloads))
	for i, p := range c.Payloads {
		shas[i] = jobs.PayloadSHA(p.Body)
	}
	t.own(c.Job.ID, shas)
	for i, p := range c.Payloads {
		t.current(c.Job.ID, p.Kind, shas[i])
	}
	for _, k := range c.Forget {
		t.exec(`DELETE FROM job_payloads WHERE job_id = $1 AND kind = $2`, text(c.Job.ID), text(string(k)))
	}
	if len(c.Payloads) > 1 || !fresh && len(c.Payloads)+len(c.Forget) > 0 {
		t.sweep(c.Job.ID)
	}
}

// KeptBytes is the size of the bodies that are kept of a job, before compression.
func (s *Store) KeptBytes(ctx context.Context, id string) (n int64, err error) {
	ctx, cancel := limit(ctx)
	defer cancel()
	err = s.again(ctx, func() error {
		return s.pool.QueryRow(ctx, `SELECT coalesce(sum(p.size), 0)::bigint FROM payloads p WHERE p.sha256 IN (
			SELECT payload FROM job_events WHERE job_id = $1 AND payload <> '')`, text(id)).Scan(&n)
	})
	return n, s.explain(err)
}
