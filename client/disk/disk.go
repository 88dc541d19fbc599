// Package disk adds what the standard library lacks for durable files: files that are there whole
// or not at all, names that survive a crash, locks between processes, and the free space. It
// imports no package of ours.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrLocked says that another process holds a lock.
var ErrLocked = errors.New("another process has it open")

// Replace atomically writes a file that only its owner may read: a reader sees the old content or
// the new, which is on the disk before it takes the name.
func Replace(path string, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Copy copies a file to a path that must not exist yet; when it returns, the copy is on the disk.
func Copy(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(dst, src); err == nil {
		err = dst.Sync()
	}
	if err = errors.Join(err, dst.Close()); err != nil {
		_ = os.Remove(to) // half a file is worse than none
	}
	return err
}

// SyncDir syncs the names in a folder to the disk and closes it; it takes the results of opening
// the folder.
func SyncDir(d *os.File, err error) error {
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) {
		err = nil // some systems cannot sync a folder
	}
	return errors.Join(err, d.Close())
}
