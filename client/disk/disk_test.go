package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/disk"
)

// TestReplace: what fails leaves the old content, and nothing beside it.
func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, text := range []string{"old", "new"} {
		require.NoError(t, disk.Replace(path, func(f *os.File) error {
			_, err := f.WriteString(text)
			return err
		}))
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(got))
	}
	broken := errors.New("broken")
	require.ErrorIs(t, disk.Replace(path, func(f *os.File) error { _, _ = f.WriteString("half"); return broken }), broken)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "new", string(got))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1)

	require.NoError(t, disk.Copy(path, filepath.Join(dir, "b")))
	require.ErrorIs(t, disk.Copy(path, filepath.Join(dir, "b")), os.ErrExist, "nothing is overwritten")
	require.NoError(t, disk.SyncDir(os.Open(dir)))
	require.ErrorIs(t, disk.SyncDir(os.Open(filepath.Join(dir, "none"))), os.ErrNotExist)
}

// TestLock: readers share a lock, who wants it alone has it alone.
func TestLock(t *testing.T) {
	t.Parallel()
	if !disk.Locks {
		return
	}
	path := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	open := func() *os.File {
		f, err := os.Open(path)
		require.NoError(t, err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	a, b := open(), open()
	require.NoError(t, disk.Lock(a, false))
	require.NoError(t, disk.Lock(b, false))
	require.ErrorIs(t, disk.Lock(a, true), disk.ErrLocked)
	require.NoError(t, b.Close())
	require.NoError(t, disk.Lock(a, true))
}
