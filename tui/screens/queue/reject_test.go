package queue

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/screen"
)

// rejectingFake is a fake whose rejected jobs are told, as an engine does.
type rejectingFake struct{ *fake }

func (f rejectingFake) Reject(ctx context.Context, ids []string, on bool) error {
	err := f.fake.Reject(ctx, ids, on)
	for _, id := range ids {
		f.mu.Lock()
		j := f.all[id]
		f.mu.Unlock()
		if j.Rejected = (time.Time{}); on {
			j.Rejected = start
		}
		f.change(j)
	}
	return err
}

func openRejecting(t *testing.T, w, h int, js ...jobs.Job) *bench {
	t.Helper()
	f := newFake(js...)
	d := deps(t, f)
	d.Jobs = rejectingFake{f}
	return openDeps(t, d, f, w, h)
}

// TestRejecting is asked once, goes on to the next job, and is taken back with one key.
func TestRejecting(t *testing.T) {
	for _, gallery := range []bool{false, true} {
		b := openRejecting(t, 120, 34, job(4, jobs.Completed), job(3, jobs.Failed), job(2, jobs.Running), job(1, jobs.Completed))
		if gallery {
			b.Key("v")
		}
		b.Key("x")
		assert.Contains(t, b.View(), "Reject 1 job?")
		assert.Contains(t, b.View(), "alt+z takes it")
		b.Key("y")
		b.Send(screen.JobsMsg{})
		assert.Equal(t, []string{"reject true " + jobID(4)}, b.f.done)
		assert.Equal(t, "rejected 1 job · alt+z takes it back", b.toast(t).Text)
		assert.Equal(t, jobID(3), b.row(), "the cursor is on what follows")
		assert.Equal(t, 3, b.m.list.jobs.Len())
		b.Key("x")
		b.Send(screen.JobsMsg{})
		assert.Equal(t, "reject true "+jobID(3), b.f.done[1], "it is asked once")
		b.Key("x")
		assert.Contains(t, b.View(), "Drop 1 job?", "what is under way is dropped")
		b.Key("esc", "alt+z")
		b.Send(screen.JobsMsg{})
		assert.Equal(t, "reject false "+jobID(3), b.f.done[2])
		assert.Equal(t, jobID(3), b.row())
		b.Key("alt+z")
		b.Send(screen.JobsMsg{})
		assert.Equal(t, "reject false "+jobID(4), b.f.done[3], "step by step")
		b.Key("alt+z")
		assert.Contains(t, b.toast(t).Text, "nothing was rejected")
		assert.Equal(t, 4, b.m.list.jobs.Len())
	}
}

// TestRejectingSeveralIsAsked with their number, and what cannot be rejected stays.
func TestRejectingSeveralIsAsked(t *testing.T) {
	b := openRejecting(t, 120, 34, job(3, jobs.Completed), job(2, jobs.Completed), job(1, jobs.Failed))
	b.Key(" ", " ", "x")
	b.Golden("reject-120x34")
	b.Key("esc")
	assert.Empty(t, b.f.done)
	b.Key("x", "y")
	b.Send(screen.JobsMsg{})
	assert.Equal(t, []string{"reject true " + jobID(2) + " " + jobID(3)}, b.f.done)
	assert.Empty(t, b.m.list.jobs.marked)
	assert.Equal(t, jobID(1), b.row())
	b.Send(screen.ActionMsg{ID: actReject}) // as the palette does
	assert.Equal(t, "reject true "+jobID(1), b.f.done[1], "one alone is asked about once")
}

// TestStarredOnly is one key, and its term can be taken away like any other.
func TestStarredOnly(t *testing.T) {
	js := many(40)
	js[3].Tags, js[9].Tags = []string{jobs.Star}, []string{jobs.Star}
	for _, keys := range [][]string{{"b"}, {"v", "b"}} {
		b := open(t, 120, 34, js...)
		b.Key(keys...)
		b.Settle(10*time.Second, "the starred ones", func() bool { return b.m.list.jobs.Len() == 2 && !b.m.list.jobs.early })
		assert.Equal(t, "is:starred", b.m.list.filter.Text())
		assert.Equal(t, jobID(10), b.row(), "the newest star is two keys away: the screen's, and this one")
		b.Key("b")
		b.Settle(10*time.Second, "all", func() bool { return b.m.list.jobs.Len() == 40 })
		b.Key("b", "esc")
		b.Settle(10*time.Second, "all again", func() bool { return b.m.list.jobs.Len() == 40 })
	}
}

// TestARejectedResultIsTold apart from those that are kept wherever it shows, also without colours.
func TestARejectedResultIsTold(t *testing.T) {
	gone := job(2, jobs.Completed)
	gone.Rejected = start
	b := openRejecting(t, 120, 34, gone, job(1, jobs.Completed))
	b.Key("/")
	b.Type("is:rejected")
	b.Key("enter")
	require.Equal(t, 1, b.m.list.jobs.Len())
	assert.Regexp(t, `⊘ .* rejected`, b.View(), "the list")
	assert.Contains(t, b.View(), "✓ completed · rejected", "the facts")
	b.Key("v")
	assert.Regexp(t, `⊘ `, b.View(), "the gallery")
	assert.Contains(t, b.View(), " · rejected")
	assert.Contains(t, b.m.zoom.title(b.m.list.job()), "⊘ rejected", "on the whole screen")
}
