package transport

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
	if a.limits.Total <= 0 && a.limits.Stall <= 0 {
		return t.next.RoundTrip(r)
	}
	if a.limits.Stall > 0 {
		return t.watched(r, a.limits.Stall)
	}
	ctx, cancel := r.Context(), a.cancel
	if cancel == nil {
		ctx, cancel = context.WithCancelCause(ctx)
		r = r.WithContext(ctx)
	}
	b := &boundedBody{ctx: ctx, ends: a.cancel == nil, cancel: cancel}
	b.timer = time.AfterFunc(a.limits.Total, func() { cancel(&timeoutError{"no complete answer", a.limits.Total}) })
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		err = cause(ctx, err)
		b.end()
		return nil, err
	}
	b.ReadCloser, resp.Body = resp.Body, b
	return resp, nil
}

// boundedBody is an answer that must be complete before a timer cancels its context.
type boundedBody struct {
	io.ReadCloser
	ctx    context.Context
	timer  *time.Timer
	cancel context.CancelCauseFunc
	ends   bool // the context is that of this try alone
}

func (b *boundedBody) end() {
	b.timer.Stop()
	if b.ends {
		b.cancel(nil)
	}
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *boundedBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

// watched bounds each wait for bytes, not the whole.
func (t *limitTransport) watched(r *http.Request, stall time.Duration) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &watch{cancel: cancel, stall: stall}
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

	mu      sync.Mutex
	idle    *time.Timer
	stopped bool
}

// arm starts a wait for bytes, disarm ends it: only the server's time counts, not the reader's.
func (w *watch) arm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.stopped:
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
