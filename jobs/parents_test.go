package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// A job remembers whose results it uses, to its end; what a draft does not
// use any more is forgotten when it is submitted.
func TestAJobRemembersItsParents(t *testing.T) {
	t.Parallel()
	run(t, nil, func(r *rig) {
		s := sub("a kite")
		s.Draft.Values = client.Values{"image": "https://media.invalid/1"}
		s.Draft.Parents = []client.Parent{{Job: "a", As: "i2v", Ref: "https://media.invalid/1"}, {Job: "b", Ref: "https://media.invalid/2"}}
		ids, err := r.e.Submit(ctx0, []jobs.Submission{s})
		require.NoError(t, err)
		r.pass(time.Minute)
		want := s.Draft.Parents[:1]
		assert.Equal(t, want, r.kept(ids[0]).Job.Draft.Parents, "in the history")
		assert.Equal(t, want, r.job(ids[0]).Draft.Parents, "and as it is held")
		page, err := r.e.List(ctx0, jobs.Query{Parent: "a"})
		require.NoError(t, err)
		require.Len(t, page.Jobs, 1)
		assert.Equal(t, ids[0], page.Jobs[0].ID)
		assert.Len(t, s.Draft.Parents, 2, "the draft that was given stays as it is")
	})
}
