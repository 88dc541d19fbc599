//go:build unix

// Package tty has the system calls for terminals beside reading and writing: their modes, further
// descriptors of them, and standard output kept away from them for a while.
package tty

import (
	"errors"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Reopen opens the terminal behind tty anew, non-blocking and close-on-exec.
// It fails where file descriptors have no path (then a duplicate must do) or
// where the terminal belongs to another user.
func Reopen(tty *os.File) (int, error) {
	const flags = unix.O_WRONLY | unix.O_NOCTTY | unix.O_NONBLOCK | unix.O_CLOEXEC
	return unix.Open("/proc/self/fd/"+strconv.Itoa(Fd(tty)), flags, 0)
}

// Duplicate returns another descriptor of the same description, close-on-exec.
func Duplicate(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil //nolint:gosec // not negative
}

// Is reports whether a file is a terminal.
func Is(f *os.File) bool { return term.IsTerminal(Fd(f)) }

// Fd returns a file's descriptor as system calls take it.
func Fd(f *os.File) int { return int(f.Fd()) } //nolint:gosec // a file descriptor fits

// Readable waits until the file can be read, for at most the given time, and reports whether it
// can.
func Readable(file *os.File, most time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}} //nolint:gosec // a file descriptor fits
	for end := time.Now().Add(most); ; {
		n, err := unix.Poll(fds, int(max(time.Until(end), 0).Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
