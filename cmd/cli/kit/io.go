package kit

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/cmd/config"
	"darkroom/jobs/schedule"
)

// IO is a command's surroundings: its streams, environment and folders. Tests make their own.
type IO struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Files of the terminal, for the console and for hidden input; nil for none.
	Tty    *os.File // standard output, when it is a terminal
	TtyIn  *os.File // standard input, when it is a terminal
	TtyErr *os.File // standard error, when it is a terminal
	Env    func(string) string
	Paths  config.Paths
	Secret func(config.Paths, func(string) string) config.Secrets

	Timing sandbox.Timing   // of the embedded gateway; "" for its default
	Retry  schedule.Backoff // of what fails; zero for the engine's own
	Lease  time.Duration    // how long a killed process's jobs wait; 0 for the engine's own
	Trying time.Duration    // to write what is unsaved; zero for app.KeepTrying
	Work   string           // working directory, whose .darkroom is looked into; "" for the process's
}

// Terminal reports whether a person sits at a terminal in which the console can be opened.
func (s *IO) Terminal() bool { return s.Tty != nil && s.TtyIn != nil }

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

func systemSecrets(p config.Paths, env func(string) string) config.Secrets {
	return config.Secrets{Dir: p.Secrets, Env: env, Keyring: config.SystemKeyring(env)}
}

// Size is the size in cells of the terminal that progress is drawn on.
func (s *IO) Size() (width, height int) {
	if s.TtyErr != nil {
		if w, h, err := term.GetSize(int(s.TtyErr.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// Printf writes to the command's output; the stream remembers a failure, see stream.
func (s *IO) Printf(format string, args ...any) { _, _ = fmt.Fprintf(s.Out, format, args...) }

// Notef writes to standard error, out of the way of scripts that read the output.
func (s *IO) Notef(format string, args ...any) { _, _ = fmt.Fprintf(s.Err, format, args...) }

// Slow tells the person that closing takes a moment.
func (s *IO) Slow() { s.Tell("waiting a moment for what is under way…") }

// Tell prints a message of the program itself on one line; the text may hold anything.
func (s *IO) Tell(text string) { s.Notef("darkroom: %s\n", client.CleanLine(text)) }

// Await runs what cannot be cancelled, such as reading from a terminal, and leaves it running if
// ctx ends first.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
