package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// TestAnswerWithoutItsResult: of a format that answers with the result nothing can be asked for
// later; an answer with an id alone is ambiguous, and can be settled.
func TestAnswerWithoutItsResult(t *testing.T) {
	t.Parallel()
	run(t, func(r *rig, o *jobs.Options) {
		o.Synchronous = func(f string) bool { return f == "videos" }
		r.gate.create = func(client.Draft, int) (client.Task, error) {
			return client.Task{ID: "chatcmpl-1", Format: "videos", Progress: -1, Raw: []byte(`{"id":"chatcmpl-1"}`)}, nil
		}
	}, func(r *rig) {
		resent, dropped := r.submit(), r.submit()
		r.pass(time.Hour)
		assert.Zero(t, r.gate.total(), "nothing is asked")
		for _, id := range []string{resent, dropped} {
			j := r.kept(id).Job
			assert.Equal(t, jobs.Ambiguous, j.State)
			assert.Empty(t, j.TaskID)
			d, err := r.e.Detail(ctx0, id)
			require.NoError(t, err)
			assert.Contains(t, d.Events[len(d.Events)-1].Message, "chatcmpl-1")
			assert.JSONEq(t, `{"id":"chatcmpl-1"}`, string(d.Answer))
		}
		_, err := r.e.Resend(ctx0, resent)
		require.NoError(t, err)
		require.NoError(t, r.e.Drop(ctx0, dropped))
		r.pass(time.Second)
		assert.Equal(t, 3, r.gate.sent())
	})
}
