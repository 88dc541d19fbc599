package postgres

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// kept is what lies in the table of bodies.
func (s *Store) kept(t *testing.T) (rows, packed, size int64) {
	t.Helper()
	require.NoError(t, s.pool.QueryRow(t.Context(),
		`SELECT count(*), coalesce(sum(octet_length(body)), 0)::bigint, coalesce(sum(size), 0)::bigint FROM payloads`).Scan(&rows, &packed, &size))
	return rows, packed, size
}

// TestBodiesAreKeptOnce: a hundred jobs with one answer have one row, compressed.
func TestBodiesAreKeptOnce(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	answer := bytes.Repeat([]byte(`{"status":"running"},`), 40) // too small for the server to compress
	var changes []jobs.Change
	for range 100 {
		c := storetest.Plan(storetest.NewJob("x"))
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: answer}}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(t.Context(), changes))
	rows, packed, size := s.kept(t)
	assert.EqualValues(t, 1, rows)
	assert.EqualValues(t, len(answer), size)
	assert.Less(t, packed, size/4)
	for i, c := range changes { // each lets it go
		c.Token, c.Payloads[0].Body = 1, nil
		_, err := s.Commit(t.Context(), c)
		require.NoError(t, err)
		if i == len(changes)-2 {
			rows, _, _ := s.kept(t)
			assert.EqualValues(t, 2, rows, "the last one still has it")
		}
	}
	rows, packed, _ = s.kept(t)
	assert.EqualValues(t, 1, rows)
	assert.Zero(t, packed)
}

// TestMigrateBodies brings a history of version 1 up to date: every body is still there,
// once, and is read as before; and what events told is found.
func TestMigrateBodies(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	steps, err := migrations()
	require.NoError(t, err)
	cfg, schema, err := parse(dsn)
	require.NoError(t, err)
	old := newStore(dsn, schema, cfg, Options{})
	conn, err := pgx.ConnectConfig(t.Context(), cfg.ConnConfig)
	require.NoError(t, err)
	require.NoError(t, migrate(t.Context(), conn, schema, old.place, steps[:1]))
	shared := bytes.Repeat([]byte("shared "), 1000)
	sum := jobs.PayloadSHA(shared)
	var ids []string
	for i := range 5 {
		j := storetest.NewJob("x")
		ids = append(ids, j.ID)
		own := fmt.Append(nil, "own ", i)
		for _, q := range []struct {
			sql  string
			args []any
		}{
			{`INSERT INTO jobs SELECT $1, 'p', '', 'video', 'm', '', 'videos', '', 'completed', '', '', -1, '', '', '', false, '{}', '', '', '', '', '',
				1, 0, 0, 1, 1, 0, 0`, []any{j.ID}},
			{`INSERT INTO work VALUES ($1, 'p', nextval('rev'), 0, 0, 0, '', 1, 0, 1, 0)`, []any{j.ID}},
			{`INSERT INTO job_search VALUES ($1, 'x')`, []any{j.ID}},
			{`INSERT INTO bodies VALUES ($1, $2, $3), ($1, $4, $5)`, []any{j.ID, sum, shared, jobs.PayloadSHA(own), own}},
			{`INSERT INTO job_payloads VALUES ($1, 'answer', $2), ($1, 'request', $3)`, []any{j.ID, sum, jobs.PayloadSHA(own)}},
			{`INSERT INTO job_events VALUES ($1, 1, 1, 'refused', '', 'refused', '', 200, $2, $3, $4)`,
				[]any{j.ID, fmt.Sprintf("req_0123456789AB%d", i), fmt.Sprintf("Quota %d exceeded", i), sum}},
		} {
			_, err := conn.Exec(t.Context(), q.sql, q.args...)
			require.NoError(t, err, q.sql)
		}
	}
	hangUp(conn)
	s := openAt(t, dsn)
	rows, _, size := s.kept(t)
	assert.EqualValues(t, 6, rows)
	assert.EqualValues(t, len(shared)+5*len("own 0"), size)
	for i, id := range ids {
		d, err := s.Detail(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, shared, d.Answer)
		assert.Equal(t, fmt.Sprint("own ", i), string(d.Request))
		require.Len(t, d.Events, 1)
		assert.Equal(t, sum, d.Events[0].PayloadSHA)
		for _, text := range []string{fmt.Sprintf(`"quota %d"`, i), fmt.Sprintf("req_0123456789AB%d x", i)} {
			p, err := s.List(t.Context(), jobs.Query{Text: text})
			require.NoError(t, err)
			require.Len(t, p.Jobs, 1, text)
			assert.Equal(t, id, p.Jobs[0].ID)
		}
	}
	p, err := s.Prune(t.Context(), jobs.Prune{Before: time.Now()})
	require.NoError(t, err)
	assert.Equal(t, jobs.Pruned{Jobs: 5, Bytes: size}, p)
	rows, _, _ = s.kept(t)
	assert.Zero(t, rows)
}

// TestBodyNamedWhileFreed: a body that a transaction is just naming is not removed by
// another one, and one that was removed meanwhile is written anew.
func TestBodyNamedWhileFreed(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	body := []byte("named and freed")
	plan := func() jobs.Change {
		c := storetest.Plan(storetest.NewJob("x"))
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: body}}
		return c
	}
	first, second := plan(), plan()
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{first}))
	letGo := func(c jobs.Change) {
		c.Token, c.Payloads, c.Forget = 1, nil, []jobs.PayloadKind{jobs.PayloadAnswer}
		_, err := s.Commit(t.Context(), c)
		require.NoError(t, err)
	}
	require.NoError(t, s.write(t.Context(), func(x *tx) error {
		x.keep(bodiesOf(second))
		if err := x.insert(&second); err != nil {
			return err
		}
		if err := x.flush(); err != nil {
			return err
		}
		letGo(first) // does not wait for us, though we have the body locked
		return nil
	}))
	got, err := s.Payload(t.Context(), second.Job.ID, jobs.PayloadAnswer)
	require.NoError(t, err)
	assert.Equal(t, body, got)

	tries := 0
	third := plan()
	require.NoError(t, s.write(t.Context(), func(x *tx) error {
		x.keep(bodiesOf(third)) // it is there
		if err := x.flush(); err != nil {
			return err
		}
		if tries++; tries == 1 {
			letGo(second) // and gone
		}
		return x.insert(&third)
	}))
	assert.Equal(t, 2, tries)
	got, err = s.Payload(t.Context(), third.Job.ID, jobs.PayloadAnswer)
	require.NoError(t, err)
	assert.Equal(t, body, got)
}
