//go:build linux

package config

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hears fails unless a change is told; what else is told of it by then is taken, too.
func hears(t *testing.T, told <-chan struct{}, what string) {
	t.Helper()
	select {
	case _, ok := <-told:
		require.True(t, ok, what)
	case <-time.After(20 * time.Second):
		require.Fail(t, "nothing was told", what)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "config", "darkroom", "config.yaml")
	themes := filepath.Join(dir, "config", "darkroom", "themes")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told, err := Watch(ctx, path, themes)
	require.NoError(t, err, "there is no folder yet")

	require.NoError(t, WritePrivate(path, []byte("theme: dark\n")))
	hears(t, told, "the folder and the file came")
	read := func(want string) bool {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b) == want
	}
	// The folder may have been told of before the file: what counts is that the file is not missed.
	for until := time.Now().Add(20 * time.Second); !read("theme: dark\n"); {
		require.True(t, time.Now().Before(until))
		hears(t, told, "the file")
	}
	require.NoError(t, os.WriteFile(path, []byte("theme: light\n"), 0o600))
	hears(t, told, "written in place")
	require.NoError(t, WritePrivate(path, []byte("theme: dusk\n")))
	hears(t, told, "replaced")
	require.NoError(t, os.MkdirAll(themes, 0o700))
	hears(t, told, "the folder of themes")
	require.NoError(t, os.WriteFile(filepath.Join(themes, "mine.yaml"), []byte("x"), 0o600))
	hears(t, told, "a theme")

	real := filepath.Join(dir, "dotfiles.yaml")
	require.NoError(t, os.WriteFile(real, []byte("theme: paper\n"), 0o600))
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(real, path))
	hears(t, told, "a link in its place")
	for until := time.Now().Add(20 * time.Second); ; { // the link is followed once its event was read
		require.NoError(t, os.WriteFile(real, []byte("theme: light\n"), 0o600))
		select {
		case <-told:
		default:
			require.True(t, time.Now().Before(until), "what the link leads to")
			continue
		}
		break
	}
	cancel()
	for range told { //nolint:revive // until it is closed
	}
}
