package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// unnamedFile returns a file that lives in memory and ends with its last user.
func unnamedFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("output", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "output"), nil //nolint:gosec // not negative
}

// replace makes descriptor fd mean what from means. Children inherit it.
func replace(from, fd int) error { return unix.Dup3(from, fd, 0) }
