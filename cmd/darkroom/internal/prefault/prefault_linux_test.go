package prefault

import (
	"go/parser"
	"go/token"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What makes this package run before those that fill the heap.
func TestReadyEarly(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "prefault_linux.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	var imports []string
	for _, i := range file.Imports {
		imports = append(imports, i.Path.Value)
	}
	assert.Equal(t, []string{`"syscall"`, `"unsafe"`}, imports)
}

func TestPagesAreHandedOut(t *testing.T) {
	const size = 8 << 20
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, syscall.Munmap(memory)) })
	first := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	require.Zero(t, resident(t, first, size), "nobody has touched them")
	require.NoError(t, handOut(first, size))
	assert.Equal(t, size/os.Getpagesize(), resident(t, first, size))
}

func TestWhatComesNext(t *testing.T) {
	const heap = 7 * piece
	for name, k := range map[string]struct{ at, from, size uintptr }{
		"at the start of a piece":   {heap, heap, ahead},
		"within a window":           {heap + window + 64, heap + window, ahead},
		"where the piece ends soon": {heap + piece - 1, heap + piece - window, window},
	} {
		from, size := after(k.at)
		assert.Equal(t, []uintptr{k.from, k.size}, []uintptr{from, size}, name)
	}
}

// resident counts the pages that are in memory.
func resident(t *testing.T, from, size uintptr) int {
	t.Helper()
	pages := make([]byte, size/uintptr(os.Getpagesize()))
	_, _, errno := syscall.Syscall(syscall.SYS_MINCORE, from, size, uintptr(unsafe.Pointer(unsafe.SliceData(pages))))
	require.Zero(t, errno)
	n := 0
	for _, p := range pages {
		n += int(p & 1)
	}
	return n
}
