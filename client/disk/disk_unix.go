//go:build linux || darwin || freebsd

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Locks says that this system has locks of files.
const Locks = true

// PlainOnly are flags of opening that keep a link or a named pipe from being followed or waited for.
const PlainOnly = unix.O_NOFOLLOW | unix.O_NONBLOCK

// Lock takes or changes the lock of an open file, shared or exclusive, without waiting. It is
// ErrLocked where another one has it, and [errors.ErrUnsupported] where there are no locks;
// closing the file gives it up.
func Lock(f *os.File, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB) //nolint:gosec // a descriptor fits an int
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, unix.ENOLCK):
		return errors.ErrUnsupported
	}
	return err
}

// Full reports whether an error says that there is no room left.
func Full(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// Writable is why nothing may be written in a file or folder; nil where it may.
func Writable(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}

// Free is what an ordinary user may still write to the disk under a folder; -1 when the system
// does not say.
func Free(dir string) int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:gosec,unconvert // types differ by system
}
