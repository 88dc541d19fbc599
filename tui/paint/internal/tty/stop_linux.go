package tty

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// CatchesStop tells whether SIGTSTP can be caught and later acted upon.
const CatchesStop = true

// sigaction is room for the kernel's structure on any architecture. All zero, it
// means the default action.
type sigaction [64]byte

// sigsetSize is the size of the kernel's signal set in bytes.
const sigsetSize = 8

// DefaultStop makes SIGTSTP stop the process again until the returned function
// is called. signal.Reset cannot: Go's own handler stays in place and ignores
// the signal, so that a program which once caught it could not stop any more.
func DefaultStop() (undo func()) {
	var was, std sigaction
	if !setStop(&std, &was) {
		return func() {}
	}
	return func() { setStop(&was, nil) }
}

func setStop(to, was *sigaction) bool {
	_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(syscall.SIGTSTP),
		uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(was)), sigsetSize, 0, 0) //nolint:gosec // a system call
	return errno == 0
}
