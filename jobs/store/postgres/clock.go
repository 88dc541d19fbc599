package postgres

import (
	"context"
	"sync"
	"time"
)

const (
	// skewIgnored is how far this machine's clock may be off before times are converted: far less
	// than a lease. Within it times come back as they went, to the millisecond.
	skewIgnored = 250 * time.Millisecond
	// skewEvery is how often the server's clock is asked for, and skewSlow the longest
	// answer that says enough about it.
	skewEvery = time.Minute
	skewSlow  = 2 * time.Second
)

// skew is how far the server's clock is ahead of this machine's. Leases, due times and all
// other times are kept by the server's clock, since those of the machines that share a
// history differ; the contract's times are the caller's.
type skew struct {
	wall func() time.Time // this machine's clock

	mu      sync.Mutex
	ahead   time.Duration
	asked   time.Time     // with its monotonic part
	between time.Duration // wall minus monotonic time at that moment
}

// stale reports whether the server is to be asked anew: after a while, and when this
// machine's clock was set or slept.
func (k *skew) stale(now time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.asked.IsZero() {
		return true
	}
	mono := now.Sub(k.asked)
	jump := k.wall().Round(0).Sub(k.asked.Round(0)) - mono
	return mono >= skewEvery || (jump-k.between).Abs() >= skewIgnored
}

// learn takes in the server's time, asked for at sent and answered at got.
func (k *skew) learn(server, sent, got time.Time) {
	took := got.Sub(sent)
	if took > skewSlow {
		return
	}
	local := k.wall().Round(0).Add(-took / 2)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked, k.between = got, k.wall().Round(0).Sub(got.Round(0))
	now := server.Sub(local)
	// When the server looked at its clock is known to half of what the answer took: on a busy machine
	// that must not look as if a clock were off, or a time would come back as another one.
	slack := skewIgnored + took/2
	switch {
	case now.Abs() < slack:
		k.ahead = 0
	case (now - k.ahead).Abs() >= slack:
		k.ahead = now.Truncate(time.Millisecond)
	}
}

func (k *skew) get() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ahead
}

// millis converts a time of the caller's to the server's clock, 0 for none.
func (k *skew) millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Add(k.get()).UnixMilli()
}

// time converts a time of the server's to the caller's clock.
func (k *skew) time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).Add(-k.get())
}

// sync asks for the server's clock when that is due. If it fails, so will the next statement.
func (s *Store) sync(ctx context.Context) error {
	if !s.skew.stale(time.Now()) {
		return nil
	}
	return s.again(ctx, func() error {
		sent := time.Now()
		var ms int64
		err := s.pool.QueryRow(ctx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").Scan(&ms)
		if err == nil {
			s.skew.learn(time.UnixMilli(ms), sent, time.Now())
		}
		return err
	})
}
