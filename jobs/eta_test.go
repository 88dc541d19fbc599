package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// TestPlanOf: what earlier tasks took is known without the disk once the history was read,
// to the engine that polls as to one that only reads.
func TestPlanOf(t *testing.T) {
	t.Parallel()
	finish := func(after time.Duration) func(r *rig, o *jobs.Options) {
		return func(r *rig, o *jobs.Options) {
			o.Curve = schedule.Curve{First: time.Second, Max: time.Second}
			var born time.Time
			r.gate.create = func(client.Draft, int) (client.Task, error) {
				born = time.Now()
				return task("t"+born.Format("150405.000"), client.StatusQueued, "queued"), nil
			}
			r.gate.query = func(id string, _ int) (client.Task, error) {
				if time.Since(born) >= after {
					return done(id), nil
				}
				return task(id, client.StatusRunning, "running"), nil
			}
		}
	}
	run(t, finish(20*time.Second), func(r *rig) {
		for range 12 {
			id := r.submit()
			j := r.job(id)
			require.Nil(t, r.e.PlanOf(&j), "nothing below twelve")
			r.pass(90 * time.Second)
			require.Equal(t, jobs.Completed, r.job(id).State)
		}
		r.gate.script(func(id string, _ int) (client.Task, error) { return task(id, client.StatusRunning, "running"), nil })
		r.pass(11 * time.Minute) // what was read is old by then
		id := r.submit()
		reader := jobs.NewEngine(jobs.Options{Store: r.store, Gateway: r.gate})
		j := r.job(id)
		require.Nil(t, reader.PlanOf(&j), "it has not looked yet")
		_, err := reader.List(ctx0, jobs.Query{})
		require.NoError(t, err)
		theirs := j
		theirs.Profile = "q"
		require.Nil(t, reader.PlanOf(&theirs), "another profile's gateway is another one")
		for _, e := range []*jobs.Engine{r.e, reader} {
			p := e.PlanOf(&j)
			require.Equal(t, 12, p.Tasks())
			assert.InDelta(t, 20, p.Median().Seconds(), 3)
			left, ok := p.Left(j.Age(j.AcceptedAt.Add(5 * time.Second)))
			assert.True(t, ok)
			assert.Equal(t, p.Median()-5*time.Second, left)
		}
		r.pass(time.Minute)
		j = r.job(id)
		assert.True(t, r.e.PlanOf(&j).Slow(j.Age(time.Now())))
	})
}

func TestAge(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	j := jobs.Job{CreatedAt: now.Add(-time.Hour)}
	assert.Zero(t, j.Age(now), "the gateway has not taken it")
	j.AcceptedAt = now.Add(-time.Minute)
	assert.Equal(t, time.Minute, j.Age(now))
	assert.Zero(t, j.Age(now.Add(-time.Hour)), "a clock that went back")
	j.EndedAt = now.Add(-10 * time.Second)
	assert.Equal(t, 50*time.Second, j.Age(now), "it grows no more")
}
