package library

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/human"
)

func TestHowTimesAreWrittenIsKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "times")
	s, err := OpenTimes(path).Load()
	require.NoError(t, err)
	assert.Equal(t, human.Local, s)
	require.NoError(t, OpenTimes(path).Save(human.UTC))
	s, err = OpenTimes(path).Load()
	require.NoError(t, err)
	assert.Equal(t, human.UTC, s)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.WriteFile(path, []byte("sundial"), 0o600))
	s, err = OpenTimes(path).Load()
	require.ErrorContains(t, err, "it is one of [local utc relative]")
	assert.Equal(t, human.Local, s)
}
