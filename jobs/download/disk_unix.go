//go:build linux || darwin || freebsd

package download

import (
	"os"
	"syscall"
)

// names returns how many names a file has.
func names(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return uint64(sys.Nlink) //nolint:unconvert // its type differs from system to system
	}
	return 1
}
