package jobs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// keepIn copies files that were saved elsewhere before into a folder, so that --dir holds
// for them too. The job keeps the place of its first copy; what is printed is the new
// one. A file of the same name and length is taken for the same; another one is not
// overwritten.
func keepIn(dir string, all []jobs.Job) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for i := range all {
		for k := range all[i].Files {
			f := &all[i].Files[k]
			if !f.Here() || within(dir, f.Path) {
				continue
			}
			to := filepath.Join(dir, filepath.Base(f.Path))
			if err := copyFile(f.Path, to, f.Bytes); err != nil {
				return fmt.Errorf("job %s: copying %s to %s: %w", kit.ShortID(all[i].ID), f.Path, dir, err)
			}
			f.Path = to
		}
	}
	return nil
}

// within reports whether a file lies in a folder, or in one below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func copyFile(from, to string, size int64) (err error) {
	if info, err := os.Stat(to); err == nil && info.Size() == size {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	src, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it is not there any more: %w", err)
	}
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err == nil {
		err = dst.Sync()
	}
	if err = errors.Join(err, dst.Close()); err != nil {
		_ = os.Remove(to) // half a file is worse than none
	}
	return err
}
