package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheDesktopShowsFoldersAndSaysWhatFails: a folder is no file, but may be shown; links to one may not.
func TestTheDesktopShowsFoldersAndSaysWhatFails(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	assert.ErrorContains(t, openFile(dir), "is not installed")
	asked := filepath.Join(bin, "asked")
	for _, name := range []string{"xdg-open", "open"} {
		script := "#!/bin/sh\nfor last; do :; done\necho \"$last\" > '" + asked + "'\ncase \"$last\" in *bad) exit 3;; esac\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700)) //nolint:gosec // a program
	}
	require.NoError(t, openFile(dir))
	got, err := os.ReadFile(asked) //nolint:gosec // of the test's folder
	require.NoError(t, err)
	assert.Equal(t, dir+"\n", string(got))
	bad := filepath.Join(dir, "bad")
	require.NoError(t, os.Mkdir(bad, 0o700))
	assert.ErrorContains(t, openFile(bad), "found no program for it (exit status 3)")
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(bad, link))
	assert.ErrorContains(t, openFile(link), "a link to another file")
}
