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

	"darkroom/client/catalog"
)

// Timing says how long the simulated work takes.
type Timing string

// Timings. A task's phases differ from these figures by up to 15 %, depending on its seed and
// model, or as rules say (take, slow, spread, drift).
const (
	// Instant: a task is complete at its first query, images answer at once.
	Instant Timing = "instant"
	// Fast is the default: videos about 4 s, music 3 s, asynchronous images 2 s,
	// images answer after 300 ms.
	Fast Timing = "fast"
	// Real is like real gateways: videos about 90 s, music 45 s, asynchronous images 20 s, images
	// answer after 8 s.
	Real Timing = "real"
)

// Timings lists the timings, the default first.
func Timings() []Timing { return []Timing{Fast, Instant, Real} }

// span is how long one kind of work takes: before it starts, and then until it ends.
type span struct{ queue, run time.Duration }

func (t Timing) span(k kind) (span, error) {
	fast := map[kind]span{
		kindVideo:    {800 * time.Millisecond, 3200 * time.Millisecond},
		kindMusic:    {500 * time.Millisecond, 2500 * time.Millisecond},
		kindResponse: {400 * time.Millisecond, 1600 * time.Millisecond},
		kindImage:    {0, 300 * time.Millisecond},
	}
	realistic := map[kind]span{
		kindVideo:    {12 * time.Second, 78 * time.Second},
		kindMusic:    {5 * time.Second, 40 * time.Second},
		kindResponse: {3 * time.Second, 17 * time.Second},
		kindImage:    {0, 8 * time.Second},
	}
	switch t {
	case Instant:
		return span{}, nil
	case Fast, "":
		return fast[k], nil
	case Real:
		return realistic[k], nil
	default:
		return span{}, fmt.Errorf("sandbox: timing %q: allowed are instant, fast, real", t)
	}
}

// Options configure a [Server]. The zero value is a server in memory with a random
// key and the default timing.
type Options struct {
	// Key is the API key that is let in; "" makes a random one (see [Server.Key]).
	Key string
	// Owners are further keys that are let in, by the name of their owner; "" makes a random one
	// (see [Server.Owners]). A task is known only to the owner that created it; result URLs work
	// for everybody who has them. Tasks belong to the name, so that a key may change between two
	// servers of a folder.
	Owners map[string]string
	// Dir is the folder that keeps tasks, inputs and media (made with mode 0700); ""
	// keeps them in memory. Several servers may share one folder.
	Dir string
	// Clock tells the time that the tasks' states follow; nil is time.Now. The delay of
	// synchronous answers is real time whatever the clock says.
	Clock func() time.Time
	// Timing is [Fast] when empty.
	Timing Timing
	// Seed is the seed of requests that name none.
	Seed int64
	// Logf gets one line a request, without headers or bodies; nil for none.
	Logf func(format string, args ...any)
	// AsyncImages answers image requests with a response object to be polled at
	// /v1/responses/{id}, instead of with the result.
	AsyncImages bool
	// Fault is a list of fault rules for every request and task of the server, as
	// "fail code=X; 500 on=query times=3" (see the package comment); "" for none.
	Fault string
	// BearerOnly refuses the header x-goog-api-key. Otherwise that header may stand for the Bearer
	// token below /v1beta and at /v1/models, which then answers with the list of /v1beta/models, as
	// public clients of that API expect. That is a tolerance of this server: GATEWAY.md
	// (Authentication) knows only Bearer.
	BearerOnly bool
	// Catalog holds models and rules; nil for the catalog that the program embeds.
	Catalog *catalog.Catalog
	// Random is the source of keys and ids; nil is crypto/rand.
	Random io.Reader
}

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
