package cli

import (
	"context"
	"errors"
	"net"
	"os"
	"os/signal"
	"syscall"

	"darkroom/jobs/store/postgres"
)

// interruptible returns a context that ends at the first signal to end; the second one
// kills, as if nobody had listened. A reader of our output that goes away is told by an
// error of the write and not by a signal, which would kill us in the middle of a create.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	wanted := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		wanted = append(wanted, syscall.SIGHUP)
	}
	signals, pipe := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(signals, wanted...)
	signal.Notify(pipe, syscall.SIGPIPE)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			n, _ := s.(syscall.Signal)
			cancel(interrupted(n))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		signal.Stop(signals)
		signal.Stop(pipe)
	}
}

// unreachable reports whether there was no connection at all.
func unreachable(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// verdict is the exit code for an error and what is said about it, "" for nothing.
func verdict(ctx context.Context, err error) (code int, text string) {
	if err == nil {
		return ExitOK, ""
	}
	code, text = codeOf(err), err.Error()
	if _, shared := errors.AsType[*postgres.Error](err); shared && unreachable(err) {
		text += "; look whether its server runs and can be reached; `darkroom config` shows which history is in use"
	} else if unreachable(err) {
		text += "; the gateway can not be reached: check the network, and the base URL with `darkroom auth status`"
	}
	if code != ExitCancelled {
		return code, text
	}
	var (
		sig  interrupted
		told stopped
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
