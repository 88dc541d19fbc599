package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/spool"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres"
	"darkroom/jobs/store/storetest"
)

// gate is a row of a shared history that is not written before the test lets it.
type gate struct{ held *pgx.Conn }

const gateLock = 4711

func haltsAt(t *testing.T, dsn, job string) gate {
	t.Helper()
	c, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	for _, q := range []string{
		fmt.Sprintf("SELECT pg_advisory_lock(%d)", gateLock),
		fmt.Sprintf("CREATE FUNCTION gate() RETURNS trigger AS $$ BEGIN PERFORM pg_advisory_xact_lock(%d); RETURN NEW; END $$ LANGUAGE plpgsql", gateLock),
		fmt.Sprintf("CREATE TRIGGER gate BEFORE INSERT ON darkroom.job_search FOR EACH ROW WHEN (NEW.job_id = '%s') EXECUTE FUNCTION gate()", job),
	} {
		_, err = c.Exec(t.Context(), q)
		require.NoError(t, err, q)
	}
	return gate{c}
}

// reached returns when somebody waits to write the row.
func (g gate) reached(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		var n int
		require.NoError(t, g.held.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted", gateLock).Scan(&n))
		return n > 0
	}, waitLong, time.Millisecond)
}

// on lets the row be written, once whoever waited has gone without it.
func (g gate) on(t *testing.T) {
	t.Helper()
	for _, q := range []string{fmt.Sprintf("SELECT pg_advisory_unlock(%d)", gateLock), "DROP TRIGGER gate ON darkroom.job_search", "DROP FUNCTION gate()"} {
		_, err := g.held.Exec(t.Context(), q)
		require.NoError(t, err, q)
	}
}

// TestMoveKilled kills a move in the middle of a page and runs it again: nothing is there
// twice, and nothing is missing.
func TestMoveKilled(t *testing.T) {
	t.Parallel()
	const total = 700
	dsn := server.Database(t)
	w := newWorld(t)
	from, err := store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	changes := make([]jobs.Change, total)
	for i := range changes {
		j := storetest.NewJob(fmt.Sprint("kite ", i))
		j.State, j.Tags = jobs.Completed, []string{"a"}
		c := storetest.Plan(j)
		c.Due = time.Time{}
		c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(j.ID)}, {Kind: jobs.PayloadRequest, Body: fmt.Append(nil, "shared ", i%7)}}
		c.Exchanges = []jobs.Exchange{{At: storetest.Base, Kind: "poll"}}
		changes[i] = c
	}
	require.NoError(t, from.Insert(t.Context(), changes))
	w.fails(kit.ExitUsage, []string{"open", "end it first"}, "history", "move", "--to", dsn)
	require.NoError(t, from.Close())

	to := openShared(t, dsn)
	count := func() int64 {
		n, err := to.Count(t.Context())
		require.NoError(t, err)
		return n
	}
	gate := haltsAt(t, dsn, changes[450].Job.ID)
	p := w.spawn("history", "move", "--to", dsn)
	gate.reached(t)
	assert.Equal(t, -1, p.end(syscall.SIGKILL), "%s", p.said())
	gate.on(t)
	there := count()
	require.EqualValues(t, 400, there, "a page is there as a whole or not at all")

	m := w.ok("history", "move", "--to", dsn, "-o", "json").object(t)
	assert.EqualValues(t, total, m["read"])
	assert.EqualValues(t, total-there, m["added"])
	assert.EqualValues(t, there, m["known"])
	assert.EqualValues(t, total, count())
	from, err = store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	defer func() { assert.NoError(t, from.Close()) }()
	for after := ""; ; {
		want, err := from.Records(t.Context(), after, 500)
		require.NoError(t, err)
		got, err := to.Records(t.Context(), after, 500)
		require.NoError(t, err)
		require.Len(t, got, len(want))
		if len(want) == 0 {
			break
		}
		a, err := json.Marshal(want)
		require.NoError(t, err)
		b, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, string(a), string(b))
		after = want[len(want)-1].Job.ID
	}
	h, err := to.Examine(t.Context(), false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
	assert.EqualValues(t, total+7, h.Bodies)
}

