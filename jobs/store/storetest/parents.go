package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// testParents: jobs are found by those that they were made from, a job's parents come back as
// they were, also of records, and a parent may go.
func testParents(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	a, b, c := NewJob("a"), NewJob("b"), NewJob("c")
	b.Draft.Parents = []client.Parent{{Job: a.ID, As: "i2v", Ref: "https://media.invalid/a.png"}}
	c.Draft.Parents = []client.Parent{{Job: a.ID, Ref: "file:///a"}, {Job: b.ID, Ref: "file:///b"}, {Job: b.ID, Ref: "file:///b"}}
	require.NoError(t, s.Insert(ctx, []jobs.Change{Plan(a), Plan(b), Plan(c)}))
	assert.Equal(t, []string{c.ID, b.ID}, ids(t, s, jobs.Query{Parent: a.ID}))
	assert.Equal(t, []string{c.ID}, ids(t, s, jobs.Query{Parent: b.ID}))
	assert.Empty(t, ids(t, s, jobs.Query{Parent: c.ID}))
	assert.Equal(t, []string{b.ID}, ids(t, s, jobs.Query{Parent: a.ID, Before: c.ID}))
	for range 3 { // newer, and no children
		require.NoError(t, s.Insert(ctx, []jobs.Change{Plan(NewJob("d"))}))
	}
	assert.Equal(t, []string{c.ID}, ids(t, s, jobs.Query{Parent: a.ID, States: []jobs.State{jobs.Planned}, Limit: 1}))
	got, err := s.Get(ctx, b.ID)
	require.NoError(t, err)
	assert.Equal(t, b.Draft.Parents, got.Job.Draft.Parents)

	all := records(t, s)
	for _, r := range all {
		_, err := s.Amend(ctx, r.Job.ID, func(w jobs.Work) (jobs.Change, error) {
			ch := commit(w, jobs.Dropped)
			ch.Take, ch.Due = true, time.Time{}
			return ch, nil
		})
		require.NoError(t, err)
	}
	_, err = s.Prune(ctx, jobs.Prune{})
	require.NoError(t, err)
	assert.Empty(t, ids(t, s, jobs.Query{Parent: a.ID}), "what is gone was made from nothing")
	_, err = s.Import(ctx, all[1:])
	require.NoError(t, err)
	assert.Equal(t, []string{c.ID, b.ID}, ids(t, s, jobs.Query{Parent: a.ID}), "the parent is not there, and still theirs")
}
