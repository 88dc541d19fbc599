package kit

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/transport"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
	"darkroom/jobs/store/postgres"
)

// Exit codes, as listed by `darkroom exit-codes`.
const (
	ExitOK        = 0   // done
	ExitFailed    = 1   // a task failed, a request was refused, or something broke
	ExitUsage     = 2   // wrong words, a wrong file, a draft that the rules do not allow, no terminal
	ExitNotFound  = 3   // no such job, task, model, preset or file
	ExitAuth      = 4   // no key, or the gateway refused it
	ExitAmbiguous = 5   // a create may or may not have been accepted
	ExitPaused    = 6   // a pause, or being read-only, kept the command from doing what it is for
	ExitUnsaved   = 7   // a create was accepted, and the history could not be written
	ExitUnknown   = 8   // a task that was watched stays in a state that nobody lists
	ExitTimeout   = 9   // a task that was watched has not ended within --timeout
	ExitChecks    = 10  // a comparison does not meet its suite's expectations, or got worse than its baseline
	ExitCancelled = 130 // interrupted; 128 + n for the signal n
)

// ExitError is an error with its own exit code for the process.
type ExitError struct {
	code int
	err  error
}

func (e *ExitError) Error() string { return e.err.Error() }
func (e *ExitError) Unwrap() error { return e.err }

// Exit is err with an exit code for the process.
func Exit(code int, err error) error { return &ExitError{code, err} }

// Usage is an error in what was typed.
func Usage(format string, args ...any) error {
	return Exit(ExitUsage, fmt.Errorf(format, args...))
}

// NotFound is an error for a name that stands for nothing.
func NotFound(format string, args ...any) error {
	return Exit(ExitNotFound, fmt.Errorf(format, args...))
}

// Code is the exit code for an error.
func Code(err error) int {
	var (
		unsaved *app.UnsavedError
		exit    *ExitError
		create  *client.CreateError
		api     *client.APIError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &unsaved):
		return ExitUnsaved // it outweighs everything else
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		return ExitCancelled
	case errors.As(err, new(*transport.ReadOnlyError)):
		return ExitPaused
	case config.IsKeyError(err):
		return ExitAuth
	case errors.As(err, &create) && create.Outcome == client.OutcomeAmbiguous:
		return ExitAmbiguous
	case errors.As(err, &api) && api.Keyless: // no word about the key
		return ExitFailed
	case client.Unknown(err):
		return ExitNotFound
	case errors.As(err, &api):
		return CodeOfHTTP(api.HTTPStatus)
	}
	return ExitFailed
}

// CodeOfHTTP is the exit code for an answer's HTTP status.
func CodeOfHTTP(status int) int {
	switch status {
	case 401, 403:
		return ExitAuth
	case 404:
		return ExitNotFound
	default:
		return ExitFailed
	}
}

// Interrupted is the cause of a context that a signal ended.
type Interrupted syscall.Signal

func (e Interrupted) Error() string {
	if e == Interrupted(syscall.SIGINT) {
		return "interrupted"
	}
	return "ended by the signal " + e.Signal().String()
}

// Signal is the signal.
func (e Interrupted) Signal() syscall.Signal { return syscall.Signal(e) }

// Is makes it a cancellation.
func (e Interrupted) Is(target error) bool { return target == context.Canceled }

// Stopped is a command's own message on being interrupted.
type Stopped string

func (e Stopped) Error() string { return string(e) }

// Is makes it a cancellation.
func (e Stopped) Is(target error) bool { return target == context.Canceled }

// UsageOf makes a mistake in the input a usage error.
func UsageOf(err error) error {
	if err == nil {
		return nil
	}
	if many, ok := errors.AsType[*expand.TooManyError](err); ok && many.Cap < expand.HardCap {
		return Usage("%w; --max-jobs raises the limit", err)
	}
	return Exit(ExitUsage, err)
}

// unreachable reports whether there was no connection at all.
func unreachable(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// Verdict is the exit code for an error, and the message to print, "" for none.
func Verdict(ctx context.Context, err error) (code int, text string) {
	if err == nil {
		return ExitOK, ""
	}
	code, text = Code(err), err.Error()
	if _, shared := errors.AsType[*postgres.Error](err); shared && unreachable(err) {
		text += "; look whether its server runs and can be reached; `darkroom config` shows which history is in use"
	} else if unreachable(err) {
		text += "; the gateway cannot be reached: check the network, and the base URL with `darkroom auth status`"
	}
	if code != ExitCancelled {
		return code, text
	}
	var (
		sig  Interrupted
		told Stopped
	)
	if errors.As(context.Cause(ctx), &sig) {
		code = 128 + int(sig)
	}
	if !errors.As(err, &told) { // else "context canceled", in the words of some library
		text = "interrupted"
		if sig != 0 {
			text = sig.Error()
		}
	}
	return code, text
}
