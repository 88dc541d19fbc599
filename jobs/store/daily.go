package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"darkroom/client/disk"
	"darkroom/jobs"
)

// When KeepUp looks for the day's work: not while the console starts, and often enough for one that
// runs for weeks.
const (
	dailyAfter = 5 * time.Second
	dailyEvery = time.Hour
)

// DailyOptions say what is done once a day.
type DailyOptions struct {
	// Retain is how long ended jobs stay; 0 for ever. Jobs with a tag always stay.
	Retain time.Duration
}

// Daily says what was done.
type Daily struct {
	Backup *Backup     // nil when that of the day was there
	Bad    []string    // backups that did not pass their check, with the reason
	Pruned jobs.Pruned // by the retention
}

// KeepUp does the work of the day, now and once an hour, until ctx ends (see daily). tell gets what
// was done and what failed, where there is something to tell.
func (s *SQLite) KeepUp(ctx context.Context, o DailyOptions, tell func(Daily, error)) {
	wait := time.NewTimer(dailyAfter)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		d, err := s.daily(ctx, time.Now(), o)
		if ctx.Err() != nil {
			return
		}
		if err != nil || d.Backup != nil || len(d.Bad) > 0 {
			tell(d, err)
		}
		wait.Reset(dailyEvery)
	}
}

// daily checks the backups that were not checked since they were made, without haste, makes that of the
// day (UTC) if it is missing, removes all but seven, and then, once a day, the jobs that are older
// than the retention. If another process is at it, daily does nothing.
func (s *SQLite) daily(ctx context.Context, now time.Time, o DailyOptions) (d Daily, err error) {
	done, err := s.lockBackups(ctx, 0)
	if errors.Is(err, disk.ErrLocked) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	defer done()
	if d.Bad, err = checkBackups(ctx, s.path); err != nil {
		return d, err
	}
	_, err = os.Stat(dayBackup(s.path, now))
	if errors.Is(err, fs.ErrNotExist) {
		b, err := s.backup(ctx, now)
		if err != nil {
			return d, err
		}
		d.Backup = &b
		if err := thin(s.path, now); err != nil {
			return d, err
		}
	} else if err != nil {
		return d, err
	}
	if prunedOn(s.path, now) {
		return d, nil
	}
	if o.Retain > 0 {
		if d.Pruned, err = s.Prune(ctx, jobs.Prune{Before: now.Add(-o.Retain), KeepTagged: true}); err != nil {
			return d, err
		}
	}
	return d, markPruned(s.path, now)
}

// checkedMark names the file that is newer than all backups that were found good.
func checkedMark(path string) string { return filepath.Join(BackupDir(path), ".checked") }

// checkBackups looks at those backups that were made since the last look. What is not good does not
// count any more. Nobody waits for it, so that it takes a tenth of a core at most.
func checkBackups(ctx context.Context, path string) (bad []string, err error) {
	mark := checkedMark(path)
	var last time.Time
	if st, err := os.Stat(mark); err == nil {
		last = st.ModTime()
	}
	all, err := Backups(path)
	if err != nil {
		return nil, err
	}
	some := false
	for _, b := range all {
		if b.Made.Before(last) {
			continue
		}
		some = true
		err := checkGently(ctx, b.Path)
		switch _, newer := errors.AsType[*NewerError](err); {
		case ctx.Err() != nil:
			return bad, ctx.Err()
		case err == nil || newer:
		default:
			bad = append(bad, err.Error())
			if err := os.Rename(b.Path, b.Path+badSuffix); err != nil {
				return bad, fmt.Errorf("backups: %w", err)
			}
		}
	}
	if !some {
		return bad, nil
	}
	return bad, touch(mark)
}

// othersChecked reports whether all backups but one were found good, so that the mark may be set once
// that one is.
func othersChecked(path, but string) bool {
	st, err := os.Stat(checkedMark(path))
	all, failed := Backups(path)
	for _, b := range all {
		if b.Path != but && (err != nil || !b.Made.Before(st.ModTime())) {
			return false
		}
	}
	return failed == nil
}

func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("backups: %w", err)
	}
	_, err = f.WriteString("backups that are older than this file were checked\n")
	return errors.Join(err, f.Close())
}

// thin removes all but the newest daily backups, and bad ones after the same time. Files
// with other names are a person's own.
func thin(path string, now time.Time) error {
	all, err := Backups(path)
	if err != nil {
		return err
	}
	kept := 0
	for _, b := range all {
		if _, err := time.Parse(dayLayout, strings.TrimSuffix(filepath.Base(b.Path), ".db")); err != nil {
			continue
		}
		if kept++; kept <= backupDays {
			continue
		}
		if err := os.Remove(b.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("backups: %w", err)
		}
	}
	bad, err := filepath.Glob(filepath.Join(globEscape(BackupDir(path)), "*.db"+badSuffix))
	if err != nil {
		return err
	}
	for _, p := range bad {
		if st, err := os.Stat(p); err == nil && now.Sub(st.ModTime()) > backupDays*24*time.Hour {
			_ = os.Remove(p)
		}
	}
	return nil
}

// What a program that is about to end may spend on a backup: so small a history is copied in
// a few tenths of a second, on a busy machine in some seconds.
const (
	briefBytes = 8 << 20
	briefTime  = 10 * time.Second
)

// BackupBriefly makes the backup of the day (UTC) if it is missing and the history is small enough
// to be copied in no time; otherwise it does nothing and returns no error. It is for programs
// that end before KeepUp begins.
func (s *SQLite) BackupBriefly(ctx context.Context, now time.Time) (made bool, err error) {
	if _, err := os.Stat(dayBackup(s.path, now)); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	var size int64
	for _, ext := range []string{"", "-wal"} {
		if st, err := os.Stat(s.path + ext); err == nil {
			size += st.Size()
		}
	}
	if size > briefBytes {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, briefTime)
	defer cancel()
	done, err := s.lockBackups(ctx, 0)
	if errors.Is(err, disk.ErrLocked) {
		return false, nil // another process is at it
	}
	if err != nil {
		return false, err
	}
	defer done()
	_, err = s.backup(ctx, now)
	if ctx.Err() != nil {
		return false, nil //nolint:nilerr // it would have taken too long
	}
	if err != nil {
		return false, err
	}
	return true, thin(s.path, now)
}

// dayBackup is the backup of a day (UTC).
func dayBackup(path string, now time.Time) string {
	return filepath.Join(BackupDir(path), now.UTC().Format(dayLayout)+".db")
}

// prunedMark names the file that says on which day the retention was kept last: a backup may
// be made without it.
const prunedMark = ".pruned"

func prunedOn(path string, now time.Time) bool {
	b, err := os.ReadFile(filepath.Join(BackupDir(path), prunedMark))
	return err == nil && string(b) == now.UTC().Format(dayLayout)
}

func markPruned(path string, now time.Time) error {
	return os.WriteFile(filepath.Join(BackupDir(path), prunedMark), []byte(now.UTC().Format(dayLayout)), 0o600)
}
