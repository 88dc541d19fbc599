//go:build unix

package paint

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"darkroom/tui/paint/internal/tty"
)

// listening is the hearing of signals. Go takes each of them up by a thread of its own, which takes
// milliseconds where all processors are busy: it begins when the terminal is opened, and nobody waits
// for it before the signals are handled.
type listening struct {
	signals, resized chan os.Signal
	begun            chan struct{} // closed
}

// listen begins to hear signals. One that was ignored when the program started, as under nohup, stays
// ignored.
func listen() *listening {
	l := &listening{signals: make(chan os.Signal, 8), resized: make(chan os.Signal, 1), begun: make(chan struct{})}
	go func() {
		defer close(l.begun)
		signal.Notify(l.resized, syscall.SIGWINCH)
		signal.Notify(l.signals, syscall.SIGCONT)
		for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTSTP} {
			if !signal.Ignored(s) && (s != syscall.SIGTSTP || tty.CatchesStop) {
				signal.Notify(l.signals, s)
			}
		}
	}()
	return l
}

func (l *listening) stop() {
	signal.Stop(l.resized)
	signal.Stop(l.signals)
}

// watchSignals handles signals until the returned function is called.
func (t *Terminal) watchSignals() (stop func()) {
	<-t.heard.begun
	before := t.heedBefore()
	done := make(chan struct{})
	t.Go(func() { t.followSize(t.heard.resized, done) })
	t.Go(func() { t.handleSignals(done) })
	return func() {
		before()
		t.heard.stop()
		close(done)
	}
}

// heedBefore has a signal handled that came before we began to listen. Being told late of one that
// we heard ourselves changes nothing: the first failure counts.
func (t *Terminal) heedBefore() (stop func()) {
	ctx := t.opts.Before
	if ctx == nil {
		return func() {}
	}
	off := context.AfterFunc(ctx, func() {
		defer t.Recover()
		if s, ok := errors.AsType[Signaled](context.Cause(ctx)); ok {
			t.handle(s.Signal())
		}
	})
	return func() { off() }
}

// followSize tells the loop of a new size. It has a goroutine of its own, since
// it waits for the loop.
func (t *Terminal) followSize(resized <-chan os.Signal, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-resized:
		}
		// Even when the size is the old one again: the terminal may have cut or
		// wrapped its lines in between.
		t.send(t.sizeMsg())
		t.measure()
	}
}

func (t *Terminal) handleSignals(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case s := <-t.heard.signals:
			t.handle(s)
		}
	}
}

// handle must not wait for the loop.
func (t *Terminal) handle(s os.Signal) {
	switch s {
	case syscall.SIGTSTP:
		go t.send(execMsg{})
	case syscall.SIGCONT:
		// Stopped by SIGSTOP, which cannot be caught, the terminal was left as
		// it was; whoever used it meanwhile has changed it.
		if !t.outside.Load() && t.isActive() && t.Enter() == nil {
			go t.send(t.sizeMsg())
		}
	case syscall.SIGINT:
		if !t.outside.Load() { // else it was typed at the child
			t.fail(&SignalError{syscall.SIGINT})
		}
	default:
		number, ok := s.(syscall.Signal)
		if !ok {
			return
		}
		t.fail(&SignalError{number})
		if child := t.child.Load(); child != nil {
			_ = child.Signal(s)
		}
	}
}

func (t *Terminal) isActive() bool {
	if !t.out.acquire(leaveWait) {
		return false
	}
	defer t.out.release()
	return t.out.active
}
