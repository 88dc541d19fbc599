package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"darkroom/cmd/cli/kit"
)

// interruptible returns a context that ends at the first signal to terminate; the second one kills
// the process as if nobody had listened. If the reader of our output goes away, a write fails;
// a signal would kill us in the middle of a create.
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
			cancel(kit.Interrupted(n))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		signal.Stop(signals)
		signal.Stop(pipe)
	}
}
