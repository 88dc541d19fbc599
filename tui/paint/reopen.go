//go:build unix

package paint

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// reopen opens the terminal behind tty anew, non-blocking and close-on-exec.
// It fails where file descriptors have no path (then a duplicate must do) or
// where the terminal belongs to another user.
func reopen(tty *os.File) (int, error) {
	const flags = unix.O_WRONLY | unix.O_NOCTTY | unix.O_NONBLOCK | unix.O_CLOEXEC
	return unix.Open("/proc/self/fd/"+strconv.Itoa(int(tty.Fd())), flags, 0) //nolint:gosec // a file descriptor fits
}

// duplicate returns another descriptor of the same description, close-on-exec.
func duplicate(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil //nolint:gosec // not negative
}
