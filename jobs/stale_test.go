package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestALateAnswerIsNotShown has the answer to a poll come after the job was dropped.
func TestALateAnswerIsNotShown(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) {
			<-time.After(10 * time.Second) // it is read to its end, whatever becomes of the context
			return task(id, client.StatusQueued, "queued"), nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(2 * time.Second) // a poll is in flight
		require.NoError(t, r.e.Drop(ctx0, id))
		r.pass(15 * time.Second)
		assert.Equal(t, jobs.Counts{}, r.e.Counts())
		list, _ := r.e.Changes(0)
		require.Len(t, list, 1)
		assert.Equal(t, jobs.Dropped, list[0].State)
	})
}

// TestALateProgressIsNotShown has a saver tell of bytes after the download was stopped: the
// job would count as being fetched for ever.
func TestALateProgressIsNotShown(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return done(id), nil }
		r.save.save = func(ctx context.Context, _ jobs.FileRequest, progress func(int64, int64)) (jobs.File, error) {
			progress(1, 10)
			<-ctx.Done()
			<-time.After(time.Second)
			progress(2, 10)
			return jobs.File{}, &jobs.SaveError{Fault: jobs.SaveTemporary, Err: ctx.Err()}
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(2 * time.Second)
		require.Equal(t, jobs.FileFetching, r.job(id).Files[0].State)
		require.NoError(t, r.e.Drop(ctx0, id))
		r.pass(time.Minute)
		short, cancel := context.WithTimeout(ctx0, time.Minute)
		defer cancel()
		list, err := r.e.Wait(short, []string{id})
		require.NoError(t, err)
		assert.Equal(t, jobs.FileFailed, list[0].Files[0].State)
	})
}
