package client

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// limitTransport bounds one try in time: the whole exchange, or each wait for bytes.
// It sits below pacing and retry, whose waits are not the server's fault.
type limitTransport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t *limitTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	a := attemptOf(r.Context())
	if a.total <= 0 && a.stall <= 0 {
		return t.next.RoundTrip(r)
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &watch{cancel: cancel, stall: a.stall}
	if a.total > 0 {
		w.whole = time.AfterFunc(a.total, func() { cancel(&timeoutError{"no complete answer", a.total}) })
	}
	w.arm()
	resp, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		w.stop()
		return nil, cause(ctx, err)
	}
	w.disarm()
	resp.Body = &watchedBody{ReadCloser: resp.Body, w: w, ctx: ctx}
	return resp, nil
}

// cause prefers our own words for a deadline to "context canceled".
func cause(ctx context.Context, err error) error {
	if te, ok := context.Cause(ctx).(*timeoutError); ok {
		return te
	}
	return err
}

type watch struct {
	cancel context.CancelCauseFunc
	stall  time.Duration
	whole  *time.Timer

	mu      sync.Mutex
	idle    *time.Timer
	stopped bool
}

// arm starts a wait for bytes, disarm ends it: only the server's time counts, not that
// of whoever reads.
func (w *watch) arm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.stall <= 0 || w.stopped:
	case w.idle == nil:
		w.idle = time.AfterFunc(w.stall, func() { w.cancel(&timeoutError{"nothing came", w.stall}) })
	default:
		w.idle.Reset(w.stall)
	}
}

func (w *watch) disarm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle != nil {
		w.idle.Stop()
	}
}

func (w *watch) stop() {
	w.mu.Lock()
	w.stopped = true
	if w.idle != nil {
		w.idle.Stop()
	}
	w.mu.Unlock()
	if w.whole != nil {
		w.whole.Stop()
	}
	w.cancel(nil)
}

type watchedBody struct {
	io.ReadCloser
	w   *watch
	ctx context.Context
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.w.arm()
	n, err := b.ReadCloser.Read(p)
	b.w.disarm()
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *watchedBody) Close() error {
	err := b.ReadCloser.Close()
	b.w.stop()
	return err
}
