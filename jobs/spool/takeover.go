package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"darkroom/client/disk"
	"darkroom/jobs"
)

const (
	// maxFiles bounds how many files are taken over at a time.
	maxFiles = 10_000
	// leftOver is the age from which a file that was never finished is removed, and an empty slot
	// if nothing tells whether its owner lives.
	leftOver = 24 * time.Hour
	// badSuffix is added to the name of a file that cannot be read, so that a person can look at it
	// and nobody comes across it again.
	badSuffix = ".unreadable"
)

// Taken is what became of one file.
type Taken struct {
	Path string
	// Record is what it holds; zero where Err says that it could not be read.
	Record Record
	// Decided: a person had decided about the job meanwhile, whose Now is as it was.
	Decided bool
	Now     jobs.Job
	// Err is why the file is still there: it cannot be read, the history has no such job
	// (jobs.ErrNotFound), or it cannot be written.
	Err error
}

// Kept lists the records that nobody works on, of all histories, without changing anything.
func Kept(dir string) ([]Taken, error) {
	var out []Taken
	err := each(dir, os.O_RDONLY, func(path string, f *os.File, _ bool) {
		r, err := read(f)
		if !errors.Is(err, errEmpty) {
			out = append(out, Taken{Path: path, Record: r, Err: err})
		}
	})
	return out, err
}

// TakeOver writes the records of a history that nobody works on into it, each once, and removes
// their files. Records of other histories stay, and those of another version of the program; what
// is not a record is renamed. It returns what a person has to know: everything but what the history
// had already.
//
// copies are histories that may have copies of its jobs, from before the outcome was known. Those
// that have the job get it too, and the file stays until they have.
func TakeOver(ctx context.Context, dir, history string, s jobs.Store, now time.Time, copies ...jobs.Store) ([]Taken, error) {
	var out []Taken
	err := each(dir, os.O_RDWR, func(path string, f *os.File, locked bool) {
		if t := takeOver(ctx, path, f, locked, history, s, now, copies); t != nil {
			out = append(out, *t)
		}
	})
	return out, err
}

func takeOver(ctx context.Context, path string, f *os.File, locked bool, history string, s jobs.Store, now time.Time, copies []jobs.Store) *Taken {
	r, err := read(f)
	switch {
	case errors.Is(err, errEmpty):
		if info, err := f.Stat(); locked || err == nil && now.Sub(info.ModTime()) > leftOver {
			_ = os.Remove(path) // or the next one does it
		}
		return nil
	case err != nil:
		t := &Taken{Path: path, Err: err}
		if !errors.Is(err, errForeign) && os.Rename(path, path+badSuffix) == nil {
			t.Path += badSuffix
		}
		return t
	case r.History != history:
		return nil
	}
	t := &Taken{Path: path, Record: r}
	had := false
	before, err := s.Get(ctx, r.Outcome.Job.ID)
	if err == nil {
		var w jobs.Work
		w, t.Decided, err = r.Outcome.Settle(ctx, s, now)
		t.Now, had = w.Job, w.Rev == before.Rev
	}
	for _, c := range copies {
		if err != nil {
			break
		}
		if _, _, err = r.Outcome.Settle(ctx, c, now); errors.Is(err, jobs.ErrNotFound) {
			err = nil // it is copied with the outcome
		}
	}
	if t.Err = err; err == nil {
		_ = os.Remove(path) // a second time changes nothing
		if had {
			return nil
		}
	}
	return t
}

// each opens the files of the spool that no living process holds. A missing folder has none.
func each(dir string, flag int, fn func(path string, f *os.File, locked bool)) error {
	d, err := os.Open(dir) // #nosec G304 -- our folder
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	entries, err := d.ReadDir(maxFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), newMark):
			if info, err := e.Info(); err == nil && flag == os.O_RDWR && time.Since(info.ModTime()) > leftOver {
				_ = os.Remove(path)
			}
		case strings.HasSuffix(e.Name(), suffix) && e.Type().IsRegular():
			one(path, flag, fn)
		}
	}
	return nil
}

func one(path string, flag int, fn func(path string, f *os.File, locked bool)) {
	f, err := os.OpenFile(path, flag|disk.PlainOnly, 0) // #nosec G304 -- in our folder
	if err != nil {
		return // it was just removed, or is not ours
	}
	defer func() { _ = f.Close() }()
	err = disk.Lock(f, true)
	if errors.Is(err, disk.ErrLocked) {
		return
	}
	// Its owner may have put a larger one in its place, or removed it, before we had the lock.
	here, ferr := f.Stat()
	there, perr := os.Lstat(path)
	if ferr != nil || perr != nil || !os.SameFile(here, there) {
		return
	}
	fn(path, f, err == nil)
}

// read reads a record.
func read(f *os.File) (Record, error) {
	info, err := f.Stat()
	if err != nil {
		return Record{}, err
	}
	if info.Size() > maxRecord+int64(head) {
		return Record{}, fmt.Errorf("it has %d bytes, at most %d are read", info.Size(), maxRecord)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxRecord+int64(head)))
	if err != nil {
		return Record{}, err
	}
	return decode(b)
}
