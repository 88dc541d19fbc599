package transport

import (
	"context"
	"errors"
	"sync"
	"time"
)

// An Attempt is what the round trippers of one exchange tell one another. It travels in
// the request's context; net/http calls its hooks from goroutines of its own.
type Attempt struct {
	mu      sync.Mutex
	key     string
	gotConn bool
	wrote   time.Time
	began   time.Time

	limits Limits
	// cancel ends the whole attempt. Where it is set, the time limit needs no context of its own
	// for a try: after a try that ran out of time there is no other.
	cancel context.CancelCauseFunc
}

// Limits bound an exchange in time, as a whole or for each wait for bytes; 0 for no bound.
type Limits struct{ Total, Stall time.Duration }

type attemptKey struct{}

// Begin returns the context of one exchange, and its Attempt.
func Begin(ctx context.Context, limits Limits) (context.Context, *Attempt) {
	a := &Attempt{limits: limits}
	return context.WithValue(ctx, attemptKey{}, a), a
}

// BeginQuery is Begin for an answer that is read whole before [Attempt.End], which has to be called.
func BeginQuery(ctx context.Context, total time.Duration) (context.Context, *Attempt) {
	ctx, a := Begin(ctx, Limits{Total: total})
	ctx, a.cancel = context.WithCancelCause(ctx)
	return ctx, a
}

// End releases what BeginQuery took.
func (a *Attempt) End() { a.cancel(nil) }

// attemptOf never returns nil: a request from elsewhere gets an unobserved one.
func attemptOf(ctx context.Context) *Attempt {
	if a, ok := ctx.Value(attemptKey{}).(*Attempt); ok {
		return a
	}
	return &Attempt{}
}

// begin forgets what an earlier try left behind.
func (a *Attempt) begin(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gotConn, a.wrote, a.began = false, time.Time{}, now
}

func (a *Attempt) setConn() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gotConn = true
}

func (a *Attempt) setWrote(t time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrote = t
}

func (a *Attempt) setKey(k string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.key = k
}

// Key is the key that was sent, only for finding its echo in the answer; "" for none.
func (a *Attempt) Key() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.key
}

func (a *Attempt) connected() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gotConn
}

// Since is the latency at t: from the request written, or from the beginning when no hook reported
// that.
func (a *Attempt) Since(t time.Time) time.Duration {
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

// NotSent reports that err certainly came before anything reached the gateway: the request can be
// sent again without being carried out twice.
func NotSent(err error) bool {
	_, ok := errors.AsType[*notSentError](err)
	return ok
}

func (e *notSentError) Error() string { return e.err.Error() }
func (e *notSentError) Unwrap() error { return e.err }

// timeoutError is our own deadline, in words.
type timeoutError struct {
	what string
	d    time.Duration
}

func (e *timeoutError) Error() string   { return e.what + " within " + e.d.String() }
func (e *timeoutError) Timeout() bool   { return true }
func (e *timeoutError) Temporary() bool { return true }

// Is makes errors.Is(err, context.DeadlineExceeded) true.
func (e *timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
