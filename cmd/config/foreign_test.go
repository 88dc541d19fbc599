package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

// TestAProjectOfOthersIsNotRead: its presets and wildcards went into what is sent before.
func TestAProjectOfOthersIsNotRead(t *testing.T) {
	t.Parallel()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"anybody may write":       func(t *testing.T, dir string) { chmod(t, dir, 0o777) },
		"the group may write":     func(t *testing.T, dir string) { chmod(t, dir, 0o770) },
		"anybody, below":          func(t *testing.T, dir string) { chmod(t, filepath.Join(dir, "presets"), 0o757) },
		"it is another user's":    func(t *testing.T, dir string) { chown(t, dir) },
		"it is another's, below":  func(t *testing.T, dir string) { chown(t, filepath.Join(dir, "presets")) },
		"it leads somewhere else": elsewhere,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			dir := filepath.Join(work, ".darkroom")
			for _, kind := range []string{"presets", "wildcards"} {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, kind), 0o700))
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, "presets", "p.yaml"), []byte("prompt: x\n"), 0o600))
			f, err := NewFolders(testPaths(t), work)
			require.NoError(t, err)
			require.Empty(t, f.Foreign())
			_, err = f.Preset("p", c)
			require.NoError(t, err)

			spoil(t, dir)
			_, err = f.Preset("p", c)
			require.Error(t, err)
			if name == "it leads somewhere else" {
				return // which the listing says, and no file is read
			}
			require.ErrorIs(t, err, ErrNoPreset)
			all, err := f.Presets(t.Context(), c)
			require.NoError(t, err, "a person's own are there all the same")
			require.Empty(t, all)
			require.Contains(t, f.Foreign(), "is not read")
			require.Contains(t, f.Foreign(), ".darkroom")
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.Chmod(path, mode)) // #nosec G302 -- what is to be refused
}

// chown gives a folder to somebody else, which needs root; who is not root is refused by the
// mode instead.
func chown(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		chmod(t, path, 0o702)
		return
	}
	require.NoError(t, os.Chown(path, 65534, 65534))
}

func elsewhere(t *testing.T, dir string) {
	t.Helper()
	other := t.TempDir()
	require.NoError(t, os.Rename(dir, filepath.Join(other, "moved")))
	require.NoError(t, os.Symlink(filepath.Join(other, "moved"), dir))
}
