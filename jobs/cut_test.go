package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestLongDraftsAreSentWhole: an engine that saw another one's job in a list, which has the
// beginning of its draft only, sends the whole once the job is its own.
func TestLongDraftsAreSentWhole(t *testing.T) {
	t.Parallel()
	st, gate := storetest.NewMem(), &gateway{}
	e := running(t, jobs.Options{Store: st, Gateway: gate, Profile: "p", Owner: "me", Look: 20 * time.Millisecond})
	prompt := strings.Repeat("a long prompt ", 1<<15)
	j := storetest.NewJob(prompt)
	theirs := storetest.Plan(j)
	theirs.Take, theirs.Owner, theirs.Until = true, "you", time.Now().Add(time.Hour)
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{theirs}))
	seen := func() *jobs.Job {
		all, _ := e.Changes(0)
		for i := range all {
			if all[i].ID == j.ID {
				return &all[i]
			}
		}
		return nil
	}
	require.Eventually(t, func() bool {
		if seen() != nil {
			return true
		}
		// The engine may have begun to look after the last change: here is another one.
		_, err := st.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
			return jobs.Change{Job: w.Job, Due: w.Due}, nil
		})
		assert.NoError(t, err)
		return false
	}, 20*time.Second, 20*time.Millisecond)
	assert.True(t, seen().Draft.Cut, "others' jobs are read as lists are")
	_, err := e.Submit(t.Context(), []jobs.Submission{{Draft: seen().Draft, Format: "videos"}})
	require.ErrorIs(t, err, client.ErrCut)
	got, err := e.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, prompt, got.Draft.Prompt)
	p, err := e.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.True(t, p.Jobs[0].Draft.Cut)

	require.NoError(t, st.Release(t.Context(), "you"))
	becomes(t, e, j.ID, func(j jobs.Job) bool { return j.State.Polled() })
	gate.mu.Lock()
	defer gate.mu.Unlock()
	require.Len(t, gate.creates, 1)
	assert.Equal(t, prompt, gate.creates[0].Prompt)
	assert.Equal(t, prompt, seen().Draft.Prompt, "and is known whole from then on")
}
