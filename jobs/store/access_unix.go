//go:build unix

package store

import "golang.org/x/sys/unix"

// mayWrite is why nothing may be written in a file or folder; nil where it may.
func mayWrite(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}

// freeBytes is what may still be written to the disk under a folder, -1 when that is not known.
func freeBytes(dir string) int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize) //nolint:gosec,unconvert // the types differ among systems
}
