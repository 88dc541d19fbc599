package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// What a program that is about to end may spend on a backup: so small a history is copied in
// a few tenths of a second.
const (
	briefBytes = 8 << 20
	briefTime  = time.Second
)

// BackupBriefly makes the backup of the day (UTC) if it is missing and the history is so small
// that it takes no time to speak of; else nothing, and no error. It is for programs that end
// before KeepUp begins.
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
	if errors.Is(err, errHeld) {
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
