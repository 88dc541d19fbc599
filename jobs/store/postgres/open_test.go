package postgres

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/postgres/pgtest"
	"darkroom/jobs/store/storetest"
)

// TestOpenRace opens one new history many times at once.
func TestOpenRace(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(context.Background(), dsn, Options{})
			if assert.NoError(t, err) {
				assert.NoError(t, s.Insert(context.Background(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
				assert.NoError(t, s.Close())
			}
		})
	}
	wg.Wait()
	p, err := openAt(t, dsn).List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.Len(t, p.Jobs, 8)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	newer := server.Database(t)
	openAt(t, newer)
	steps, err := migrations()
	require.NoError(t, err)
	next := len(steps) + 1
	server.Exec(t, newer, fmt.Sprintf("UPDATE darkroom.darkroom_schema SET version = %d", next))
	_, err = Open(t.Context(), newer, Options{})
	var n *NewerError
	require.ErrorAs(t, err, &n)
	assert.Equal(t, next, n.Have)
	assert.ErrorContains(t, err, fmt.Sprintf("version %d", next))

	foreign := server.Database(t)
	server.Exec(t, foreign, "CREATE SCHEMA darkroom; CREATE TABLE darkroom.theirs (x int)")
	_, err = Open(t.Context(), foreign, Options{})
	require.ErrorIs(t, err, ErrForeign)
}

func TestMigrationRollsBack(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	s := openAt(t, dsn)
	good, err := migrations()
	require.NoError(t, err)
	conn, err := s.connect(t.Context())
	require.NoError(t, err)
	defer hangUp(conn)
	run := func(steps []string) error { return migrate(t.Context(), conn, Schema, s.place, steps) }
	require.Error(t, run(append(good[:len(good):len(good)], "CREATE TABLE halfway (x int); INSERT INTO nowhere VALUES (1)")))
	version := func() (n, v int) {
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM pg_class WHERE relname = 'halfway'),
			(SELECT version FROM darkroom_schema)`).Scan(&n, &v))
		return n, v
	}
	n, v := version()
	assert.Zero(t, n)
	assert.Equal(t, len(good), v)
	require.NoError(t, run(append(good[:len(good):len(good)], "CREATE TABLE fine (x int)")))
	_, v = version()
	assert.Equal(t, len(good)+1, v)
}

// TestTwoSchemas keeps two histories in one database apart.
func TestTwoSchemas(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	a, b := openAt(t, dsn), openAt(t, dsn+"&search_path=other")
	require.NoError(t, a.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	p, err := b.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.Empty(t, p.Jobs)
	assert.NotEqual(t, a.space, b.space)
}

// TestPassword: it may stand in the address, and is never told.
func TestPassword(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(server.Database(t))
	require.NoError(t, err)
	u.User = url.UserPassword(pgtest.Secret, pgtest.Password)
	s := openAt(t, u.String())
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	assert.NotContains(t, s.Place(), "ss:w")
	u.User = url.UserPassword(pgtest.Secret, "wrong and secret")
	_, err = Open(t.Context(), u.String(), Options{})
	require.ErrorContains(t, err, "refused the user or the password")
	assert.NotContains(t, err.Error(), "wrong")
}

// TestWithoutTrigrams: where the extension cannot be made, texts are found all the same.
func TestWithoutTrigrams(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	server.Exec(t, dsn, "CREATE ROLE plain LOGIN")
	server.Exec(t, dsn, "CREATE SCHEMA darkroom AUTHORIZATION plain")
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	u.User = url.User("plain")
	s := openAt(t, u.String())
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("红色的风筝, ÄRGER 100%"))}))
	for text, n := range map[string]int{"风筝": 1, "ärger": 1, "0%": 1, "0_": 0, `\`: 0} {
		p, err := s.List(t.Context(), jobs.Query{Text: text})
		require.NoError(t, err)
		assert.Len(t, p.Jobs, n, text)
	}
	var index int
	require.NoError(t, s.pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_class WHERE relname = 'job_search_words'").Scan(&index))
	assert.Zero(t, index)
}

func TestEventsCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	_, err := s.pool.Exec(t.Context(), "UPDATE job_events SET message = 'x'")
	require.ErrorContains(t, err, "append-only")
}

// TestNothingWaitsForEver: a connection of ours has limits, and says who it is.
func TestNothingWaitsForEver(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	assert.EqualValues(t, defaultConns, s.pool.Config().MaxConns)
	for name, want := range map[string]string{
		"statement_timeout": "30s", "lock_timeout": "10s", "idle_in_transaction_session_timeout": "30s",
		"application_name": "darkroom", "search_path": "darkroom",
	} {
		var got string
		require.NoError(t, s.pool.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&got))
		assert.Equal(t, want, got, name)
	}
}

// TestHostileTexts: what a column of text does not take is kept as far as it can be.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	j := storetest.NewJob("a\x00b")
	long := make([]byte, 5000)
	for i := range long {
		long[i] = byte('a' + i*i%26)
	}
	j.TaskID, j.AltIDs = string(long), []string{"bad\xff\x00"}
	j.Title = "t\x00\xff"
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, "a\x00b", w.Job.Draft.Prompt)
	assert.Equal(t, "t\ufffd\ufffd", w.Job.Title)
	for _, id := range []string{j.TaskID, "bad\xff\x00", "bad\ufffd\ufffd"} {
		p, err := s.List(t.Context(), jobs.Query{TaskID: id})
		require.NoError(t, err)
		assert.Len(t, p.Jobs, 1, "%.10q", id)
	}
	_, err = s.Get(t.Context(), "x\x00")
	require.ErrorIs(t, err, jobs.ErrNotFound)
}

var _ querier = (*pgx.Conn)(nil)
