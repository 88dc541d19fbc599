//go:build unix

package spool

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errHeld says that the process that owns a slot lives.
var errHeld = errors.New("another process holds it")

// openFlags keep a symbolic link or a named pipe in the folder from being followed or waited for.
const openFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK

// lock takes the lock of a file without waiting: errHeld where another process has it, and
// another error where there are no locks.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) //nolint:gosec // a descriptor is small
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errHeld
	}
	return err
}
