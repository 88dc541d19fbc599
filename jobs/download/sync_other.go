//go:build !linux

package download

import "os"

// syncData syncs a file's bytes and its length to the disk.
func syncData(f *os.File) error { return f.Sync() }
