package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestAnAnswerAboutAnotherTaskIsNotedAndNotTaken: the job stands as it stood, nothing is saved,
// timeline, note and exchanges tell, and the next answer about the task itself counts.
func TestAnAnswerAboutAnotherTaskIsNotedAndNotTaken(t *testing.T) {
	t.Parallel()
	about := func(id string) (client.Task, error) {
		return client.Task{Raw: []byte(`{"id":"t9","status":"completed"}`), Meta: client.Meta{HTTPStatus: 200, Path: "GET /v1/videos/" + id}},
			&client.OtherTaskError{Asked: id, Named: "t9", Meta: client.Meta{HTTPStatus: 200, Path: "GET /v1/videos/" + id}}
	}
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, _ int) (client.Task, error) { return about(id) }
	}, func(r *rig) {
		id := r.submit()
		before := r.job(id)
		r.pass(10 * time.Minute)
		j := r.job(id)
		assert.Equal(t, jobs.Queued, j.State, "however long it goes on")
		assert.Equal(t, before.RawStatus, j.RawStatus)
		assert.Equal(t, "t1", j.TaskID)
		assert.Empty(t, j.AltIDs)
		assert.Empty(t, j.Assets)
		assert.Empty(t, j.Files)
		assert.Contains(t, j.Note, `about another task, "t9"`)
		assert.Zero(t, r.save.count())
		d, err := r.e.Detail(ctx0, id)
		require.NoError(t, err)
		assert.NotContains(t, string(d.Answer), "t9", "the kept answer is one about the task")
		last := d.Exchanges[len(d.Exchanges)-1]
		assert.Equal(t, 200, last.HTTPStatus)
		assert.Equal(t, "GET /v1/videos/t1", last.Path)
		assert.Contains(t, last.Error, "another task")
		told := 0
		for _, e := range d.Events {
			if e.Kind == jobs.EventPollError && strings.Contains(e.Message, `"t9"`) {
				told++
				assert.Equal(t, 200, e.HTTPStatus)
			}
		}
		assert.Equal(t, 1, told, "once, not with every poll")

		r.gate.script(func(id string, _ int) (client.Task, error) { return done(id), nil })
		r.pass(2 * time.Minute)
		j = r.job(id)
		assert.Equal(t, jobs.Completed, j.State)
		assert.Equal(t, jobs.FileSaved, j.Files[0].State)
		assert.Empty(t, j.Note)
	})
}

// TestAFreshAddressIsThatOfTheTaskItself: an address out of an answer about another task is
// never fetched.
func TestAFreshAddressIsThatOfTheTaskItself(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.query = func(id string, n int) (client.Task, error) {
			if n == 1 {
				return done(id), nil
			}
			return client.Task{}, &client.OtherTaskError{Asked: id, Named: "t9", Meta: client.Meta{HTTPStatus: 200, Path: "GET /v1/videos/" + id}}
		}
	}, func(r *rig) {
		refusing(r, 1, jobs.SaveExpired, 403)
		id := r.submit()
		_, err := r.e.Wait(ctx0, []string{id})
		require.NoError(t, err)
		assert.Equal(t, jobs.FileSaved, r.job(id).Files[0].State)
		for _, c := range r.save.calls {
			assert.Equal(t, "https://h/t1.mp4", c.Asset.URL)
		}
	})
}

// TestAJobAdoptsNoAnswerAboutAnotherTask.
func TestAJobAdoptsNoAnswerAboutAnotherTask(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, _ *jobs.Options) {
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{}, &client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errBroken}
		}
		r.gate.query = func(id string, _ int) (client.Task, error) {
			return client.Task{}, &client.OtherTaskError{Asked: id, Named: "t9", Meta: client.Meta{HTTPStatus: 200, Path: "GET /v1/videos/" + id}}
		}
	}, func(r *rig) {
		id := r.submit()
		_, err := r.e.Adoptable(ctx0, id, "t1")
		var other *client.OtherTaskError
		require.ErrorAs(t, err, &other)
		require.NotErrorIs(t, err, jobs.ErrUnknownTask)
		assert.Equal(t, jobs.Ambiguous, r.job(id).State)
	})
}
