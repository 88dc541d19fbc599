package transport

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

const (
	getRetries  = 2 // quick ones: the engine schedules the rest
	retryBase   = 50 * time.Millisecond
	retryCap    = time.Second
	drainBefore = 64 << 10
)

// retryTransport repeats a GET after a reset connection or a 502, 503 or 504. It never repeats a
// create; it only reports whether the create had left this machine.
type retryTransport struct {
	next http.RoundTripper
	// traced says that the transport below reports its connections, so that "no
	// connection yet" is known and not only assumed.
	traced bool
}

// RoundTrip implements http.RoundTripper.
func (t *retryTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return t.get(r)
	}
	return t.post(r)
}

func (t *retryTransport) get(r *http.Request) (*http.Response, error) {
	wait := retryBase
	for try := 0; ; try++ {
		resp, err := t.next.RoundTrip(r)
		if try >= getRetries || !worthAnother(resp, err) {
			return resp, err
		}
		Drain(resp)
		wait = jitter(wait)
		if serr := sleep(r.Context(), wait); serr != nil {
			return nil, serr
		}
	}
}

func worthAnother(resp *http.Response, err error) bool {
	if err != nil {
		return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
			errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	}
	switch resp.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	default:
		return false
	}
}

// post sends a create once, whatever the outcome: a person decides about another try, or the engine
// for a create that never left this machine.
func (t *retryTransport) post(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err != nil && t.unsent(r.Context(), err) {
		return nil, &notSentError{err}
	}
	return resp, err
}

// unsent reports whether err certainly came before the first byte left.
func (t *retryTransport) unsent(ctx context.Context, err error) bool {
	var ns *notSentError
	if errors.As(err, &ns) || dialFailed(err) {
		return true
	}
	return t.traced && !attemptOf(ctx).connected()
}

func dialFailed(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns)
}

// jitter is decorrelated: between the base and three times the last wait.
func jitter(last time.Duration) time.Duration {
	spread := int64(3*last - retryBase)
	return min(retryCap, retryBase+time.Duration(rand.Int64N(max(spread, 1)))) //nolint:gosec // no secret depends on it
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Drain reads the rest of a body, so that the connection can be used again.
func Drain(resp *http.Response) {
	if resp == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, resp.Body, drainBefore)
	_ = resp.Body.Close()
}

// UnwrapURL drops the *url.Error that http.Client adds: it repeats the whole URL.
func UnwrapURL(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}
