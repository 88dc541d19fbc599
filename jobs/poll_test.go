package jobs_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// TestProgressIsWrittenNowAndThen: what a poll tells is on the board at once, and in the
// history so often only that ten thousand jobs do not wear a disk out; what was told last
// is there in the end.
func TestProgressIsWrittenNowAndThen(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = schedule.Curve{First: time.Second, Max: time.Second}
		r.gate.query = func(id string, n int) (client.Task, error) {
			t := task(id, client.StatusRunning, "running")
			t.Progress = float64(min(n, 30))
			return t, nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(3 * time.Second)
		first := r.kept(id)
		revs := map[int64]bool{}
		for range 24 {
			r.pass(time.Second)
			revs[r.kept(id).Rev] = true
			assert.GreaterOrEqual(t, r.job(id).Progress, r.kept(id).Job.Progress)
		}
		assert.Greater(t, r.job(id).Progress, first.Job.Progress+20, "the board has each")
		assert.Greater(t, len(revs), 1)
		assert.LessOrEqual(t, len(revs), 4, "one write in ten seconds")
		r.pass(20 * time.Second)
		assert.InDelta(t, 30, r.kept(id).Job.Progress, 0, "the last one is written, though it does not change any more")
		rev := r.kept(id).Rev
		r.pass(20 * time.Second)
		require.Equal(t, rev, r.kept(id).Rev)
	})
}

// TestProgressAfterTheClockWentBack is written as before, not when the clock is again where
// it was.
func TestProgressAfterTheClockWentBack(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = schedule.Curve{First: time.Second, Max: time.Second}
		o.Clock = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
		r.gate.query = func(id string, n int) (client.Task, error) {
			t := task(id, client.StatusRunning, "running")
			t.Progress = float64(min(n, 100)) / 2
			return t, nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(15 * time.Second)
		before := r.kept(id).Job.Progress
		require.Positive(t, before)
		offset.Store(-int64(time.Hour))
		r.pass(5 * time.Minute)
		assert.InDelta(t, 50, r.kept(id).Job.Progress, 0)
		revs := map[int64]bool{}
		r.gate.script(func(id string, n int) (client.Task, error) {
			t := task(id, client.StatusRunning, "running")
			t.Progress = 50 + float64(n%50)
			return t, nil
		})
		for range 30 {
			r.pass(time.Second)
			revs[r.kept(id).Rev] = true
		}
		assert.LessOrEqual(t, len(revs), 5, "one write in ten seconds, as ever")
	})
}

// TestNotFoundAfterTheClockWentBack: a task that nobody knows is lost all the same.
func TestNotFoundAfterTheClockWentBack(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	run(t, func(r *rig, o *jobs.Options) {
		o.Clock = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
		r.gate.query = func(string, int) (client.Task, error) { return client.Task{}, apiError(404) }
	}, func(r *rig) {
		id := r.submit()
		r.pass(15 * time.Second)
		offset.Store(-int64(24 * time.Hour))
		r.pass(20 * time.Minute)
		assert.Equal(t, jobs.Lost, r.job(id).State)
	})
}

// TestThePackedDraftComesBack: polls go without most of the draft; readers and whoever saves
// files get all of it, and so does the history.
func TestThePackedDraftComesBack(t *testing.T) {
	t.Parallel()
	draft := client.Draft{
		Modality: client.Video, Model: "famF-video", ModelName: "famF-v3", Mode: "i2v", Prompt: "a <kite> over 盐田",
		Values: client.Values{"seed": json.Number("9007199254740993"), "images": []any{"https://h/1.png"}, "sound": true},
		Extra:  map[string]json.RawMessage{"parameters.x": json.RawMessage(`[1]`)},
	}
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, n int) (client.Task, error) {
			if n < 8 {
				return task(id, client.StatusRunning, "running"), nil
			}
			return done(id), nil
		}
	}, func(r *rig) {
		ids, err := r.e.Submit(ctx0, []jobs.Submission{{Draft: draft, Group: "g"}})
		require.NoError(t, err)
		r.pass(time.Second)
		j := r.job(ids[0])
		require.Equal(t, jobs.Running, j.State)
		assert.Equal(t, draft, j.Draft)
		list, _ := r.e.Changes(0)
		assert.Equal(t, draft, list[0].Draft)
		r.pass(time.Minute)
		r.save.mu.Lock()
		assert.Equal(t, draft, r.save.calls[0].Job.Draft)
		assert.Equal(t, "g", r.save.calls[0].Job.Group)
		r.save.mu.Unlock()
		assert.Equal(t, draft, r.kept(ids[0]).Job.Draft)
		list, _ = r.e.Changes(0)
		require.Len(t, list, 1)
		assert.Equal(t, draft, list[0].Draft)
		assert.Equal(t, jobs.Completed, list[0].State)
	})
}
