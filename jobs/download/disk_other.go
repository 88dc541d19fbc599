//go:build !linux && !darwin && !freebsd

package download

import (
	"os"
	"strings"
)

// freeBytes is not known here.
func freeBytes(string) int64 { return -1 }

// lockFile does nothing here: the job's lease alone keeps others away.
func lockFile(*os.File) error { return nil }

func isNoSpace(err error) bool {
	return strings.Contains(err.Error(), "not enough space") || strings.Contains(err.Error(), "no space")
}

// names is how many names a file has; here nobody tells.
func names(os.FileInfo) uint64 { return 1 }
