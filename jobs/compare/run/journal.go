package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/disk"
)

// suffix is that of a journal's file.
const suffix = ".ndjson"

// maxJournal bounds a journal that is read, in bytes.
const maxJournal = 512 << 20

// Errors of journals.
var (
	// ErrUnknown: there is no run of this id.
	ErrUnknown = errors.New("there is no such run")
	// ErrBusy: somebody is at work on the run, here or in another process.
	ErrBusy = errors.New("this run is under way, here or in another process")
)

// checkID refuses what is no id: it is the name of a file.
func checkID(id string) error {
	if u, err := uuid.Parse(id); err != nil || u.String() != id {
		return fmt.Errorf("%w: %q is not an id of one", ErrUnknown, client.CleanLine(id))
	}
	return nil
}

func pathOf(dir, id string) string { return filepath.Join(dir, id+suffix) }

// file is what a journal is written to.
type file interface {
	io.Writer
	Sync() error
}

// journal is one that is written: it holds the lock of its run.
type journal struct {
	f      file
	real   *os.File // f, or what a test has put f before
	dirty  bool     // something is not synced
	broken error    // why nothing can be written any more
}

// create makes the journal of a run with its plan: the file has its name when the plan is on the disk.
func create(dir, id string, plan []record) error {
	text, err := encode(plan)
	if err != nil {
		return err
	}
	if len(text) > maxJournal/2 {
		return fmt.Errorf("the plan has %d MB, which is too much to be kept", len(text)>>20)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	err = disk.Replace(pathOf(dir, id), func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
	return errors.Join(err, disk.SyncDir(os.Open(dir)))
}

// open opens the journal of a run for writing, alone, and reads it. A line that was not written to its
// end is cut off.
func open(ctx context.Context, dir, id string) (*journal, *ledger, error) {
	if err := checkID(id); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(pathOf(dir, id), os.O_RDWR|os.O_APPEND|disk.PlainOnly, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, ErrUnknown
	}
	if err != nil {
		return nil, nil, err
	}
	l, err := func() (*ledger, error) {
		if err := lock(ctx, f); err != nil {
			return nil, err
		}
		l, good, err := read(f, id)
		if err == nil {
			err = f.Truncate(good)
		}
		return l, err
	}()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return &journal{f: f, real: f}, l, nil
}

// A list looks at locks for moments, which is no reason to give up at once.
const (
	lockTries = 5
	lockWait  = 20 * time.Millisecond
)

// lock takes the lock of a journal, where the system has locks.
func lock(ctx context.Context, f *os.File) error {
	for try := 1; ; try++ {
		err := disk.Lock(f, true)
		switch {
		case err == nil, errors.Is(err, errors.ErrUnsupported):
			return nil
		case !errors.Is(err, disk.ErrLocked):
			return err
		case try == lockTries:
			return ErrBusy
		}
		select {
		case <-time.After(lockWait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// put writes records, in one write. After a failure nothing more is written: what is on the disk may end
// within a line.
func (j *journal) put(records ...record) error {
	if j.broken != nil {
		return j.broken
	}
	text, err := encode(records)
	if err != nil {
		return err
	}
	j.dirty = true
	if _, err := j.f.Write(text); err != nil {
		j.broken = fmt.Errorf("the journal of the run cannot be written: %w", err)
	}
	return j.broken
}

// sync returns when all that was put is on the disk.
func (j *journal) sync() error {
	if j.broken != nil || !j.dirty {
		return j.broken
	}
	if err := j.f.Sync(); err != nil {
		j.broken = fmt.Errorf("the journal of the run cannot be written: %w", err)
	}
	j.dirty = false
	return j.broken
}

// close gives the lock back.
func (j *journal) close() error { return errors.Join(j.sync(), j.real.Close()) }

// load reads the journal of a run, whoever is at work on it.
func load(dir, id string) (*ledger, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(pathOf(dir, id), os.O_RDONLY|disk.PlainOnly, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	l, _, err := read(f, id)
	return l, err
}

// read reads a journal, and how many of its bytes are whole lines.
func read(f *os.File, id string) (*ledger, int64, error) {
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, 0, err
	case !st.Mode().IsRegular():
		return nil, 0, errors.New("it is not a regular file")
	case st.Size() > maxJournal:
		return nil, 0, fmt.Errorf("the journal of the run has %d MB, which is too much to be read", st.Size()>>20)
	}
	text := make([]byte, st.Size())
	n, err := io.ReadFull(io.NewSectionReader(f, 0, st.Size()), text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, 0, err
	}
	l, good, err := parse(text[:n])
	if err == nil && l.run.ID != id {
		err = fmt.Errorf("it is the journal of the run %s", l.run.ID)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", filepath.Base(f.Name()), err)
	}
	return l, int64(good), nil
}
