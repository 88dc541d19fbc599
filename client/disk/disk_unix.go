//go:build linux || darwin || freebsd

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Locks says that this system has file locks.
const Locks = true

// PlainOnly are open flags that keep a link from being followed and a named pipe from blocking.
const PlainOnly = unix.O_NOFOLLOW | unix.O_NONBLOCK

// Lock takes or changes the lock of an open file, shared or exclusive, without waiting. It returns
// ErrLocked if another process holds it, and [errors.ErrUnsupported] if there are no locks; closing
// the file releases it.
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

// Full reports whether an error means that no space is left.
func Full(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// Writable returns why nothing may be written to a file or folder; nil if it is writable.
func Writable(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}

// Free returns how much an ordinary user may still write to the disk under a folder; -1 if the
// system does not say.
func Free(dir string) int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:gosec,unconvert // types differ by system
}
