package jobs

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/transport"
)

// Pacer is what a Gateway may implement to say how fast requests may leave. While it holds
// them back the engine begins no more than can leave soon, so that no workers are filled
// with polls that wait.
type Pacer interface {
	Pace() transport.PaceState
}

// maxQueueing is how long a request that was begun may wait for its turn.
const maxQueueing = 250 * time.Millisecond

// stops are the pauses that hold for this engine.
type stops struct {
	all   bool
	hosts []string // sorted
}

func stopsOf(all []Pause) (s stops) {
	for _, p := range all {
		if p.Host == "" {
			s.all = true
		} else {
			s.hosts = append(s.hosts, p.Host)
		}
	}
	slices.Sort(s.hosts)
	return s
}

func (s stops) host(h string) bool { return h != "" && slices.Contains(s.hosts, h) }

// over reports whether a pause of s is none of the next ones.
func (s stops) over(next stops) bool {
	return s.all && !next.all || slices.ContainsFunc(s.hosts, func(h string) bool { return !next.host(h) })
}

func (s stops) same(o stops) bool { return s.all == o.all && slices.Equal(s.hosts, o.hosts) }

// SetPaused implements Keeper.
func (e *Engine) SetPaused(ctx context.Context, id string, on bool) error {
	_, err := e.say(ctx, id, func(j *Job) (string, error) {
		if err := e.foreign(j); err != nil && !on && j.State == Planned {
			return "", err
		}
		if on == j.Paused {
			return "", nil
		}
		if err := Allowed(ActPause, j); err != nil && on {
			return "", err
		}
		j.Paused = on
		if on {
			return "paused", nil
		}
		return "resumed", nil
	})
	return err
}

// SetPause implements Keeper.
func (e *Engine) SetPause(ctx context.Context, host string, on bool) error {
	host = strings.ToLower(strings.TrimSpace(host))
	if err := CheckHost(host); err != nil {
		return err
	}
	if err := e.o.Store.SetPause(ctx, Pause{Profile: e.o.Profile, Host: host, At: e.now()}, on); err != nil {
		return fmt.Errorf("the pause could not be written: %w", err)
	}
	e.mu.Lock()
	e.repause = true
	e.mu.Unlock()
	e.poke()
	return nil
}

// CheckHost says what is wrong with the host of a pause; "" is that of everything.
func CheckHost(host string) error {
	if host == "" {
		return nil
	}
	u, err := url.Parse("//" + host)
	if err != nil || u.Host != host || u.Hostname() == "" {
		return fmt.Errorf("host %q: a host name is needed, with its port where there is one, as cdn.example.com", client.CleanLine(host))
	}
	return nil
}

// Pauses implements Keeper.
func (e *Engine) Pauses(ctx context.Context) ([]Pause, error) {
	return e.o.Store.Pauses(ctx, e.o.Profile)
}

// takeRepause reports whether pauses were changed here.
func (e *Engine) takeRepause() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.repause
	e.repause = false
	return r
}

func (e *Engine) stopped() stops {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stops
}

// mayFetch reports whether the next file of a job may be begun.
func (w *worker) mayFetch(index int) bool {
	s := w.e.stopped()
	if s.all || s.host(assetHost(jobAsset(w.work.Job.Assets, index), w.e.o.Host)) {
		return false
	}
	h := w.e.board.at(w.work.Job.ID)
	return h == nil || !h.paused
}

// blocked reports whether a pause keeps an entry from being worked on.
func (l *loop) blocked(en *entry) bool {
	if en.job.paused || l.stops.all {
		return true
	}
	if len(l.stops.hosts) == 0 {
		return false
	}
	return l.stops.host(nextHost(en.job.state, en.job.files(), en.job.assets(), l.e.o.Host))
}

// readPauses takes over the pauses as the history has them. When one has ended, what fell
// due meanwhile is spread.
func (l *loop) readPauses(now time.Time) bool {
	list, err := l.e.o.Store.Pauses(l.ctx, l.e.o.Profile)
	if err != nil {
		return false
	}
	next := stopsOf(list)
	if l.stops.same(next) {
		return true
	}
	over := l.stops.over(next)
	l.stops = next
	l.e.mu.Lock()
	l.e.stops = next
	l.e.mu.Unlock()
	l.e.board.flows(func(f *Flow) { f.Paused, f.Hosts = next.all, strings.Join(next.hosts, " ") })
	if over {
		l.spread(now, l.e.o.MaxPolls)
	}
	return true
}

// flows changes what readers see of the flow.
func (b *board) flows(change func(*Flow)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.flow
	if change(&b.flow); b.flow != before {
		b.signal()
	}
}

// allowance is how many requests to the gateway may begin now. Where they are fewer than
// there is room for, it notes when to look again.
func (l *loop) allowance(now time.Time) int {
	l.held = time.Time{}
	p, ok := l.e.o.Gateway.(Pacer)
	if !ok {
		return maxRoom
	}
	st := p.Pace()
	until := time.Time{}
	if !st.Until.IsZero() {
		// The pace is told in real time, due times are those of Options.Clock.
		until = now.Add(time.Until(st.Until)).Truncate(time.Second).Add(time.Second)
	}
	l.e.board.flows(func(f *Flow) {
		if d := until.Sub(f.Until); until.IsZero() && f.Until.After(now) || d > time.Second || d < -time.Second && !until.IsZero() {
			f.Until = until
		}
	})
	if st.Rate <= 0 {
		return maxRoom
	}
	if st.Wait > maxQueueing || st.Free < 1 {
		l.held = now.Add(max(st.Wait, Tick))
	}
	if !st.Until.IsZero() {
		return 0
	}
	return max(0, int(st.Free+st.Rate*maxQueueing.Seconds()))
}

// maxRoom stands for no limit.
const maxRoom = 1 << 30
