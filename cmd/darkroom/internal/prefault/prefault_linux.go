package prefault

import (
	"syscall"
	"unsafe"
)

// populateWrite is MADV_POPULATE_WRITE, of Linux 5.14 and later. An older one refuses it, which does no
// harm.
const populateWrite = 23

// Nothing later is early enough.
func init() { More() }

// More hands out what the heap takes next.
func More() {
	from, size := after(uintptr(unsafe.Pointer(new([64]byte)))) //nolint:gosec // an address; nothing is read or written by it
	_ = handOut(from, size)                                     // without it the start is slower, and no more
}

// handOut asks for the pages of a range of addresses. It ends where what is mapped does.
func handOut(from, size uintptr) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, from, size, populateWrite); errno != 0 {
		return errno
	}
	return nil
}
