package client

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
	postTries   = 3 // in all
	retryBase   = 50 * time.Millisecond
	retryCap    = time.Second
	maxWait     = 30 * time.Second // the longest Retry-After that is waited for here
	drainBefore = 64 << 10
)

// retryTransport repeats what is safe to repeat, and nothing else. A GET: after a reset
// connection or a 502, 503 or 504. A create: only when nothing had been sent, or when
// the gateway said 429 with a bearable Retry-After. Anything else about a create is
// passed on as it is, since the request may have been accepted.
type retryTransport struct {
	next http.RoundTripper
	now  func() time.Time
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
		drain(resp)
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

func (t *retryTransport) post(r *http.Request) (*http.Response, error) {
	body, _ := r.Body.(*payload)
	wait := retryBase
	for try := 1; ; try++ {
		if body != nil {
			r = r.Clone(r.Context())
			r.Body = newPayload(body.data)
		}
		resp, err := t.next.RoundTrip(r)
		switch {
		case err != nil:
			if !t.unsent(r.Context(), err) {
				return nil, err
			}
			if try >= postTries || !dialFailed(err) {
				return nil, &notSentError{err}
			}
			wait = jitter(wait)
		case resp.StatusCode == http.StatusTooManyRequests:
			after := retryAfter(resp.Header, t.now())
			if try >= postTries || after <= 0 || after > maxWait {
				return resp, nil
			}
			drain(resp)
			wait = after
		default:
			return resp, nil
		}
		if serr := sleep(r.Context(), wait); serr != nil {
			return nil, &notSentError{serr}
		}
	}
}

// unsent reports whether err is certain to have come before the first byte left.
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

// drain lets a connection be used again.
func drain(resp *http.Response) {
	if resp == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, resp.Body, drainBefore)
	_ = resp.Body.Close()
}

// unwrapURL drops the *url.Error that http.Client adds: it repeats the whole URL.
func unwrapURL(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}
