package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/transport"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// What was planned before waits, what runs is polled, and nothing new is taken.
func TestAReadOnlyEngineSendsNothing(t *testing.T) {
	var planned, running, refused string
	run(t, func(r *rig, o *jobs.Options) {
		o.ReadOnly = "--read-only"
		plan, polled, no := storetest.NewJob("to be sent"), storetest.NewJob("runs"), storetest.NewJob("was refused")
		polled.State, polled.TaskID, polled.QueryFormat, polled.AcceptedAt = jobs.Running, "t9", "videos", time.Now()
		no.State = jobs.Refused
		planned, running, refused = plan.ID, polled.ID, no.ID
		for _, j := range []*jobs.Job{&plan, &polled, &no} {
			j.Profile = o.Profile
		}
		ended := storetest.Plan(no)
		ended.Due = time.Time{}
		require.NoError(t, r.store.Insert(ctx0, []jobs.Change{storetest.Plan(plan), storetest.Plan(polled), ended}))
		r.gate.script(func(id string, _ int) (client.Task, error) { return done(id), nil })
	}, func(r *rig) {
		r.pass(2 * time.Minute)
		assert.Zero(t, r.gate.sent())
		assert.Equal(t, jobs.Planned, r.job(planned).State)
		assert.Equal(t, jobs.Completed, r.job(running).State, "polls go on")
		assert.Empty(t, r.kept(planned).Owner, "it is left to whoever may send it")
		flow := r.e.Counts().Flow
		assert.Equal(t, "--read-only", flow.ReadOnly)
		assert.Equal(t, []jobs.Hold{{Kind: jobs.HoldReadOnly}}, flow.Holds(r.job(planned), ""))
		assert.Empty(t, flow.Holds(r.job(running), ""))

		page, err := r.e.List(ctx0, jobs.Query{})
		require.NoError(t, err)
		before := len(page.Jobs)
		var why *transport.ReadOnlyError
		_, err = r.e.Submit(ctx0, []jobs.Submission{sub("another")})
		require.ErrorAs(t, err, &why)
		_, err = r.e.Resend(ctx0, refused)
		require.ErrorAs(t, err, &why)
		assert.Equal(t, jobs.Refused, r.job(refused).State, "it was not dropped for a job that nobody sends")
		require.ErrorAs(t, r.e.Repoll(ctx0, planned), &why)
		page, err = r.e.List(ctx0, jobs.Query{})
		require.NoError(t, err)
		assert.Len(t, page.Jobs, before, "nothing is journalled")

		require.NoError(t, r.e.Tag(ctx0, planned, []string{"ticket-7"}, nil), "tags and notes are this machine's")
		r.pass(time.Minute)
		assert.Zero(t, r.gate.sent())
	})
}
