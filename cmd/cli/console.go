package cli

import (
	"context"
	"errors"

	"darkroom/client/catalog"
	"darkroom/client/stack"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/linear"
	"darkroom/cmd/config"
	"darkroom/tui/paint"
)

// runLines opens the console as lines.
func runLines(ctx context.Context, k *kit.Kit) error {
	if _, err := settled(ctx, k); err != nil {
		return err
	}
	return linear.Open(ctx, k, run)
}

// settled are the settings, when the key of their profile may go to its gateway.
func settled(ctx context.Context, k *kit.Kit) (config.Config, error) {
	c, err := k.Config()
	if err != nil {
		return c, err
	}
	return c, settleOrigin(ctx, k, c.Profile)
}

// runConsole opens the console in the terminal. judge is a run to be judged at once, "" for none.
func runConsole(ctx context.Context, k *kit.Kit, plain bool, judge string) error {
	s := k.IO
	if !s.Terminal() {
		return kit.Usage("the console needs a terminal. Without one: `darkroom demo`, `darkroom create`, `darkroom jobs list`, `darkroom inspect ID`; `darkroom help` tells more")
	}
	// The catalog takes longest of what the first frame needs: it is read beside all the rest, and who
	// needs it waits for it there.
	go func() {
		stack.Grow()
		_, _ = catalog.Embedded()
	}()
	c, err := settled(ctx, k)
	if err != nil {
		return err
	}
	// The console handles signals itself: it gives the terminal back and then says which signal
	// came, even one that came before it listened.
	err = app.Console(context.WithoutCancel(ctx), app.ConsoleOptions{Config: c, Request: k.Request(), Secrets: k.Secrets(), Other: k.Other(c), Version: k.Version, In: s.TtyIn, Out: s.Tty, Env: s.Env, Plain: plain, Judge: judge, Slow: k.IO.Slow, Stake: k.IO.Tell, Interrupted: ctx})
	var (
		sig  *paint.SignalError
		hung *paint.HungError
		file *catalog.Error // a mistake in the overlay
	)
	if cause := context.Cause(ctx); err == nil && errors.As(cause, new(paint.Signaled)) {
		err = cause // the signal came as the console was about to end
	}
	switch {
	case errors.As(err, &file):
		return kit.Exit(kit.ExitUsage, err)
	case errors.As(err, &hung) && errors.As(err, &sig):
		return kit.Exit(128+int(sig.Signal), kit.Stopped(err.Error()))
	case errors.As(err, &sig):
		return kit.Exit(128+int(sig.Signal), err)
	case errors.Is(err, paint.ErrNotTerminal):
		return kit.Exit(kit.ExitUsage, err)
	}
	return err
}
