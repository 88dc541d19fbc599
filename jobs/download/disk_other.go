//go:build !linux && !darwin && !freebsd

package download

import (
	"os"
)

// names is how many names a file has; here nobody tells.
func names(os.FileInfo) uint64 { return 1 }
