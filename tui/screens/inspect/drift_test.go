package inspect

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/drift"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// counts keeps drift in memory.
type counts struct {
	drift.Counter
	err error
}

func (c *counts) Count(x *drift.Counter) error {
	c.Merge(x.Answers, x.Rows(true))
	return c.err
}

// TestDriftOfOthersTasksIsCounted once a look-up; a job's answers are in the history.
func TestDriftOfOthersTasksIsCounted(t *testing.T) {
	b := start(t, 120, 34)
	kept := &counts{}
	b.m.deps.Drift = kept
	b.gw.answers["videos"] = answer(client.StatusRunning, "in_progress", `{"id":"vid_1","status":"in_progress","error":"half"}`)
	b.ask("vid_1")
	rows := kept.Rows(false)
	require.Len(t, rows, 1)
	assert.Equal(t, "error", rows[0].Path)
	assert.Equal(t, 1, rows[0].Count)
	assert.Equal(t, "vid_1", rows[0].Example)

	b.Paste("vid_1\nvid_2\n")
	assert.Equal(t, 3, kept.Answers, "of a list each")
	b.h.jobs = []jobs.Job{aJob()}
	b.ask("vid_1")
	assert.Equal(t, 3, kept.Answers, "a job of the history")
	kept.err = errors.New("disk full")
	b.ask("vid_3")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "is not counted: disk full")
	b.gw.answers["videos"] = refusal(404, "x", "y")
	b.ask("vid_404")
	assert.Equal(t, 4, kept.Answers, "nobody knows it")
}

// Drift implements differs.Source.
func (c *counts) Drift(context.Context, func(string)) (drift.Counter, error) { return c.Counter, c.err }

func TestWhatDiffersIsListed(t *testing.T) {
	b := start(t, 120, 34)
	kept := &counts{}
	b.m.deps.Drift, b.m.deps.Differs = kept, kept
	b.gw.answers["videos"] = answer(client.StatusRunning, "in_progress", `{"id":"vid_1","status":"in_progress","error":"half"}`)
	b.ask("vid_1")
	b.Key("D")
	assert.Contains(t, b.View(), "1 answer looked through")
	assert.Contains(t, b.View(), "error is text here")
	b.Key("esc")
	assert.NotContains(t, b.View(), "1 answer looked through")
}
