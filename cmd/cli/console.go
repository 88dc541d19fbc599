package cli

import (
	"context"
	"errors"

	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/tui/paint"
)

// runConsole opens the console in the terminal.
func runConsole(ctx context.Context, k *globals, plain bool) error {
	s := k.io
	if s.Tty == nil || s.TtyIn == nil {
		return usage("the console needs a terminal. Without one: `darkroom demo`, `darkroom create`, `darkroom jobs list`, `darkroom inspect ID`; `darkroom help` tells more")
	}
	c, err := k.config()
	if err != nil {
		return err
	}
	if err := settleOrigin(ctx, k, c.Profile); err != nil {
		return err
	}
	// Signals are the terminal's owner's: it gives the terminal back and then tells which, of
	// those too that come before it listens.
	err = app.Console(context.WithoutCancel(ctx), app.ConsoleOptions{Config: c, Secrets: k.secrets(), Version: k.version, In: s.TtyIn, Out: s.Tty, Env: s.Env, Plain: plain, Slow: k.io.slow, Stake: k.io.tell, Interrupted: ctx})
	var (
		sig  *paint.SignalError
		hung *paint.HungError
		file *catalog.Error // a mistake in the overlay
	)
	if cause := context.Cause(ctx); err == nil && errors.As(cause, new(paint.Signaled)) {
		err = cause // it came when the console was about to end
	}
	switch {
	case errors.As(err, &file):
		return exitWith(ExitUsage, err)
	case errors.As(err, &hung) && errors.As(err, &sig):
		return exitWith(128+int(sig.Signal), stopped(err.Error()))
	case errors.As(err, &sig):
		return exitWith(128+int(sig.Signal), err)
	case errors.Is(err, paint.ErrNotTerminal):
		return exitWith(ExitUsage, err)
	}
	return err
}
