// Package page shows a blind vote in a browser on this machine: pictures, videos and sounds side by
// side in full quality. It listens on loopback alone. Whoever knows the address may vote, and the
// address holds a random token; nothing is asked of any other server, and no cookie is set, which other
// servers on loopback would be sent, too.
//
// Until the reveal no answer tells of models, formats, jobs or latencies: files have random names and
// no dates, and those of a pair are of one size where their format allows it.
package page

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"

	"darkroom/client/child"
	"darkroom/jobs/compare/vote"
)

// Options say how a vote is shown.
type Options struct {
	// Open opens an address in the person's browser, such as [Browser]; nil opens none. The address
	// that it gets works once, since others may read what programs are started with.
	Open func(address string) error
	// Told is told the address of the page and, where that did not open, why; nil tells nobody.
	Told func(address string, err error)
}

// Serve shows a vote until the judge ends it there, or the context ends. It leaves the session open.
func Serve(ctx context.Context, session *vote.Session, o Options) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("the page of the vote: %w", err)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	s := newSite(session, l.Addr().String(), end)
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0)} // it would write into the console
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	if o.Open != nil {
		err = o.Open(s.once())
	}
	if o.Told != nil {
		o.Told(s.address(), err)
	}
	select {
	case <-ctx.Done():
		err = nil
	case err = <-done:
		return err
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second) // for the answer that says so
	defer cancel()
	if errors.Is(srv.Shutdown(stop), context.DeadlineExceeded) {
		_ = srv.Close()
	}
	<-done
	return err
}

// Show is [Serve] in the desktop's browser.
func Show(ctx context.Context, session *vote.Session, told func(address string, err error)) error {
	return Serve(ctx, session, Options{Open: Browser, Told: told})
}

// Browser opens an address with the desktop's program for it, and does not wait for that to end.
func Browser(address string) error {
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not installed: open the address yourself", name)
	}
	cmd := child.Command(context.Background(), nil, program, address)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// newSite makes the site of a session for a listener's address. end ends it.
func newSite(session *vote.Session, host string, end func()) *site {
	s := &site{session: session, host: host, token: rand.Text(), end: end}
	s.ticket.Store(new(rand.Text()))
	s.mux = s.routes()
	return s
}
