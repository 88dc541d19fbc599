//go:build unix

package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// flock takes or changes the lock of an open file, shared or exclusive, without waiting;
// false says that another one has it.
func flock(f *os.File, exclusive bool) bool {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	return unix.Flock(int(f.Fd()), how|unix.LOCK_NB) == nil //nolint:gosec // a descriptor is small
}

// locksWork says that this system has such locks.
const locksWork = true
