package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Running is a server that listens.
type Running struct {
	// URL is the base address, as "http://127.0.0.1:43210".
	URL string
	// Key is the API key that it lets in.
	Key string
	// Server is the handler behind it.
	Server *Server

	http  *http.Server
	done  chan struct{}
	close func() error
}

// Start makes a server and listens on addr, "" for a free port of the loopback
// interface. It returns as soon as the socket listens. The server ends with ctx or
// with Close. Whether addr may be anything but loopback is the caller's business.
func Start(ctx context.Context, o Options, addr string) (*Running, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	s, err := New(o)
	if err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sandbox: %w", err), s.Close())
	}
	r := &Running{URL: "http://" + ln.Addr().String(), Key: s.Key(), Server: s, done: make(chan struct{})}
	r.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute,
		WriteTimeout:      5 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// OPTIONS * is a path like any other.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0), // stderr may be a terminal that is being painted
	}
	r.close = sync.OnceValue(r.shutdown)
	go func() {
		defer close(r.done)
		_ = r.http.Serve(ln) // always ends with ErrServerClosed, after Close
	}()
	stop := context.AfterFunc(ctx, func() { _ = r.Close() })
	r.http.RegisterOnShutdown(func() { stop() })
	return r, nil
}

// Close stops listening, lets answers under way end for a moment, and releases the
// state folder. It may be called more than once.
func (r *Running) Close() error { return r.close() }

func (r *Running) shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	err := r.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = r.http.Close()
	}
	<-r.done
	return errors.Join(err, r.Server.Close())
}
