package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// TestPruneLeavesTheSearchIndexInOrder: what is removed is found no more, what stays and what comes
// is, and the index merges again as it did.
func TestPruneLeavesTheSearchIndexInOrder(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	all := searchChanges()
	for i := range all {
		all[i].Job.State, all[i].Job.Draft.Prompt, all[i].Due = jobs.Completed, "common text", time.Time{}
	}
	half := len(all) / 2
	require.NoError(t, s.Insert(t.Context(), all[:half]))
	const kept = 5
	p, err := s.Prune(t.Context(), jobs.Prune{Newest: kept})
	require.NoError(t, err)
	require.Equal(t, half-kept, p.Jobs)
	require.NoError(t, s.Insert(t.Context(), all[half:]))

	var want []string
	for i := len(all) - 1; i >= half-kept; i-- {
		want = append(want, all[i].Job.ID)
	}
	assert.Equal(t, want, pages(t, s, jobs.Query{Text: "common"}, usualMany()))
	var merge int
	require.NoError(t, s.reader(t.Context()).row(`SELECT v FROM jobs_fts_config WHERE k = 'deletemerge'`).Scan(&merge))
	assert.Equal(t, 10, merge)
}
