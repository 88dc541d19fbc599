package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"darkroom/client"
	"darkroom/cmd/config"
)

// Exit codes, as `darkroom help exit-codes` tells them.
const (
	ExitOK        = 0   // done
	ExitFailed    = 1   // a task failed, a request was refused, or something broke
	ExitUsage     = 2   // wrong words, a draft that the rules do not allow, no terminal
	ExitNotFound  = 3   // no such job, task or model
	ExitAuth      = 4   // no key, or the gateway refused it
	ExitAmbiguous = 5   // a create may or may not have been accepted
	ExitCancelled = 130 // interrupted
)

// IO is the world of a command: its streams, environment and folders. Tests make their
// own.
type IO struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Terminal files, for the console and for hidden input; nil where there is none.
	Tty    *os.File // standard output, when it is a terminal
	TtyIn  *os.File // standard input, when it is a terminal
	TtyErr *os.File // standard error, when it is a terminal
	Env    func(string) string
	Paths  config.Paths
	Secret func(config.Paths, func(string) string) config.Secrets
}

// System is the IO of the process.
func System() *IO {
	s := &IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Paths: config.XDGPaths(), Secret: systemSecrets}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		s.Tty = os.Stdout
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		s.TtyIn = os.Stdin
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		s.TtyErr = os.Stderr
	}
	return s
}

// width is that of the terminal that progress is drawn on.
func (s *IO) width() int {
	if s.TtyErr != nil {
		if w, _, err := term.GetSize(int(s.TtyErr.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

func systemSecrets(p config.Paths, env func(string) string) config.Secrets {
	return config.Secrets{Dir: p.Secrets, Env: env, Keyring: config.System{}}
}

// printf writes to the command's output; a reader that went away is not our failure.
func (s *IO) printf(format string, args ...any) { _, _ = fmt.Fprintf(s.Out, format, args...) }

// note writes to standard error, where it does not disturb what a script reads.
func (s *IO) note(format string, args ...any) { _, _ = fmt.Fprintf(s.Err, format, args...) }

// exitError is an error that ends the process with a code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{ExitUsage, fmt.Errorf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &exitError{ExitNotFound, fmt.Errorf(format, args...)}
}

// codeOf is the exit code for an error.
func codeOf(err error) int {
	var (
		exit   *exitError
		create *client.CreateError
		api    *client.APIError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		return ExitCancelled
	case errors.Is(err, config.ErrNoKey):
		return ExitAuth
	case errors.As(err, &create) && create.Outcome == client.OutcomeAmbiguous:
		return ExitAmbiguous
	case errors.As(err, &api):
		switch api.HTTPStatus {
		case 401, 403:
			return ExitAuth
		case 404:
			return ExitNotFound
		}
	}
	return ExitFailed
}
