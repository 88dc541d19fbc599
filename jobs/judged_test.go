package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/store/storetest"
)

// TestListOfSlowAndStuck: of the tasks under way, the plan of each model and mode says which are slow,
// and the last change which are stuck; a page holds as many of them as it is to.
func TestListOfSlowAndStuck(t *testing.T) {
	t.Parallel()
	st, now := storetest.NewMem(), time.Now().Truncate(time.Millisecond)
	var changes []jobs.Change
	add := func(model string, state jobs.State, age, still time.Duration) string {
		j := storetest.NewJob(model)
		j.Draft.Model, j.State = model, state
		j.CreatedAt = now.Add(-age)
		j.SubmittedAt, j.AcceptedAt, j.UpdatedAt = j.CreatedAt, j.CreatedAt, now.Add(-still)
		c := jobs.Change{Job: j}
		if state == jobs.Completed {
			c.Job.EndedAt = c.Job.AcceptedAt.Add(age)
		} else {
			c.Due = now.Add(time.Minute)
		}
		changes = append(changes, c)
		return j.ID
	}
	for i := range 20 {
		add("quick", jobs.Completed, time.Duration(i+1)*time.Second, 0)
		add("lengthy", jobs.Completed, time.Duration(i+1)*time.Minute, 0)
	}
	var slow, stuck []string
	for range 3 {
		slow = append(slow, add("quick", jobs.Running, time.Minute, 10*time.Second))
		add("quick", jobs.Running, 10*time.Second, 0)
		add("lengthy", jobs.Running, 15*time.Minute, 0)
		add("new", jobs.Running, 10*time.Hour, time.Minute)
		stuck = append(stuck, add("new", jobs.Queued, time.Hour, 31*time.Minute))
		slow = append(slow, add("lengthy", jobs.Running, time.Hour, 35*time.Minute)) // less than twice what 95 of 100 took
	}
	both := add("lengthy", jobs.Running, time.Hour, 50*time.Minute)
	slow, stuck = append(slow, both), append(stuck, both)
	require.NoError(t, st.Insert(ctx0, changes))
	e := jobs.NewEngine(jobs.Options{Store: st})
	list := func(q jobs.Query) (ids []string) {
		for {
			p, err := e.List(ctx0, q)
			require.NoError(t, err)
			require.LessOrEqual(t, len(p.Jobs), max(q.Limit, 50))
			for _, j := range p.Jobs {
				ids = append([]string{j.ID}, ids...)
			}
			if q.Before = p.Next; q.Before == "" {
				return ids
			}
		}
	}
	for _, limit := range []int{0, 1, 2, 7} {
		assert.Equal(t, slow, list(jobs.Query{Slow: true, Limit: limit}), "in pages of %d", limit)
		assert.Equal(t, stuck, list(jobs.Query{Stuck: true, Limit: limit}), "in pages of %d", limit)
	}
	assert.Equal(t, []string{both}, list(jobs.Query{Slow: true, Stuck: true}))
	assert.Equal(t, stuck[:3], list(jobs.Query{Stuck: true, States: []jobs.State{jobs.Queued, jobs.Completed}}))
	assert.Empty(t, list(jobs.Query{Slow: true, States: []jobs.State{jobs.Completed}}), "what has ended is not slow")
}

// TestProgressIsAChange: the time of the last change tells of a progress that grew, and of nothing
// when it did not.
func TestProgressIsAChange(t *testing.T) {
	t.Parallel()
	start := time.Time{}
	run(t, func(r *rig, o *jobs.Options) {
		o.Curve = schedule.Curve{First: time.Second, Max: time.Second}
		r.gate.query = func(id string, _ int) (client.Task, error) {
			tk := task(id, client.StatusRunning, "running")
			if start.IsZero() {
				start = time.Now()
			}
			tk.Progress = min(float64(time.Since(start)/time.Second), 30)
			return tk, nil
		}
	}, func(r *rig) {
		id := r.submit()
		r.pass(20 * time.Second)
		j := r.job(id)
		require.Less(t, time.Since(j.UpdatedAt), 3*time.Second)
		r.pass(time.Hour)
		j = r.job(id)
		require.EqualValues(t, 30, j.Progress)
		assert.InDelta(t, 30, j.UpdatedAt.Sub(start).Seconds(), 3)
		assert.True(t, j.StuckBy(nil, time.Now()))
		assert.False(t, j.StuckBy(nil, j.UpdatedAt.Add(29*time.Minute)))
	})
}
