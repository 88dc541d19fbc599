package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"darkroom/client/disk"
)

// ReadOnlyError says that the history can be read at most.
type ReadOnlyError struct {
	Path string
	Err  error // what the system says
}

// Error names the place and what to do.
func (e *ReadOnlyError) Error() string {
	return e.what() + ". Make it, its folder and its disk writable for you, or have another history: XDG_DATA_HOME=FOLDER before the command"
}

// Note is what is said where it is read all the same.
func (e *ReadOnlyError) Note() string { return e.what() + "; reading only" }

func (e *ReadOnlyError) what() string {
	why := e.Err
	if p, ok := errors.AsType[*fs.PathError](why); ok {
		why = p.Err
	}
	return fmt.Sprintf("the history %s cannot be written: %v", e.Path, why)
}

// Unwrap gives what the system says.
func (e *ReadOnlyError) Unwrap() error { return e.Err }

// denied turns an error into a *ReadOnlyError if its cause is that nothing may be written there.
func denied(path string, err error) error {
	why := err
	if se, ok := errors.AsType[*sqlite.Error](err); ok {
		if code := se.Code() & 0xff; code != lib.SQLITE_READONLY && code != lib.SQLITE_CANTOPEN {
			return err
		}
		why = disk.Writable(filepath.Dir(path)) // SQLite does not say why
	}
	if errors.Is(why, fs.ErrPermission) || errors.Is(why, syscall.EROFS) {
		return &ReadOnlyError{Path: path, Err: why}
	}
	return err
}

// sealed returns a *ReadOnlyError if one of the history's own files exists and cannot be written:
// SQLite opens it all the same, and refuses the first write.
func sealed(path string) error {
	for _, ext := range []string{"", "-wal", "-shm"} {
		if err := disk.Writable(path + ext); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return &ReadOnlyError{Path: path, Err: err}
		}
	}
	return nil
}

// OpenReading is Open for what only reads: a history that cannot be written is opened all the same,
// and [SQLite.ReadOnly] says so. Nothing is changed on its disk; where it cannot be read in place,
// a private temporary copy is, which goes when it is closed. Each write to it fails with a
// *ReadOnlyError. Where there is no history yet, an empty one is opened.
func OpenReading(ctx context.Context, path string) (*SQLite, error) {
	s, err := Open(ctx, path)
	return orRead(ctx, s, err)
}

// ReadOnly is why the history can be read only; nil for one that can be written.
func (s *SQLite) ReadOnly() *ReadOnlyError { return s.denied }

// orRead returns what was opened, or opens for reading alone what cannot be written.
func orRead(ctx context.Context, s *SQLite, err error) (*SQLite, error) {
	why, ok := errors.AsType[*ReadOnlyError](err)
	if !ok {
		return s, err
	}
	if s, err = openReadOnly(ctx, why.Path); err != nil {
		return nil, fmt.Errorf("%w (it cannot be read either: %w)", why, explain(why.Path, err))
	}
	s.denied, s.w.denied = why, why
	return s, nil
}

// openReadOnly opens the history as it can be read: in place if its schema is the current one, else
// as a copy.
func openReadOnly(ctx context.Context, path string) (*SQLite, error) {
	fresh, err := inspectFile(path)
	if err != nil {
		return nil, err
	}
	if fresh {
		return openCopy(ctx, path, func(string) error { return nil })
	}
	log, err := sizeOf(path + "-wal")
	if err != nil {
		return nil, err
	}
	query := "mode=ro"
	if log == 0 {
		// Whoever has it open has a log: nobody has.
		query += "&immutable=1"
	} else if _, err := os.Stat(path + "-shm"); errors.Is(err, fs.ErrNotExist) {
		// SQLite reads no log without its index, which it may not make there. Whoever has the
		// history open has one: nobody writes to it while it is copied.
		return openCopy(ctx, path, func(to string) error { return copyFiles(path, to, "", "-wal") })
	}
	s, older, err := openAsIs(ctx, path, path, query)
	if err != nil || !older {
		return s, err
	}
	c, err := openCopy(ctx, path, func(to string) error {
		if err := roomFor(path, to, "", "-wal"); err != nil {
			return err
		}
		return s.copyInto(ctx, to)
	})
	return c, errors.Join(err, s.Close())
}

// openCopy has fill make a history in a private folder, brings it up to date there, and opens it as
// the one at path.
func openCopy(ctx context.Context, path string, fill func(to string) error) (s *SQLite, err error) {
	dir, err := os.MkdirTemp("", "darkroom-history-") // 0700
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	to := filepath.Join(dir, filepath.Base(path))
	if err := fill(to); err != nil {
		return nil, err
	}
	w, err := open(ctx, to)
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil { // which copies the log into the file
		return nil, err
	}
	s, _, err = openAsIs(ctx, path, to, "mode=ro&immutable=1")
	if err == nil {
		s.temp = dir
	}
	return s, err
}

// openAsIs opens the file at for reading, as the history at path. older says that its schema is not
// the current one.
func openAsIs(ctx context.Context, path, at, query string) (s *SQLite, older bool, err error) {
	settings := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "query_only(1)"}}
	s = &SQLite{path: path, readDSN: dsnOf(at, query+"&"+settings.Encode())}
	s.checks.ctx, s.checks.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if s.writeDB, err = sql.Open("sqlite", s.readDSN); err != nil {
		return nil, false, err
	}
	s.writeDB.SetMaxOpenConns(1)
	if err := s.openReaders(); err != nil {
		return nil, false, errors.Join(err, s.writeDB.Close())
	}
	older, err = s.check(ctx)
	if err != nil {
		return nil, false, errors.Join(err, s.Close())
	}
	return s, older, nil
}

// check refuses what migrate refuses, and tells whether there would be something to migrate.
func (s *SQLite) check(ctx context.Context) (older bool, err error) {
	conn, err := s.writeDB.Conn(ctx)
	if err != nil {
		return false, err
	}
	s.w = newWriter(conn, s.wrote)
	steps, err := migrations()
	if err != nil {
		return false, err
	}
	have, err := schemaOf(ctx, conn, s.path, len(steps))
	if err != nil || have < len(steps) {
		return true, err
	}
	return false, checkSchema(ctx, conn, s.path)
}

// sizeOf is the size of a file, 0 for none.
func sizeOf(path string) (int64, error) {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// roomFor refuses a copy for which the disk has no room. Each file counts twice: what is copied out
// of the log takes its room a second time.
func roomFor(path, to string, exts ...string) error {
	var need int64
	for _, ext := range exts {
		n, err := sizeOf(path + ext)
		if err != nil {
			return err
		}
		need += 2 * n
	}
	dir := filepath.Dir(to)
	if free := disk.Free(dir); free >= 0 && free < need {
		return fmt.Errorf("to be read it has to be copied, which may take %d bytes, and %s has %d: set TMPDIR to a folder with more room", need, dir, free)
	}
	return nil
}

// copyFiles copies a history that nobody has open.
func copyFiles(path, to string, exts ...string) error {
	if err := roomFor(path, to, exts...); err != nil {
		return err
	}
	for _, ext := range exts {
		if err := disk.Copy(path+ext, to+ext); err != nil {
			return err
		}
	}
	return nil
}
