package jobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"darkroom/client/disk"
	"darkroom/jobs"
)

// keepIn copies files that were saved elsewhere earlier into a folder, so that --dir holds for them,
// too. The job keeps the place of its first copy; the new place is printed. A file of the same name
// and length counts as the same; a different one is not overwritten.
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
			if err := copyTo(f.Path, to, f.Bytes); err != nil {
				return fmt.Errorf("job %s: copying %s to %s: %w", jobs.ShortID(all[i].ID), f.Path, dir, err)
			}
			f.Path = to
		}
	}
	return nil
}

// within reports whether a file is in a folder or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func copyTo(from, to string, size int64) error {
	if info, err := os.Stat(to); err == nil && info.Size() == size {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	err := disk.Copy(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it is not there any more: %w", err)
	}
	return err
}
