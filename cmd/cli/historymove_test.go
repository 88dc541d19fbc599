package cli

import (
	"encoding/json"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

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
	block, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	p := w.spawn("history", "move", "--to", dsn)
	require.Eventually(t, func() bool { return count() >= 200 }, waitLong, time.Millisecond)
	tx, err := block.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE darkroom.job_search IN EXCLUSIVE MODE") // a page stops half way
	require.NoError(t, err)
	assert.Equal(t, -1, p.end(syscall.SIGKILL), "%s", p.said())
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, block.Close(t.Context()))
	there := count()
	require.Less(t, there, int64(total))
	require.Zero(t, there%200, "a page is there as a whole or not at all")

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
