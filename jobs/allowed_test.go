package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func actions() []jobs.Action {
	return []jobs.Action{jobs.ActAdopt, jobs.ActDownload, jobs.ActDrop, jobs.ActLookUp, jobs.ActOpen, jobs.ActParent, jobs.ActPause,
		jobs.ActRepoll, jobs.ActResend, jobs.ActSendFiles}
}

// TestAllowed holds what may be done in each state with a job that has a task, assets and a
// file that is still to come.
func TestAllowed(t *testing.T) {
	t.Parallel()
	want := map[jobs.State][]jobs.Action{
		jobs.Planned:    {jobs.ActDrop, jobs.ActPause, jobs.ActRepoll, jobs.ActSendFiles},
		jobs.Submitting: {jobs.ActPause},
		jobs.Ambiguous:  {jobs.ActAdopt, jobs.ActDrop, jobs.ActPause, jobs.ActResend, jobs.ActSendFiles},
		jobs.Refused:    {jobs.ActDrop, jobs.ActPause, jobs.ActResend, jobs.ActSendFiles},
		jobs.Queued:     {jobs.ActDrop, jobs.ActPause, jobs.ActRepoll},
		jobs.Running:    {jobs.ActDrop, jobs.ActPause, jobs.ActRepoll},
		jobs.Unknown:    {jobs.ActDrop, jobs.ActPause, jobs.ActRepoll},
		jobs.Completed:  {jobs.ActDownload, jobs.ActDrop, jobs.ActPause},
		jobs.Failed:     {jobs.ActDrop, jobs.ActPause},
		jobs.Lost:       {jobs.ActAdopt, jobs.ActDrop, jobs.ActPause, jobs.ActRepoll},
		jobs.Dropped:    {jobs.ActDrop, jobs.ActPause},
	}
	for _, s := range jobs.States() {
		j := jobs.Job{State: s, TaskID: "t", Assets: []client.Asset{{}}, Files: []jobs.File{{State: jobs.FileWanted}}}
		var got []jobs.Action
		for _, a := range actions() {
			err := jobs.Allowed(a, &j)
			if err == nil {
				assert.Empty(t, jobs.WhyNot(a, &j))
				if a != jobs.ActLookUp {
					got = append(got, a)
				}
				continue
			}
			assert.NotEmpty(t, jobs.WhyNot(a, &j), "%s of %s", a, s)
			assert.True(t, errors.Is(err, jobs.ErrState) || errors.Is(err, jobs.ErrInFlight), "%s of %s: %v", a, s, err)
		}
		assert.Equal(t, want[s], got, s)
	}
}

func TestAllowedLooksAtMoreThanTheState(t *testing.T) {
	t.Parallel()
	refused := func(a jobs.Action, j jobs.Job, why string) {
		t.Helper()
		assert.Contains(t, jobs.WhyNot(a, &j), why)
	}
	refused(jobs.ActDownload, jobs.Job{State: jobs.Completed}, "no files")
	refused(jobs.ActDrop, jobs.Job{State: jobs.Completed}, "nothing to drop")
	refused(jobs.ActDrop, jobs.Job{State: jobs.Submitting}, "after that")
	refused(jobs.ActPause, jobs.Job{State: jobs.Failed}, "nothing to pause")
	refused(jobs.ActRepoll, jobs.Job{State: jobs.Lost}, "nothing to ask")
	refused(jobs.ActLookUp, jobs.Job{}, "no task id")
	refused(jobs.ActOpen, jobs.Job{Files: []jobs.File{{State: jobs.FileSaved, Elsewhere: true}}}, "no file")
	refused(jobs.ActParent, jobs.Job{}, "not made from")
	refused(jobs.ActReject, jobs.Job{State: jobs.Running}, "has not ended")
	refused(jobs.ActReject, jobs.Job{State: jobs.Ambiguous}, "nobody knows")
	refused(jobs.ActReject, jobs.Job{State: jobs.Completed, Files: []jobs.File{{State: jobs.FileWanted}}}, "being saved")
	refused(jobs.ActReject, jobs.Job{State: jobs.Completed, Tags: []string{jobs.Star}}, "starred")
	refused(jobs.ActReject, jobs.Job{State: jobs.Completed, Files: []jobs.File{{State: jobs.FileSaved, Elsewhere: true}}}, "another machine")
	refused(jobs.ActReject, jobs.Job{State: jobs.Failed, Rejected: time.Unix(1, 0)}, "already")
	refused(jobs.ActRestore, jobs.Job{State: jobs.Failed}, "not rejected")
	for _, s := range []jobs.State{jobs.Completed, jobs.Failed, jobs.Lost, jobs.Refused, jobs.Dropped} {
		assert.Empty(t, jobs.WhyNot(jobs.ActReject, &jobs.Job{State: s, Files: []jobs.File{{State: jobs.FileSaved}}}), s)
	}
	assert.Empty(t, jobs.WhyNot(jobs.ActRestore, &jobs.Job{State: jobs.Failed, Rejected: time.Unix(1, 0)}))
	assert.Empty(t, jobs.WhyNot(jobs.ActParent, &jobs.Job{Draft: client.Draft{Cut: true}}), "the whole draft is read first")
}

// taker takes submissions as an engine does.
type taker struct {
	jobs.Doer
	got []jobs.Submission
	ids []string
	err error
}

func (d *taker) Submit(_ context.Context, s []jobs.Submission) ([]string, error) {
	d.got = s
	return d.ids, d.err
}

func TestSubmitGroup(t *testing.T) {
	t.Parallel()
	d := &taker{ids: []string{"a", "b"}}
	group, ids, err := jobs.SubmitGroup(ctx0, d, make([]jobs.Submission, 2))
	require.NoError(t, err)
	assert.Equal(t, d.ids, ids)
	assert.NotEmpty(t, group)
	assert.Equal(t, []string{group, group}, []string{d.got[0].Group, d.got[1].Group})

	again, _, err := jobs.SubmitGroup(ctx0, d, d.got)
	require.NoError(t, err)
	assert.Equal(t, group, again, "what is one group stays it")

	d.ids = d.ids[:1]
	alone, _, err := jobs.SubmitGroup(ctx0, d, make([]jobs.Submission, 1))
	require.NoError(t, err)
	assert.Empty(t, alone, "one job is no group")

	_, _, err = jobs.SubmitGroup(ctx0, d, make([]jobs.Submission, 2))
	require.ErrorContains(t, err, "2 jobs were asked for, 1 came back")
	d.err = errors.New("the disk is full")
	_, _, err = jobs.SubmitGroup(ctx0, d, make([]jobs.Submission, 2))
	require.ErrorIs(t, err, d.err)
}
