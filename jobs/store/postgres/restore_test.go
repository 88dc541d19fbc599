package postgres

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestRestoredIsHeldBack: the statements that the documentation gives for a restored history
// make of jobs that were about to be sent what a person decides on.
func TestRestoredIsHeldBack(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/SHARED-HISTORY.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(doc), "```sql\n")
	require.True(t, found)
	statements, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	dsn := server.Database(t)
	s := openAt(t, dsn)
	planned, sending, running := storetest.NewJob("planned"), storetest.NewJob("sending"), storetest.NewJob("running")
	sending.State, running.State = jobs.Submitting, jobs.Running
	c := storetest.Plan(sending)
	c.Take, c.Owner, c.Until = true, "long gone", time.Now().Add(time.Hour)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(planned), c, storetest.Plan(running)}))
	server.Exec(t, dsn, statements)
	w, err := s.Claim(t.Context(), jobs.Claim{Owner: "A", Profile: "p", Now: time.Now(), Until: time.Now().Add(time.Minute)})
	require.NoError(t, err)
	require.Len(t, w, 1)
	assert.Equal(t, running.ID, w[0].Job.ID)
	for _, id := range []string{planned.ID, sending.ID} {
		got, err := s.Get(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, jobs.Ambiguous, got.Job.State)
		assert.NotEmpty(t, got.Job.Note)
	}
	h, err := s.Examine(t.Context(), false)
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
}
