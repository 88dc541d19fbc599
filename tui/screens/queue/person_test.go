package queue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/dialogs/notes"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestSplitTags(t *testing.T) {
	add, remove := notes.SplitTags(" +kept good,-bad  - + --x ")
	assert.Equal(t, []string{"kept", "good"}, add)
	assert.Equal(t, []string{"bad", "-x"}, remove)
}

func TestTag(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Completed), job(2, jobs.Running))
	b.Key("t")
	assert.Contains(t, b.View(), "tags:")
	b.Key("enter")
	assert.Contains(t, b.View(), "type a tag")
	b.Type("kept -bad")
	b.Key("enter")
	assert.Equal(t, []string{"tag [kept] [bad] " + jobID(2)}, b.f.done)
	b.f.took()
	b.Key(" ")
	b.Key(" ")
	b.Key("t")
	assert.Contains(t, b.View(), "2 jobs")
	b.Type("a")
	b.Key("enter")
	assert.ElementsMatch(t, []string{"tag [a] [] " + jobID(1), "tag [a] [] " + jobID(2)}, b.f.done)
}

func TestRemark(t *testing.T) {
	j := job(1, jobs.Completed)
	j.Remark, j.Tags = "as it was", []string{"good", "kept"}
	b := open(t, 120, 34, j)
	assert.Contains(t, b.View(), "good kept")
	b.Key("n")
	b.Type(" before")
	b.Key("enter")
	assert.Equal(t, []string{"remark as it was before " + j.ID}, b.f.done)
}

func TestExchangesShowInTheTimeline(t *testing.T) {
	j := job(1, jobs.Running)
	b := open(t, 120, 34, j)
	d := b.f.event[j.ID]
	d.Exchanges = []jobs.Exchange{
		{At: start, Kind: jobs.ExchangePoll, HTTPStatus: 200, Latency: 41 * time.Millisecond, RawStatus: "in_progress", Path: "GET /v1/videos/task-1"},
		{At: start, Kind: jobs.ExchangeFetch, Error: "HTTP 403", HTTPStatus: 403, Count: 12, First: start.Add(-24 * time.Hour)},
		{At: start, Kind: jobs.ExchangePoll, Error: "reset \x1b[31m", Latency: time.Second},
	}
	b.f.event[j.ID] = d
	b.f.change(j)
	b.Send(screen.JobsMsg{})
	b.Key("tab")
	b.Key("right")
	v := b.View()
	assert.Contains(t, v, "Last requests")
	assert.Contains(t, v, "poll 200")
	assert.Contains(t, v, "fetch 403 x 12 since "+start.Add(-24*time.Hour).Format("2 Jan 15:04"))
	assert.NotContains(t, v, "\x1b[31m\x1b")
}

// TestSomebodyElsesTask is said to be that, and is not taken to Compose.
func TestSomebodyElsesTask(t *testing.T) {
	j := job(1, jobs.Failed)
	j.Observed, j.Tags, j.Remark = true, []string{"ticket:77"}, "called"
	b := open(t, 160, 50, j)
	v := b.View()
	assert.Contains(t, v, "somebody else's task")
	assert.Contains(t, v, "observed: called")
	assert.Contains(t, v, "ticket:77")
	assert.NotContains(t, v, "takes it to Compose")
	b.Key("c")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "never sent")
}
