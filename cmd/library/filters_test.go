package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFiltersAreRemembered(t *testing.T) {
	t.Parallel()
	k := OpenFilters(filepath.Join(t.TempDir(), "state", "filters.json"))
	none, err := k.Load()
	require.NoError(t, err)
	assert.Empty(t, none)
	for i := range maxFilters + 3 {
		_, err := k.Used(fmt.Sprintf(".list[%d]", i))
		require.NoError(t, err)
	}
	for _, bad := range []string{"", "\xff", strings.Repeat("x", maxFilter+1)} {
		_, err := k.Used(bad)
		require.NoError(t, err)
	}
	said, err := k.Used(".list[20]")
	require.NoError(t, err)
	got, err := k.Load()
	require.NoError(t, err)
	assert.Equal(t, said, got)
	assert.Len(t, got, maxFilters)
	assert.Equal(t, []string{".list[20]", ".list[52]", ".list[51]"}, got[:3], "the newest first, each once")
	info, err := os.Stat(k.path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	for text, says := range map[string]string{"{": "the filters in " + k.path + " cannot be read", `{"version": 9}`: "version 9"} {
		require.NoError(t, os.WriteFile(k.path, []byte(text), 0o600))
		_, err := k.Used(".id")
		assert.ErrorContains(t, err, says)
		left, err := os.ReadFile(k.path)
		require.NoError(t, err)
		assert.Equal(t, text, string(left), "it is left as it is")
	}
}
