package download

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData syncs a file's bytes and its length to the disk.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd())) //nolint:gosec // a descriptor fits an int
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
