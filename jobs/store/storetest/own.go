package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// testOwn has a person tag and pause a job while somebody works on an earlier copy of it.
func testOwn(t *testing.T, s jobs.Store) {
	j := NewJob("own")
	j.Tags = []string{"new"}
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(j)}))
	works, err := s.Claim(t.Context(), jobs.Claim{Owner: "me", Profile: "p", Now: Base, Until: Base.Add(time.Minute)})
	require.NoError(t, err)
	require.Len(t, works, 1)
	_, err = s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		w.Job.Tags, w.Job.Remark, w.Job.Paused = []string{"kept"}, "look here", true
		return jobs.Change{Job: w.Job, Due: w.Due}, nil
	})
	require.NoError(t, err)
	c := jobs.Change{Job: works[0].Job, Due: Base, Token: works[0].Token}
	c.Job.State = jobs.Running
	c.Job.Draft = client.Draft{Modality: j.Draft.Modality, Model: j.Draft.Model} // a poller has no more of it
	_, err = s.Commit(t.Context(), c)
	require.NoError(t, err)
	got, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Running, got.Job.State)
	assert.Equal(t, j.Draft, got.Job.Draft)
	assert.Equal(t, []string{"kept"}, got.Job.Tags)
	assert.Equal(t, "look here", got.Job.Remark)
	assert.True(t, got.Job.Paused)
	p, err := s.List(t.Context(), jobs.Query{Tag: "kept", Text: j.Draft.Prompt})
	require.NoError(t, err)
	assert.Len(t, p.Jobs, 1)
}
