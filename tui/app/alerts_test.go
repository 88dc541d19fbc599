package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/paint"
)

// engine is one that does what it is told to.
type engine struct {
	Jobs
	counts jobs.Counts
	made   int
	news   []jobs.Job
}

func (e *engine) Counts() jobs.Counts { return e.counts }

func (e *engine) Changes(seq uint64) ([]jobs.Job, uint64) {
	n := uint64(len(e.news))
	return e.news[min(seq, n):], n
}

func (e *engine) Submit(_ context.Context, s []jobs.Submission) ([]string, error) {
	var ids []string
	for range s {
		e.made++
		ids = append(ids, fmt.Sprint("own", e.made))
	}
	return ids, nil
}

func (e *engine) Repoll(context.Context, string) error        { return nil }
func (e *engine) Adopt(context.Context, string, string) error { return nil }
func (e *engine) Resend(context.Context, string) (string, error) {
	e.made++
	return fmt.Sprint("own", e.made), nil
}

// office is a console whose notifications are written down.
type office struct {
	*console
	e    *engine
	jobs Jobs // as screens have them
	told []string
	bars []int
}

func newOffice(t *testing.T, on bool) *office {
	t.Helper()
	d := &office{console: newConsole(t, 80, 24), e: &engine{}}
	o := d.m.o
	o.Jobs = d.e
	if on {
		o.Notify = func(title, text string) tea.Cmd {
			return func() tea.Msg { d.told = append(d.told, title+"|"+text); return nil }
		}
		o.Taskbar = func(p int) tea.Cmd { return func() tea.Msg { d.bars = append(d.bars, p); return nil } }
	}
	m := New(o, []Entry{})
	m.slots, m.w, m.h = d.m.slots, 80, 24
	*d.m = *m
	d.jobs = d.e
	if on {
		d.jobs = m.alerts.mine
	}
	return d
}

// submit submits n jobs from this console.
func (d *office) submit(n int) []string {
	d.t.Helper()
	ids, err := d.jobs.Submit(d.t.Context(), make([]jobs.Submission, n))
	require.NoError(d.t, err)
	return ids
}

// end publishes the end of jobs, some time later.
func (d *office) end(s jobs.State, ids ...string) {
	d.now = d.now.Add(time.Second)
	for _, id := range ids {
		j := jobs.Job{ID: id, State: s, EndedAt: d.now, Draft: client.Draft{Model: "famA-video", Prompt: "a kite"}}
		d.e.news = append(d.e.news, j)
	}
	d.Send(newsMsg{})
}

func TestAlertOnlyWhileAway(t *testing.T) {
	t.Parallel()
	d := newOffice(t, true)
	ids := d.submit(4)
	d.end(jobs.Completed, ids[0])
	d.Send(alertTick{})
	require.Empty(t, d.told, "somebody looks, as far as is known")

	d.Send(tea.BlurMsg{})
	d.end(jobs.Running, ids[1])
	d.Send(alertTick{})
	require.Empty(t, d.told, "it goes on")
	d.end(jobs.Completed, ids[1])
	require.Empty(t, d.told, "others may end at the same time")
	d.Send(alertTick{})
	require.Equal(t, []string{"darkroom|famA-video completed: a kite"}, d.told)
	d.end(jobs.Completed, ids[1])
	d.Send(alertTick{})
	require.Len(t, d.told, 1, "once")

	d.end(jobs.Failed, ids[2])
	d.Send(tea.FocusMsg{})
	d.Send(alertTick{})
	require.Len(t, d.told, 1, "it was seen")
	d.end(jobs.Completed, ids[3])
	d.now = d.now.Add(time.Second)
	d.Send(tea.BlurMsg{})
	d.e.news = append(d.e.news, d.e.news[len(d.e.news)-1]) // its file was saved
	d.Send(newsMsg{})
	d.Send(alertTick{})
	require.Len(t, d.told, 1, "it ended while somebody looked")
}

func TestAlertsOfOwnJobsAlone(t *testing.T) {
	t.Parallel()
	d := newOffice(t, true)
	d.Send(tea.BlurMsg{})
	d.end(jobs.Completed, "theirs")
	d.Send(alertTick{})
	require.Empty(t, d.told)
	require.NoError(t, d.jobs.Adopt(t.Context(), "adopted", "t"))
	require.NoError(t, d.jobs.Repoll(t.Context(), "asked"))
	again, err := d.jobs.Resend(t.Context(), "x")
	require.NoError(t, err)
	d.end(jobs.Completed, "adopted", "asked", again, "theirs")
	d.Send(alertTick{})
	require.Equal(t, []string{"darkroom|3 completed"}, d.told)
	d.end(jobs.Dropped, d.submit(1)...)
	d.Send(alertTick{})
	require.Len(t, d.told, 1, "a person dropped it")
}

func TestAlertsTogether(t *testing.T) {
	t.Parallel()
	d := newOffice(t, true)
	ids := d.submit(200)
	d.Send(tea.BlurMsg{})
	d.end(jobs.Completed, ids[:100]...)
	d.end(jobs.Failed, ids[100:150]...)
	d.end(jobs.Ambiguous, ids[150])
	require.True(t, d.m.alerts.due, "one timer for all")
	d.Send(alertTick{})
	require.Equal(t, []string{"darkroom|100 completed, 50 failed, 1 ambiguous, for you to decide"}, d.told)
	d.e.news = append(d.e.news, jobs.Job{ID: ids[199], State: jobs.Completed, EndedAt: d.now})
	require.Greater(t, d.m.alerts.waits(), 3*time.Second, "not again so soon")
}

func TestHostileAlert(t *testing.T) {
	t.Parallel()
	d := newOffice(t, true)
	id := d.submit(1)[0]
	d.Send(tea.BlurMsg{})
	d.now = d.now.Add(time.Second)
	d.e.news = append(d.e.news, jobs.Job{
		ID: id, State: jobs.Failed, UpdatedAt: d.now, Draft: client.Draft{Model: "fam\x1b[31m"},
		Error: &client.TaskError{Message: "no\x1b\\\x1b]52;c;aGk=\x07\u202e gnp\n" + strings.Repeat("x", 100_000)},
	})
	d.Send(newsMsg{})
	d.Send(alertTick{})
	require.Len(t, d.told, 1)
	assert.NotContains(t, d.told[0], "\x1b")
	assert.NotContains(t, d.told[0], "\u202e")
	assert.NotContains(t, d.told[0], "\n")
	assert.Less(t, len(d.told[0]), 300)
}

func TestNoAlertsWhenOff(t *testing.T) {
	t.Parallel()
	d := newOffice(t, false)
	ids := d.submit(1)
	d.Send(tea.BlurMsg{})
	d.e.counts.Running = 3
	d.end(jobs.Completed, ids...)
	require.False(t, d.m.alerts.due)
	d.Send(alertTick{})
	require.Empty(t, d.told)
	require.Empty(t, d.bars)
}

func TestTaskbar(t *testing.T) {
	t.Parallel()
	d := newOffice(t, true)
	for _, active := range []int{0, 0, 1, 4, 4, 3, 1, 0, 0, 300, 299, 0} {
		d.e.counts.Running = active
		d.Send(newsMsg{})
	}
	require.Equal(t, []int{paint.TaskbarBusy, 25, 75, paint.TaskbarNone, paint.TaskbarBusy, 1, paint.TaskbarNone}, d.bars)
}
