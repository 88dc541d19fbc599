package prefault

import (
	"go/parser"
	"go/token"
	"os"
	"reflect"
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
	require.NoError(t, advise(span{first, size}, populateWrite))
	assert.Equal(t, size/os.Getpagesize(), resident(t, first, size))
}

func TestWhatComesNext(t *testing.T) {
	const heap = 7 * piece
	for name, k := range map[string]struct {
		at   uintptr
		want span
	}{
		"at the start of a piece":   {heap, span{heap, ahead}},
		"within a window":           {heap + window + 64, span{heap + window, ahead}},
		"where the piece ends soon": {heap + piece - 1, span{heap + piece - window, window}},
	} {
		assert.Equal(t, k.want, after(k.at), name)
		assert.Equal(t, span{heap, piece}, around(k.at), name)
	}
}

const someMaps = "00400000-01888000 r-xp 00000000 fe:00 42  /usr/bin/darkroom\n" +
	"01888000-02b88000 r--p 01488000 fe:00 42  /usr/bin/darkroom\n" +
	"7ffd0b3e1000-7ffd0b402000 rw-p 00000000 00:00 0  [stack]\n"

func TestMappingOfAnAddress(t *testing.T) {
	for at, want := range map[uintptr]span{
		0x400000:       {0x400000, 0x1488000},
		0x1887fff:      {0x400000, 0x1488000},
		0x1888000:      {0x1888000, 0x1300000},
		0x7ffd0b401fff: {0x7ffd0b3e1000, 0x21000},
		0x3fffff:       {},
		0x2b88000:      {},
	} {
		found, ok := mapping([]byte(someMaps), at)
		assert.Equal(t, want, found, "%#x", at)
		assert.Equal(t, want != span{}, ok, "%#x", at)
	}
	for _, maps := range []string{"", "00400000", "00400000-", "00400000-0188", "x", "00400000 01888000 r-xp"} {
		_, ok := mapping([]byte(maps), 0x400000)
		assert.False(t, ok, maps)
	}
}

func FuzzMapping(f *testing.F) {
	f.Add([]byte(someMaps), uint64(0x1888000))
	f.Fuzz(func(t *testing.T, maps []byte, at uint64) {
		if found, ok := mapping(maps, uintptr(at)); ok {
			assert.Less(t, uintptr(at)-found.from, found.size)
		}
	})
}

func TestCodeIsWhereFunctionsAre(t *testing.T) {
	found, ok := code()
	require.True(t, ok)
	for _, f := range []any{TestReadyEarly, require.True} {
		assert.Less(t, reflect.ValueOf(f).Pointer()-found.from, found.size)
	}
	assert.NoError(t, advise(found, populateRead))
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
