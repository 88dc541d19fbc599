package client

import (
	"context"
	"errors"
	"sync"
	"time"
)

// attempt is what the round trippers of one exchange tell one another. It travels in
// the request's context; net/http calls its hooks from goroutines of its own.
type attempt struct {
	mu      sync.Mutex
	key     string // as sent, only to find it echoed in the answer
	gotConn bool
	wrote   time.Time
	began   time.Time

	total time.Duration // bound of the whole exchange; 0 for none
	stall time.Duration // bound of each wait; 0 for none
	// cancel ends the whole attempt. Where it is set the time limit needs no context of
	// its own for a try: after a try that ran out of time there is no other.
	cancel context.CancelCauseFunc
}

type attemptKey struct{}

func withAttempt(ctx context.Context, a *attempt) context.Context {
	return context.WithValue(ctx, attemptKey{}, a)
}

// attemptOf never returns nil: a request from elsewhere gets an unobserved one.
func attemptOf(ctx context.Context) *attempt {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok {
		return a
	}
	return &attempt{}
}

// begin forgets what an earlier try left behind.
func (a *attempt) begin(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gotConn, a.wrote, a.began = false, time.Time{}, now
}

func (a *attempt) setConn() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gotConn = true
}

func (a *attempt) setWrote(t time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrote = t
}

func (a *attempt) setKey(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.key = k
}

func (a *attempt) secret() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.key
}

func (a *attempt) connected() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gotConn
}

// since is the latency at t: from the request written, or from the beginning when no
// hook told of it.
func (a *attempt) since(t time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case !a.wrote.IsZero():
		return max(t.Sub(a.wrote), 0)
	case !a.began.IsZero():
		return max(t.Sub(a.began), 0)
	default:
		return 0
	}
}

// notSentError marks a failure before any byte could reach the gateway.
type notSentError struct{ err error }

// NotSent reports that err is certain to have come before anything reached the gateway:
// the request can be sent again without being carried out twice.
func NotSent(err error) bool {
	_, ok := errors.AsType[*notSentError](err)
	return ok
}

func (e *notSentError) Error() string { return e.err.Error() }
func (e *notSentError) Unwrap() error { return e.err }

// timeoutError is our own deadline, told in words.
type timeoutError struct {
	what string
	d    time.Duration
}

func (e *timeoutError) Error() string   { return e.what + " within " + e.d.String() }
func (e *timeoutError) Timeout() bool   { return true }
func (e *timeoutError) Temporary() bool { return true }

// Is makes errors.Is(err, context.DeadlineExceeded) true.
func (e *timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
