package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnwritable: one sentence says which file, why and what to do; what the system did not
// refuse is no such thing.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "made", "later", "models.json")
	by := func(number syscall.Errno) error { return &os.PathError{Op: "openat", Path: ".x.1", Err: number} }
	for number, want := range map[syscall.Errno]string{
		syscall.EROFS:  "read-only file system. Its disk can only be read: have it mounted for writing",
		syscall.EACCES: "permission denied. Make the folder " + dir + " writable for you",
		syscall.EPERM:  "operation not permitted. Make the folder " + dir + " writable for you",
		syscall.ENOSPC: "no space left on device. Make room on its disk",
	} {
		err := Unwritable(path, "written", by(number))
		require.EqualError(t, err, path+" cannot be written: "+want)
		require.ErrorIs(t, err, number)
		require.Equal(t, err, Unwritable("another", "made", err), "said once")
	}
	require.ErrorIs(t, Unwritable(path, "written", by(syscall.EACCES)), fs.ErrPermission)
	other := errors.New("something else")
	require.Equal(t, other, Unwritable(path, "written", other))
	require.NoError(t, Unwritable(path, "written", nil))
}
