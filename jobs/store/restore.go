package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"darkroom/client/disk"
)

// rescueWait is how long others, who found the damage too, have to let go of the history.
const rescueWait = 2 * time.Second

// Restored says that a backup took a history's place.
type Restored struct {
	Path   string    `json:"path"`
	Cause  string    `json:"cause,omitempty"` // what was wrong; "" when a person wanted it
	Aside  []string  `json:"aside,omitempty"` // where what was there lies now
	Backup string    `json:"backup"`
	Jobs   int       `json:"jobs"`             // in the backup
	From   time.Time `json:"from"`             // what was written from here
	To     time.Time `json:"to"`               // to here may be missing
	Saved  int       `json:"saved"`            // newer jobs that could be read from the damaged file
	Unread string    `json:"unread,omitempty"` // why no more of them could be read
	Doubt  int       `json:"doubt"`            // jobs that may have been sent since, ambiguous now
}

// suspectPath marks a history in which corrupt pages were seen.
func suspectPath(path string) string { return path + ".suspect" }

// suspect has the next Open look through all pages.
func suspect(path string) {
	if f, err := os.OpenFile(suspectPath(path), os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_ = f.Close()
	}
}

// lookAgain checks a history in which corrupt pages were seen, if nobody has it open, and puts a
// backup in its place if there still are some.
func lookAgain(ctx context.Context, path string) *Restored {
	if _, err := os.Stat(suspectPath(path)); err != nil {
		return nil
	}
	r, err := rescue(ctx, path)
	if err != nil {
		return nil // what opens it now tells what is wrong
	}
	return r
}

// rescue puts the newest good backup in the place of a damaged history. It returns nil
// where there is nothing wrong any more.
func rescue(ctx context.Context, path string) (*Restored, error) {
	f, err := openLock(lockPath(path))
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer func() { _ = f.Close() }()
	busy := lock(ctx, f, true, rescueWait)
	if busy != nil {
		return nil, &DamageError{Path: path, What: "its pages, or its header, are corrupt", Backups: backups(path), Rescue: busy}
	}
	damage := examine(ctx, path)
	d, ok := errors.AsType[*DamageError](damage)
	if !ok {
		if damage == nil {
			_ = os.Remove(suspectPath(path))
		}
		return nil, damage
	}
	b, err := newestGood(ctx, path)
	if err != nil {
		d.Rescue = err
		return nil, d
	}
	r, err := replace(ctx, path, b.Path)
	if err != nil {
		d.Rescue = err
		return nil, d
	}
	r.Cause = d.What
	return r, nil
}

// examine opens a history and looks through its pages.
func examine(ctx context.Context, path string) error {
	s, err := open(ctx, path)
	if err != nil {
		return err
	}
	err = quickCheck(ctx, s.w.conn)
	if broken, ok := errors.AsType[*brokenError](err); ok {
		err = &DamageError{Path: path, What: broken.Error(), Backups: backups(path)}
	}
	return errors.Join(explain(path, err), s.Close())
}

// newestGood finds the newest backup that passes its check.
func newestGood(ctx context.Context, path string) (Backup, error) {
	all, err := Backups(path)
	if err != nil {
		return Backup{}, err
	}
	var problems []error
	for _, b := range all {
		if b.Jobs, err = CheckBackup(ctx, b.Path); err == nil {
			return b, nil
		}
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		problems = append(problems, err)
	}
	return Backup{}, errors.Join(append(problems, errors.New("no backup is good"))...)
}

// SourceError says why a file cannot take a history's place: it is missing, or not a good history.
type SourceError struct{ Err error }

func (e *SourceError) Error() string { return "restore: " + e.Err.Error() }
func (e *SourceError) Unwrap() error { return e.Err }

// Restore puts a backup, or any other file with a history, in the place of the one at
// path, which is set aside. No process may have it open. What is wrong with the file itself
// is a *SourceError.
func Restore(ctx context.Context, path, from string) (*Restored, error) {
	lockOnce()
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	if from, err = filepath.Abs(from); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	if from == path {
		return nil, fmt.Errorf("restore: %s is the history itself", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, denied(path, fmt.Errorf("restore: %w", err))
	}
	f, err := openLock(lockPath(path))
	if err != nil {
		return nil, denied(path, fmt.Errorf("restore: %w", err))
	}
	defer func() { _ = f.Close() }()
	if err := lock(ctx, f, true, rescueWait); err != nil {
		return nil, fmt.Errorf("restore: the history %s: %w; end all others first", path, err)
	}
	if _, err := CheckBackup(ctx, from); err != nil {
		return nil, &SourceError{err}
	}
	r, err := replace(ctx, path, from)
	if err != nil {
		return nil, denied(path, fmt.Errorf("restore: %w", err))
	}
	return r, nil
}

// replace sets the history aside and puts a checked backup in its place. The caller has
// the lock alone. Killed at any point, it leaves the old history, or none beside backups,
// which the next Open takes for damage.
func replace(ctx context.Context, path, from string) (*Restored, error) {
	r := &Restored{Path: path, Backup: from, To: lastWrite(path)}
	part := path + ".restore"
	for _, ext := range databaseFiles() {
		if err := os.Remove(part + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err := disk.Copy(from, part); err != nil {
		return nil, err
	}
	if err := r.prepare(ctx, part); err != nil {
		return nil, errors.Join(err, os.Remove(part))
	}
	aside := path + ".aside-" + time.Now().UTC().Format("20060102T150405.000Z")
	for _, ext := range databaseFiles() { // the file first: see inspectFile
		switch err := os.Rename(path+ext, aside+ext); {
		case err == nil:
			r.Aside = append(r.Aside, aside+ext)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if err := settle(part, path); err != nil {
		return nil, err
	}
	if len(r.Aside) > 0 {
		r.salvage(ctx, aside)
	}
	_ = os.Remove(suspectPath(path))
	return r, nil
}

// databaseFiles are the endings of the files that make up a history, the file itself first.
func databaseFiles() []string { return []string{"", "-wal", "-shm", "-journal"} }

// lastWrite is when a history was last written to, as far as its files tell.
func lastWrite(path string) (last time.Time) {
	for _, ext := range []string{"", "-wal"} {
		if st, err := os.Stat(path + ext); err == nil && st.ModTime().After(last) {
			last = st.ModTime()
		}
	}
	if last.IsZero() {
		return time.Now()
	}
	return last
}
