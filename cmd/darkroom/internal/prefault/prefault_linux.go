package prefault

import (
	"syscall"
	"unsafe"
)

// populateWrite is MADV_POPULATE_WRITE, of Linux 5.14 and later. An older one refuses it, which does no
// harm.
const populateWrite = 23

// Nothing later is early enough.
func init() {
	handOut(unsafe.Pointer(new([64]byte)), start) //nolint:gosec // an address is asked about; nothing is read or written by it
}

// handOut asks for the pages from that of an address on. It ends, without a word, where the heap does.
func handOut(from unsafe.Pointer, size uintptr) {
	page := uintptr(syscall.Getpagesize()) - 1
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(from)&^page, size, populateWrite)
}
