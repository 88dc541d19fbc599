package store

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func openTest(t testing.TB) *SQLite {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "sub", "history ?#%.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestSuite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) jobs.Store { return openTest(t) })
}

// today is the version of the schema.
func today(t *testing.T) int {
	t.Helper()
	steps, err := migrations()
	require.NoError(t, err)
	return len(steps)
}
