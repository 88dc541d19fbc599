package transport

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// A 429 with a Retry-After may be about the whole key, or about one task alone: only another request
// can tell. While it holds everything else back, look-ups, for which a person waits, may send a request
// about another task, one after the other and no more than maxProbes. Once one is answered, the look-ups
// go on; if all are refused, too, everything waits.

// maxProbes is how many requests may find out during one hold whether it is about one task alone.
const maxProbes = 3

type lookingKey struct{}

// Looking marks the requests of a look-up of a task.
func Looking(ctx context.Context, task string) context.Context {
	return context.WithValue(ctx, lookingKey{}, task)
}

// looking is the task that a request looks up, "" for a request of another kind.
func looking(r *http.Request) string {
	task, _ := r.Context().Value(lookingKey{}).(string)
	return task
}

// hold is what is known of a pause that the gateway asked for.
type hold struct {
	about []string // tasks, and paths of requests that were no look-up, whose answers asked for it
	tries int      // requests that were to find out; trying says that one is under way
	// narrow says that one of them was answered.
	trying, narrow bool
	changed        chan struct{} // closed when those who wait are to look again
}

func (h *hold) has(task string) bool {
	for _, a := range h.about {
		if a == task || strings.Contains(a, "/") && strings.Contains(a, task) {
			return true
		}
	}
	return false
}

// look lets those who wait look again.
func (h *hold) look() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// refused begins a hold, or notes that it is about this, too.
func (b *bucket) refused(about string, until time.Time) {
	if !time.Now().Before(b.paused) || b.hold == nil {
		b.hold = &hold{changed: make(chan struct{})}
	}
	if h := b.hold; !h.has(about) {
		h.about = append(h.about, about)
		if h.narrow { // the next one finds out anew
			h.narrow, h.tries = false, 0
		}
	}
	if until.After(b.paused) {
		b.paused, b.last = until, until // no tokens gather during the pause: its end is no burst
	}
}

// takeLook is take for a request of a look-up. A probe gets its hold, and has to tell [bucket.probed]
// what came of it; a request that waits looks again when changed is closed.
func (b *bucket) takeLook(now time.Time, task string) (d time.Duration, probe *hold, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d = b.reserve(now)
	switch h := b.hold; {
	case !now.Before(b.paused) || h == nil:
		return d, nil, nil
	case h.has(task):
		return d + b.paused.Sub(now), nil, nil
	case h.narrow:
		return d, nil, nil
	case !h.trying && h.tries < maxProbes:
		h.tries++
		h.trying = true
		return d, h, nil
	}
	return d + b.paused.Sub(now), nil, b.hold.changed
}

// waitLook is wait for a request of a look-up; probe is the hold that the request finds out about, nil
// if it is no probe.
func (b *bucket) waitLook(ctx context.Context, task string) (probe *hold, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for {
		d, probe, changed := b.takeLook(time.Now(), task)
		if d <= 0 {
			return probe, nil
		}
		timer := time.NewTimer(d)
		select {
		case <-timer.C:
			return probe, nil
		case <-changed:
			timer.Stop()
			b.giveBack()
		case <-ctx.Done():
			timer.Stop()
			b.giveBack()
			b.probed(probe, false, false)
			return nil, context.Cause(ctx)
		}
	}
}

// probed takes what came of a request that was to find out about a hold: an answer that refuses nothing
// lets all look-ups go on, otherwise the next one may try. Of a later hold it says nothing.
func (b *bucket) probed(h *hold, came, refused bool) {
	if h == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if h != b.hold {
		return
	}
	if h.trying = false; came && !refused && time.Now().Before(b.paused) {
		h.narrow = true
		b.last = time.Now() // tokens gather again
	}
	if !came {
		h.tries--
	}
	h.look()
}

func (b *bucket) giveBack() {
	b.mu.Lock()
	b.tokens++
	b.mu.Unlock()
}

type yieldingKey struct{}

// Yielding marks requests that leave only when no other wants to: those for the bytes of results. They
// take what nobody has used of the pace, so that as many others as may leave at once, but for one, find
// it unused. One that has waited for maxYield takes its turn like any other.
func Yielding(ctx context.Context) context.Context {
	return context.WithValue(ctx, yieldingKey{}, true)
}

// maxYield is how long a request lets others go first.
const maxYield = 10 * time.Second

func yielding(r *http.Request) bool {
	on, _ := r.Context().Value(yieldingKey{}).(bool)
	return on
}

// waitSpare is wait for a request that yields.
func (b *bucket) waitSpare(ctx context.Context) error {
	for until := time.Now().Add(maxYield); ; {
		now := time.Now()
		d := b.takeSpare(now)
		switch {
		case d <= 0:
			return ctx.Err()
		case !now.Before(until):
			return b.wait(ctx)
		}
		if err := sleep(ctx, min(d, until.Sub(now))); err != nil {
			return err
		}
	}
}

// takeSpare takes a token of a full bucket, which would take no more, and says how long it will be at
// least until it is one; 0 for it was taken.
func (b *bucket) takeSpare(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill(now)
	d := max(0, b.paused.Sub(now))
	if lacks := b.burst - b.tokens; lacks > 0 {
		return d + max(time.Duration(lacks/b.rate*float64(time.Second)), time.Millisecond)
	}
	if d <= 0 {
		b.tokens--
	}
	return d
}
