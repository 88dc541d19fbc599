package transport

import (
	"context"
	"math"
	"net/http"
	"sync"
	"time"
)

// Pace is how fast requests may leave for the gateway. GATEWAY: Limits gives no numbers, so the
// rate adapts: a 429 multiplies it by 0.7, a server error (500, 502, 503, 504) by 0.9, and quiet
// time restores it. A Retry-After holds all requests back, not only its own.
type Pace struct {
	// Rate is requests a second; 0 means DefaultRate, below 0 means no pacing at all.
	Rate float64
	// Burst is how many may leave at once; 0 means as many as Rate, at least one.
	Burst int
}

// DefaultRate is in requests a second.
const DefaultRate = 50

const (
	slowBy   = 0.7  // of the rate, at a 429
	failBy   = 0.9  // of the rate, at a failure of the server
	healBy   = 1.05 // of the rate, a second without one
	minRate  = 0.2
	maxPause = 30 * time.Second // what a Retry-After may hold all others back
)

// PaceState is how fast requests may leave for the gateway just now.
type PaceState struct {
	Rate float64 // requests a second; 0 for no pacing
	Top  float64 // the rate to which it recovers
	// Until is the end of a pause that the gateway asked for; zero for none. Narrow says that look-ups
	// of other tasks go on: it is about one task alone.
	Until  time.Time
	Narrow bool
	// Free is how many requests could leave at once; below 0 for requests already waiting.
	Free float64
	// Wait is how long a request that came now would wait for its turn.
	Wait time.Duration
}

// paceTransport makes requests wait for a token of one bucket.
type paceTransport struct {
	next   http.RoundTripper
	bucket *bucket // nil for no pacing
	now    func() time.Time
}

// RoundTrip implements http.RoundTripper.
func (t *paceTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.bucket == nil {
		return t.next.RoundTrip(r)
	}
	var (
		probe *hold // what this request finds out about, if anything
		err   error
	)
	about := looking(r)
	switch {
	case about != "":
		probe, err = t.bucket.waitLook(r.Context(), about)
	case yielding(r):
		about = r.URL.Path
		err = t.bucket.waitSpare(r.Context())
	default:
		about = r.URL.Path
		err = t.bucket.wait(r.Context())
	}
	if err != nil {
		closeBody(r)
		return nil, &notSentError{err}
	}
	resp, err := t.next.RoundTrip(r)
	by := 1.0
	if err == nil {
		if by = slowing(resp.StatusCode); by < 1 {
			t.bucket.slow(by, RetryAfter(resp.Header, t.now()), about)
		}
	}
	t.bucket.probed(probe, err == nil, by < 1)
	return resp, err
}

// slowing is the factor by which an answer of this status reduces the rate.
func slowing(status int) float64 {
	switch status {
	case http.StatusTooManyRequests:
		return slowBy
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return failBy
	default:
		return 1
	}
}

// bucket is a token bucket in real time (timers cannot follow an injected clock).
type bucket struct {
	mu     sync.Mutex
	top    float64 // configured rate
	rate   float64 // current rate
	burst  float64
	tokens float64 // below 0: owed to those who wait
	last   time.Time
	paused time.Time // nothing leaves before, but see hold
	hold   *hold     // nil before the first one
}

func newBucket(p Pace) *bucket {
	if p.Rate < 0 {
		return nil
	}
	if p.Rate == 0 {
		p.Rate = DefaultRate
	}
	burst := float64(p.Burst)
	if burst <= 0 {
		burst = math.Max(1, p.Rate)
	}
	return &bucket{top: p.Rate, rate: p.Rate, burst: burst, tokens: burst}
}

// wait takes a token, and gives it back when ctx ends first.
func (b *bucket) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d := b.take(time.Now())
	if d <= 0 {
		return nil
	}
	err := sleep(ctx, d)
	if err != nil {
		b.giveBack()
	}
	return err
}

// take reserves a token and says how long to wait for it.
func (b *bucket) take(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reserve(now) + max(0, b.paused.Sub(now))
}

// reserve is take without the pause.
func (b *bucket) reserve(now time.Time) time.Duration {
	b.refill(now)
	b.tokens--
	if b.tokens >= 0 {
		return 0
	}
	return time.Duration(-b.tokens / b.rate * float64(time.Second))
}

func (b *bucket) refill(now time.Time) {
	if b.last.IsZero() {
		b.last = now
	}
	dt := now.Sub(b.last).Seconds()
	if dt <= 0 {
		return
	}
	b.last = now
	b.tokens = math.Min(b.burst, b.tokens+dt*b.rate)
	if b.rate < b.top {
		b.rate = math.Min(b.top, b.rate*math.Pow(healBy, dt))
	}
}

// state is what is shown to a person, and to whoever plans requests.
func (b *bucket) state(now time.Time) PaceState {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill(now)
	st := PaceState{Rate: b.rate, Top: b.top, Free: b.tokens}
	if b.tokens < 1 {
		st.Wait = time.Duration((1 - b.tokens) / b.rate * float64(time.Second))
	}
	if p := b.paused.Sub(now); p > 0 {
		st.Until, st.Narrow = b.paused, b.hold.narrow
		st.Wait += p
	}
	return st
}

// slow reacts to a 429 or a server error about a task or a path: by multiplies the rate, after is the pause that
// the answer asked for.
func (b *bucket) slow(by float64, after time.Duration, about string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.refill(now)
	b.rate = math.Max(math.Min(minRate, b.top), b.rate*by)
	if by <= slowBy || after > 0 {
		b.tokens = math.Min(b.tokens, 0)
	}
	if after > 0 {
		b.refused(about, now.Add(min(after, maxPause)))
	}
}
