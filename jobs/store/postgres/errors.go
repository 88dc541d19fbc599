package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrForeign says that there are tables, but those of another program.
var ErrForeign = errors.New("it holds tables of another program")

// NewerError says that the history was written by a newer version of the program.
type NewerError struct {
	Place       string
	Have, Known int // schema versions: of the database, and the newest that we know
}

// Error implements error.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the history %s has schema version %d, this program knows up to version %d: "+
		"use a newer darkroom, or another history", e.Place, e.Have, e.Known)
}

// Error is a failure of the shared history. Its text names the place, and never holds the
// password.
type Error struct {
	Place string // the address without a password
	Err   error

	hide []string
}

// Error implements error.
func (e *Error) Error() string {
	text := e.Err.Error()
	for _, s := range e.hide {
		text = strings.ReplaceAll(text, s, "xxxxx")
	}
	return fmt.Sprintf("the history %s: %s", e.Place, text)
}

// Unwrap returns the cause, whose text may hold what Error leaves out.
func (e *Error) Unwrap() error { return e.Err }

// Error codes of PostgreSQL.
const (
	codeUnique     = "23505"
	codeForeign    = "23503"
	codeSerialize  = "40001"
	codeDeadlock   = "40P01"
	codeCancelled  = "57014" // statement_timeout, or a cancel
	codePrivilege  = "42501"
	codeNoDatabase = "3D000"
	codePassword   = "28P01"
	codeFull       = "53100"
	codeConns      = "53300"
)

func codeOf(err error) string {
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pe.Code
	}
	return ""
}

// explain turns an error of the database into what a person needs. Errors of package jobs pass as
// they are.
func (s *Store) explain(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if _, ok := errors.AsType[*NewerError](err); ok {
		return err
	}
	text := ""
	switch code := codeOf(err); {
	case code == codeUnique:
		text = "a job of this id is there already"
	case code == codeCancelled && !errors.Is(err, context.Canceled):
		text = "the server took too long"
	case code == codePrivilege:
		text = "this user may not do that there: it needs to own the schema, or CREATE on the database for the first start"
	case code == codeNoDatabase:
		text = "the database does not exist: make it with `createdb`"
	case code == codePassword:
		text = "the server refused the user or the password: put it in PGPASSWORD or ~/.pgpass"
	case code == codeFull:
		text = "the server's disk is full"
	case code == codeConns:
		text = "the server takes no more connections"
	case strings.Contains(err.Error(), "server refused TLS connection"): // the library has no name for it
		text = errNoTLS.Error()
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		text = "the server did not answer in time"
	}
	if text != "" {
		err = fmt.Errorf("%s: %w", text, err)
	}
	return &Error{Place: s.place, Err: err, hide: s.hide}
}

// Away reports whether an error is that of a server that cannot be reached now, is starting or
// shutting down: the call may be tried again. What the server itself said of a user, a database or
// a schema does not pass by waiting.
func Away(err error) bool {
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(pe.Code, "57P") || pe.Code == codeConns
	}
	if errors.Is(err, context.Canceled) {
		return false
	}
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
