package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testLeases: who holds how many jobs, and whether its time or its beat goes on.
func testLeases(t *testing.T, s jobs.Store) {
	l, ok := s.(jobs.Leaser)
	require.True(t, ok)
	leases := func() []jobs.Lease {
		all, err := l.Leases(t.Context())
		require.NoError(t, err)
		return all
	}
	assert.Empty(t, leases())
	list := insert(t, s, 3)
	now := time.Now()
	take := func(owner string, until time.Time, ids ...string) {
		w, err := s.Claim(t.Context(), jobs.Claim{Owner: owner, Profile: "p", Now: now, Until: until, IDs: ids})
		require.NoError(t, err)
		require.Len(t, w, len(ids))
	}
	take("A", now.Add(time.Hour), list[0].ID, list[1].ID)
	take("B", now.Add(-time.Minute), list[2].ID)
	assert.ElementsMatch(t, []jobs.Lease{{Owner: "A", Jobs: 2, Lives: true}, {Owner: "B", Jobs: 1}}, leases())
	require.NoError(t, s.Beat(t.Context(), "B", now.Add(time.Hour)))
	require.NoError(t, s.Release(t.Context(), "A"))
	assert.Equal(t, []jobs.Lease{{Owner: "B", Jobs: 1, Lives: true}}, leases())
}
