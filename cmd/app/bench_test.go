package app

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// TestABenchRunsOnADesk: a run of the embedded gateway from the plan to judged files, read again by
// another process.
func TestABenchRunsOnADesk(t *testing.T) {
	t.Parallel()
	g := openGateway(t, testConfig(t), sandbox.Instant)
	d, err := OpenDesk(t.Context(), g, DeskOptions{AutoDownload: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	draft := draft("a kite").Draft
	b := d.Bench(BenchOptions{Version: "1"})
	defer b.Close()
	plan := compare.Run{Name: "n", Suite: "x", Repeats: 2, Concurrency: 2, Cells: []compare.Cell{{
		Number: 1, Hash: "h", Prompt: compare.Prompt{ID: "p1", Text: "a kite"}, Model: draft.Model, Format: g.FormatFor(draft),
		Draft: draft,
	}}, Order: []compare.Slot{{Cell: 1, Repeat: 1}, {Cell: 1, Repeat: 2}}}
	id, err := b.Start(t.Context(), plan)
	require.NoError(t, err)
	require.NoError(t, b.Wait(t.Context(), id))
	b.Close()

	again := d.Bench(BenchOptions{})
	defer again.Close()
	r, err := again.Load(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, compare.Ended, r.Status)
	assert.Equal(t, config.Sandbox, r.Host)
	require.Len(t, r.Trials, 2)
	for i := range r.Trials {
		x := &r.Trials[i]
		assert.True(t, x.OK(), x.Message)
		require.NotEmpty(t, x.Files)
		assert.True(t, x.Files[0].Here, "by the proof in the journal")
		assert.NotEmpty(t, x.Facts, "what was delivered is measured")
		assert.True(t, x.Latency.Total.Known())
		assert.Less(t, x.Latency.Total.Most, time.Minute)
	}
	list, err := again.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, compare.Tally{Cells: 1, Planned: 2, Sent: 2, Done: 2}, list[0].Tally)
	assert.False(t, list[0].Live)
}

// TestABenchOfAReadOnlyProfile: nothing is planned that could not be sent.
func TestABenchOfAReadOnlyProfile(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	cfg.Profile.ReadOnly = "it is the profile production"
	g := openGateway(t, cfg, sandbox.Instant)
	b := NewBench(g, Runs{jobs.NewEngine(jobs.Options{})}, BenchOptions{})
	defer b.Close()
	plan := compare.Run{Cells: []compare.Cell{{Number: 1}}, Order: []compare.Slot{{Cell: 1, Repeat: 1}}}
	_, err := b.Start(t.Context(), plan)
	require.ErrorContains(t, err, "it is the profile production")
	require.ErrorContains(t, b.Resume(t.Context(), "01890000-0000-7000-8000-000000000001"), "it is the profile production")
	require.NoDirExists(t, cfg.Paths.Runs)
}

// TestRunsWaitForTheHistory: a run of a console is told when the history is there, and nothing where it
// never will be.
func TestRunsWaitForTheHistory(t *testing.T) {
	t.Parallel()
	closed := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	l := newLazyJobs()
	before := lazyRuns{l}.Watch()
	require.NotNil(t, before)
	require.False(t, closed(before))
	l.set(nil, errors.New("damaged"))
	require.True(t, closed(before))
	require.Nil(t, lazyRuns{l}.Watch(), "nobody looks again and again for what does not change")
	require.ErrorContains(t, l.writable(), "damaged")
	_, err := lazyRuns{l}.Judge(t.Context(), jobs.Job{})
	require.ErrorContains(t, err, "damaged")
}