// TestMoveTakesTheSpoolOver: what came of creates and is not in the history yet reaches the history
// of this machine and its copy, once each; what is another history's stays for that one.
func TestMoveTakesTheSpoolOver(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	w := newWorld(t)
	local, err := filepath.Rel(w.paths().Spool, w.paths().History)
	require.NoError(t, err)
	to := openShared(t, dsn)

	earlier := []jobs.Change{underWay()}
	inLocal(t, w, func(st *store.SQLite) { require.NoError(t, st.Insert(t.Context(), earlier)) })
	w.ok("history", "move", "--to", dsn)
	got, err := to.Get(t.Context(), earlier[0].Job.ID)
	require.NoError(t, err)
	require.Equal(t, jobs.Ambiguous, got.Job.State, "nobody knows yet what came of it")

	fresh, shared := underWay(), underWay()
	inLocal(t, w, func(st *store.SQLite) { require.NoError(t, st.Insert(t.Context(), []jobs.Change{fresh})) })
	require.NoError(t, to.Insert(t.Context(), []jobs.Change{shared}))
	leave(t, w, "file "+local, earlier[0].Job, "task_earlier")
	leave(t, w, "file "+local, fresh.Job, "task_fresh")
	leave(t, w, postgres.Name(dsn), shared.Job, "task_shared")

	r := w.ok("history", "move", "--to", dsn, "-o", "json")
	assert.Contains(t, r.err, "task_earlier")
	assert.Contains(t, r.err, "task_fresh")
	m := r.object(t)
	assert.EqualValues(t, 1, m["added"])
	assert.EqualValues(t, 1, m["known"])
	kept, err := spool.Kept(w.paths().Spool)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.Equal(t, "task_shared", kept[0].Record.Outcome.Job.TaskID)

	check := func(st jobs.Store, id, task string) {
		t.Helper()
		got, err := st.Get(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, jobs.Queued, got.Job.State)
		assert.Equal(t, task, got.Job.TaskID)
		assert.Empty(t, got.Job.AltIDs)
		d, err := st.Detail(t.Context(), id)
		require.NoError(t, err)
		n := 0
		for _, e := range d.Events {
			if e.Kind == jobs.EventAccepted {
				n++
			}
		}
		assert.Equal(t, 1, n, "once")
	}
	all := func() {
		t.Helper()
		inLocal(t, w, func(st *store.SQLite) {
			for _, s := range []jobs.Store{st, to} {
				check(s, earlier[0].Job.ID, "task_earlier")
				check(s, fresh.Job.ID, "task_fresh")
			}
		})
	}
	all()
	r = w.ok("history", "move", "--to", dsn)
	assert.Empty(t, r.err)
	all()
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: http://127.0.0.1:1\n    history: "+dsn+"\n")
	r = w.ok("jobs", "list")
	assert.Contains(t, r.err, "task_shared")
	check(to, shared.Job.ID, "task_shared")
	all()
}

// underWay is a job whose create was sent, by a process that is not there any more.
func underWay() jobs.Change {
	j := storetest.NewJob("a kite")
	j.State, j.SubmittedAt = jobs.Submitting, j.CreatedAt
	return jobs.Change{Job: j}
}

// inLocal works on the history of a world's machine.
func inLocal(t *testing.T, w *world, do func(*store.SQLite)) {
	t.Helper()
	st, err := store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	do(st)
	require.NoError(t, st.Close())
}

// leave puts what came of a job's create into the spool, for the history of a name.
func leave(t *testing.T, w *world, history string, j jobs.Job, task string) {
	t.Helper()
	slot, err := spool.New(w.paths().Spool, history).Reserve()
	require.NoError(t, err)
	o := jobs.Outcome{Began: j.SubmittedAt, Job: j, Due: j.CreatedAt,
		Events: []jobs.Event{{At: j.CreatedAt, Kind: jobs.EventAccepted, From: jobs.Submitting, To: jobs.Queued}}}
	o.Job.State, o.Job.TaskID, o.Job.QueryFormat = jobs.Queued, task, "videos"
	whole, err := slot.Fill(o)
	require.NoError(t, err)
	require.True(t, whole)
	slot.Leave()
}
