package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// foreign is somebody else's task as it was found.
func foreign(t client.Task) jobs.Observation {
	return jobs.Observation{
		TaskID: t.ID, Draft: client.Draft{Modality: client.Video, Model: "m"}, Task: t, Began: time.Now(),
		Tags: []string{"ticket:77"}, Remark: " from the ticket ",
	}
}

// TestObserved: somebody else's task is followed to its end and its file fetched, without a create.
func TestObserved(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.AutoDownload = true
		r.gate.query = func(id string, n int) (client.Task, error) {
			if n < 4 {
				return task(id, client.StatusRunning, "running"), nil
			}
			return done(id), nil
		}
	}, func(r *rig) {
		id, fresh, err := r.e.Observe(ctx0, foreign(task("theirs", client.StatusQueued, "queued")))
		require.NoError(t, err)
		assert.True(t, fresh)
		j := r.job(id)
		assert.Equal(t, jobs.Queued, j.State)
		assert.True(t, j.Observed)
		assert.Equal(t, []string{"ticket:77"}, j.Tags)
		assert.Equal(t, "from the ticket", j.Remark)
		r.pass(10 * time.Minute)
		j = r.kept(id).Job
		assert.Equal(t, jobs.Completed, j.State)
		assert.True(t, j.Observed)
		require.Len(t, j.Files, 1)
		assert.Equal(t, jobs.FileSaved, j.Files[0].State)
		assert.Zero(t, r.gate.sent())
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		assert.Equal(t, []jobs.State{jobs.Queued, jobs.Running, jobs.Completed, ""}, states(d.Events))
		assert.Equal(t, "queued", d.Exchanges[0].RawStatus, "the answer that it was found by")

		_, err = r.e.Resend(ctx0, id)
		require.ErrorIs(t, err, jobs.ErrState)
		require.ErrorContains(t, err, "never sent")
		past, err := r.store.Past(ctx0, jobs.PastQuery{Profile: j.Profile, Model: "m"})
		require.NoError(t, err)
		assert.Empty(t, past, "nobody knows when it began")
	})
}

func states(events []jobs.Event) (out []jobs.State) {
	for _, e := range events {
		out = append(out, e.To)
	}
	return out
}

// TestObservedTwice: a task that the history has is not there twice; its job gets what was noted.
func TestObservedTwice(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		first, _, err := r.e.Observe(ctx0, foreign(task("theirs", client.StatusRunning, "running")))
		require.NoError(t, err)
		o := foreign(task("theirs", client.StatusRunning, "running"))
		o.Tags, o.Remark = []string{"ticket:78"}, ""
		id, fresh, err := r.e.Observe(ctx0, o)
		require.NoError(t, err)
		assert.False(t, fresh)
		assert.Equal(t, first, id)
		assert.Equal(t, []string{"ticket:77", "ticket:78"}, r.job(id).Tags)
		assert.Equal(t, "from the ticket", r.job(id).Remark)

		o.TaskID = "a b"
		_, _, err = r.e.Observe(ctx0, o)
		require.Error(t, err)
		o.TaskID, o.Tags = "other", []string{"two words"}
		_, _, err = r.e.Observe(ctx0, o)
		require.Error(t, err)
	})
}

// TestObservedEnded: a task that had ended when it was found is not asked for again, and the bytes
// that came in its answer go to the disk.
func TestObservedEnded(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		failed := task("broken", client.StatusFailed, "FAILED")
		failed.Error = &client.TaskError{Code: "x", Message: "no"}
		failed.EndedAt = time.Now().Add(-time.Hour)
		id, _, err := r.e.Observe(ctx0, foreign(failed))
		require.NoError(t, err)
		whole := done("whole")
		whole.Assets = []client.Asset{{Kind: client.AssetImage, Inline: []byte("bytes")}}
		inline, _, err := r.e.Observe(ctx0, foreign(whole))
		require.NoError(t, err)
		r.pass(5 * time.Minute)
		j := r.kept(id).Job
		assert.Equal(t, jobs.Failed, j.State)
		assert.Equal(t, "no", j.Error.Message)
		assert.True(t, j.EndedAt.Equal(failed.EndedAt))
		require.Len(t, r.kept(inline).Job.Files, 1)
		assert.Equal(t, jobs.FileSaved, r.kept(inline).Job.Files[0].State)
		assert.Zero(t, r.gate.total())
		assert.Zero(t, r.gate.sent())
	})
}

// TestObservedIsNeverSent: not even where a history has it as one that is about to be sent.
func TestObservedIsNeverSent(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		r.end()
		var ids []string
		for _, s := range []jobs.State{jobs.Planned, jobs.Submitting, jobs.Ambiguous, jobs.Refused} {
			w := planted(r, s)
			ids = append(ids, w)
		}
		r.start()
		r.pass(time.Hour)
		for _, id := range ids {
			j := r.kept(id).Job
			assert.Contains(t, []jobs.State{jobs.Dropped, jobs.Ambiguous, jobs.Refused}, j.State)
			_, err := r.e.Resend(ctx0, id)
			require.Error(t, err)
			_ = r.e.Repoll(ctx0, id)
		}
		r.pass(time.Hour)
		assert.Zero(t, r.gate.sent())
	})
}

// planted is an observed job that a history has in a state that it cannot be in.
func planted(r *rig, s jobs.State) string {
	r.t.Helper()
	id, _, err := r.e.Observe(ctx0, foreign(task("theirs-"+string(s), client.StatusRunning, "running")))
	require.NoError(r.t, err)
	_, err = r.store.Amend(ctx0, id, func(w jobs.Work) (jobs.Change, error) {
		w.Job.State = s
		return jobs.Change{Job: w.Job, Due: time.Now(), Take: true, Owner: "gone", Until: time.Now().Add(-time.Hour)}, nil
	})
	require.NoError(r.t, err)
	return id
}

// TestObservedAllows: nothing that would send it, and all that looks after it.
func TestObservedAllows(t *testing.T) {
	t.Parallel()
	for _, s := range jobs.States() {
		j := jobs.Job{State: s, Observed: true, TaskID: "t"}
		for _, a := range []jobs.Action{jobs.ActResend, jobs.ActCompose, jobs.ActSendFiles} {
			require.ErrorIs(t, jobs.Allowed(a, &j), jobs.ErrState, "%s of %s", a, s)
			assert.NotEmpty(t, jobs.WhyNot(a, &j))
		}
		own := jobs.Job{State: s}
		assert.NoError(t, jobs.Allowed(jobs.ActCompose, &own))
	}
	j := jobs.Job{State: jobs.Running, Observed: true, TaskID: "t"}
	require.NoError(t, jobs.Allowed(jobs.ActRepoll, &j))
	require.NoError(t, jobs.Allowed(jobs.ActDrop, &j))
}
