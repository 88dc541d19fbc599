package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"darkroom/client/disk"
)

// ErrForeign says that the file is a database, but of another program.
var ErrForeign = errors.New("the file is a database of another program")

// NewerError says that the history was written by a newer version of the program.
type NewerError struct {
	Path        string
	Have, Known int // schema versions: of the file, and the newest that we know
}

// Error implements error.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the history %s has schema version %d, this program knows up to version %d: "+
		"use a newer darkroom, or another history", e.Path, e.Have, e.Known)
}

// DamageError says that the history is damaged, or gone while its backups or its log are still
// there.
type DamageError struct {
	Path    string
	What    string
	Backups []string // files to restore from, newest last, unchecked; may be empty
	// Rescue is why the newest backup was not put in its place; nil if that was not tried.
	Rescue error
	Err    error // SQLite's own; nil where the damage was found otherwise
}

// Error implements error.
func (e *DamageError) Error() string {
	msg := fmt.Sprintf("the history %s is damaged: %s", e.Path, e.What)
	// A log or a backup that stays would be taken for a history that is lost, see inspectFile.
	anew := fmt.Sprintf("`darkroom history restore FILE` takes a copy from elsewhere; to begin a new one, move away all that %s* names", e.Path)
	switch n := len(e.Backups); {
	case errors.Is(e.Rescue, disk.ErrLocked):
		return msg + "; another process has it open: end all others, and the next start puts the newest good backup in its place"
	case e.Rescue != nil:
		return fmt.Sprintf("%s; it stays where it is, since no backup could be put in its place: %v; %s", msg, e.Rescue, anew)
	case n > 0:
		return fmt.Sprintf("%s; the next start puts the newest good backup in its place, and looks at %s first", msg, e.Backups[n-1])
	default:
		return fmt.Sprintf("%s; there is no backup of it to take; %s", msg, anew)
	}
}

// Unwrap returns SQLite's own error.
func (e *DamageError) Unwrap() error { return e.Err }

// BackupDir is the folder beside a history in which its backups lie, as *.db.
func BackupDir(path string) string { return path + ".backups" }

// backups lists the backups of a history, oldest first by name.
func backups(path string) []string {
	found, err := filepath.Glob(filepath.Join(globEscape(BackupDir(path)), "*.db"))
	if err != nil {
		return nil
	}
	return found
}

func globEscape(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*', '?', '[', '\\':
			out = append(out, '\\')
		}
		out = append(out, s[i])
	}
	return string(out)
}

// inspectFile looks at the file from outside: SQLite would take an empty file for a new
// database without a word. fresh says that a new history is to be made.
func inspectFile(path string) (fresh bool, err error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, fmt.Errorf("history: %w", err)
	case !st.Mode().IsRegular():
		return false, fmt.Errorf("history: %s is not a regular file", path)
	case st.Size() > 0:
		return false, nil
	}
	what := "it is missing"
	if err == nil {
		what = "it is empty"
	}
	if bad, err := filepath.Glob(filepath.Join(globEscape(BackupDir(path)), "*.db"+badSuffix)); err == nil {
		if b := backups(path); len(b)+len(bad) > 0 {
			what += ", but has backups"
			if len(b) == 0 {
				what += ", of which none is good"
			}
			return false, &DamageError{Path: path, What: what, Backups: b}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		if wal, werr := os.Stat(path + "-wal"); werr == nil && wal.Size() > 0 {
			return false, &DamageError{Path: path, What: what + ", but its -wal file is there"}
		}
	}
	return true, nil
}

// explain turns SQLite's errors of a broken file or a full disk into what a person needs.
func explain(path string, err error) error {
	se, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch se.Code() & 0xff {
	case lib.SQLITE_NOTADB:
		return &DamageError{Path: path, What: "it is not a SQLite database", Backups: backups(path), Err: err}
	case lib.SQLITE_CORRUPT:
		suspect(path)
		return &DamageError{Path: path, What: "its pages are corrupt", Backups: backups(path), Err: err}
	case lib.SQLITE_FULL:
		return fmt.Errorf("the disk of the history %s is full: %w", path, err)
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN: // what a full disk leads to where SQLite maps a file
		return fmt.Errorf("the history %s cannot be read or written; look whether its disk is full, and whether the file is yours: %w", path, err)
	case lib.SQLITE_BUSY:
		return fmt.Errorf("the history %s has been locked by another process for too long: %w", path, err)
	default:
		return err
	}
}
