package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestATagRunsNothing: what git describes is a text of whoever made the tag, and was part of a
// command line.
func TestATagRunsNothing(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	for _, tag := range []string{"v1';touch${IFS}owned;'", "$(touch${IFS}owned)", "`touch${IFS}owned`", "v1\"${IFS};touch${IFS}owned;\"", "v1|touch${IFS}owned"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "Makefile"), text, 0o600))
		git := func(args ...string) {
			cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x.example", "-c", "commit.gpgsign=false"}, args...)...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		git("init", "-q")
		git("commit", "-q", "--allow-empty", "-m", "x")
		git("tag", tag)
		cmd := exec.CommandContext(t.Context(), "make", "build", "GO=true")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "MAKEFLAGS=") // of the make that runs the tests
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "darkroom/cmd/cli.version=")
		require.NoFileExists(t, filepath.Join(dir, "owned"), "%s: %s", tag, out)
	}
}
