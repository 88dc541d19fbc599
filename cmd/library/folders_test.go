package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFoldersAreRemembered(t *testing.T) {
	t.Parallel()
	k := Folders{filepath.Join(t.TempDir(), "state", "folders.json")}
	none, err := k.Load()
	require.NoError(t, err)
	assert.Empty(t, none)
	for i := range maxFolders + 3 {
		_, err := k.Used(fmt.Sprintf("/pictures/塩 %02d", i))
		require.NoError(t, err)
	}
	for _, bad := range []string{"", "relative", "/\xff", "/" + strings.Repeat("x", maxFolder)} {
		_, err := k.Used(bad)
		require.NoError(t, err)
	}
	_, err = k.Used("/pictures/塩 05")
	require.NoError(t, err)
	got, err := k.Load()
	require.NoError(t, err)
	assert.Len(t, got, maxFolders)
	assert.Equal(t, []string{"/pictures/塩 05", "/pictures/塩 14", "/pictures/塩 13"}, got[:3], "the newest first, each once")
	info, err := os.Stat(k.path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "they are nobody else's business")
}

func TestConsolesLoseNoFoldersOfOneAnothers(t *testing.T) {
	t.Parallel()
	k := Folders{filepath.Join(t.TempDir(), "folders.json")}
	var all sync.WaitGroup
	for i := range maxFolders {
		all.Go(func() {
			_, err := k.Used(fmt.Sprintf("/x/%d", i))
			assert.NoError(t, err)
		})
	}
	all.Wait()
	got, err := k.Load()
	require.NoError(t, err)
	assert.Len(t, got, maxFolders)
}

func TestAFileOfFoldersThatIsNoneIsLeft(t *testing.T) {
	t.Parallel()
	k := Folders{filepath.Join(t.TempDir(), "folders.json")}
	for text, says := range map[string]string{"{": "the folders in " + k.path + " cannot be read", `{"version": 9}`: "version 9", strings.Repeat(" ", maxKept+1): "at most"} {
		require.NoError(t, os.WriteFile(k.path, []byte(text), 0o600))
		_, err := k.Used("/x")
		require.ErrorContains(t, err, says)
		b, err := os.ReadFile(k.path)
		require.NoError(t, err)
		assert.Equal(t, text, string(b))
	}
	require.NoError(t, os.WriteFile(k.path, []byte(`{"version": 1, "folders": ["/a", "b", ""]}`), 0o600))
	got, err := k.Load()
	require.NoError(t, err)
	assert.Equal(t, []string{"/a"}, got)
}
