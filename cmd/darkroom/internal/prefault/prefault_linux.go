package prefault

import (
	"syscall"
	"unsafe"
)

// What madvise can be asked, of Linux 5.14 and later but for the first. An older one refuses it, which
// does no harm.
const (
	hugePages     = 14 // MADV_HUGEPAGE: 2 MiB at a fault
	populateRead  = 22 // MADV_POPULATE_READ
	populateWrite = 23 // MADV_POPULATE_WRITE
)

// Nothing later is early enough. Without any of it the start is slower, and no more.
func init() {
	More()
	if code, ok := code(); ok {
		go func() { _ = advise(code, populateRead) }() // beside the initialisers, which need but a part of it
	}
}

// More hands out what the heap takes next.
func More() {
	at := uintptr(unsafe.Pointer(new([64]byte))) //nolint:gosec // an address; nothing is read or written by it
	_ = advise(around(at), hugePages)
	_ = advise(after(at), populateWrite)
}

// code is where the program's own code is mapped.
func code() (span, bool) {
	fd, err := syscall.Open("/proc/self/maps", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return span{}, false
	}
	defer func() { _ = syscall.Close(fd) }()
	var begin [1 << 10]byte // the program comes first
	n, err := syscall.Read(fd, begin[:])
	if err != nil {
		return span{}, false
	}
	f := More
	return mapping(begin[:n], **(**uintptr)(unsafe.Pointer(&f))) //nolint:gosec // an address; nothing is read or written by it
}

// advise asks for something about the pages of a range. It ends where what is mapped does.
func advise(s span, what uintptr) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, s.from, s.size, what); errno != 0 {
		return errno
	}
	return nil
}
