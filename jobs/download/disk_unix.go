//go:build linux || darwin || freebsd

package download

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// freeBytes is what an ordinary user may still write to the disk under dir; -1 when the
// system does not say.
func freeBytes(dir string) int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:gosec,unconvert // types differ by system
}

// lockFile keeps other processes from writing the same part file; closing it gives it up.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) //nolint:gosec // a descriptor fits an int
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}

func isNoSpace(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}

// names is how many names a file has.
func names(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return uint64(sys.Nlink) //nolint:unconvert // its type differs from system to system
	}
	return 1
}
