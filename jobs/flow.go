package jobs

import (
	"math"
	"time"

	"darkroom/client/transport"
	"darkroom/jobs/schedule"
)

// Counts are numbers for the title bar, over the whole history of a profile.
type Counts struct {
	Running   int `json:"running"` // being sent, running, or in a state nobody listed
	Queued    int `json:"queued"`  // waiting, here or at the gateway
	Failed    int `json:"failed"`  // failed, refused and lost since the console started
	Ambiguous int `json:"ambiguous"`
	// Flow says what holds up the work of this engine alone.
	Flow Flow `json:"flow,omitzero"`
}

// Flow is what keeps an engine from working: pauses by a person or by the gateway, or a history
// that is away.
type Flow struct {
	// Paused: nothing is sent, polled or fetched; a person paused the profile.
	Paused bool `json:"paused,omitempty"`
	// Hosts are those to which nothing goes, separated by blanks; "" for none.
	Hosts string `json:"hosts,omitempty"`
	// ReadOnly is what makes the gateway read-only here, see [Options.ReadOnly].
	ReadOnly string `json:"read_only,omitempty"`
	// Until is the end of a pause that the gateway asked for; zero for none. It may have passed.
	Until time.Time `json:"until,omitzero"`
	// Away is since when the history cannot be read or written, as when its server is away;
	// zero while it can. The engine keeps trying. Why is the error, to be cleaned before showing.
	Away time.Time `json:"away,omitzero"`
	Why  string    `json:"why,omitempty"`
	// Rate is how many requests a second may go to the gateway while it has slowed us down; 0
	// otherwise.
	Rate float64 `json:"rate,omitempty"`
}

// MayCreate says why no create is sent from here, a [*transport.ReadOnlyError]; nil where it is.
func (f Flow) MayCreate() error {
	if f.ReadOnly == "" {
		return nil
	}
	return &transport.ReadOnlyError{By: f.ReadOnly}
}

// Pacer is what a Gateway may implement to say how fast requests may leave. While it holds them
// back the engine begins only as many as can leave soon, so that waiting polls do not occupy the
// workers.
type Pacer interface {
	Pace() transport.PaceState
}

// maxQueueing is how long a request that was begun may wait for its turn.
const maxQueueing = 250 * time.Millisecond

// flows changes what readers see of the flow.
func (b *board) flows(change func(*Flow)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.flow
	if change(&b.flow); b.flow != before {
		b.signal()
	}
}

// allowance is how many requests to the gateway may begin now. If that is less than there is room
// for, it notes when to look again.
func (l *loop) allowance(now time.Time) int {
	l.pacedUntil = time.Time{}
	p, ok := l.e.o.Gateway.(Pacer)
	if !ok {
		return maxRoom
	}
	st := p.Pace()
	l.tighten(now, st)
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
		l.pacedUntil = now.Add(max(st.Wait, schedule.Tick))
	}
	if !st.Until.IsZero() {
		return 0
	}
	return max(0, int(st.Free+st.Rate*maxQueueing.Seconds()))
}

// tightenEvery is how often the jobs of runs are counted that share the pace.
const tightenEvery = time.Second

// tighten tells the schedule of runs what room there is for it.
func (l *loop) tighten(now time.Time, st transport.PaceState) {
	if d := now.Sub(l.tightened); d >= 0 && d < tightenEvery {
		return
	}
	l.tightened = now
	tasks := 0
	for _, en := range l.live {
		if en.kind == kindPoll && en.job.run != "" && !en.job.paused {
			tasks++
		}
	}
	l.e.tight.Paced(now, tasks, st.Rate, st.Top)
}

// maxRoom stands for no limit.
const maxRoom = 1 << 30

// slowedBelow is the part of the usual rate below which an engine counts as slowed.
const slowedBelow = 0.95

// slowed is how many requests a second may leave, while that is fewer than usual; else 0. It
// is rounded, so that readers see no change where a person would see none.
func (e *Engine) slowed() float64 {
	p, ok := e.o.Gateway.(Pacer)
	if !ok {
		return 0
	}
	st := p.Pace()
	switch {
	case st.Rate <= 0 || st.Rate >= slowedBelow*st.Top:
		return 0
	case st.Rate < 10:
		return math.Ceil(st.Rate*10) / 10
	default:
		return math.Round(st.Rate)
	}
}

// unread and unwritten take in the outcome of reading the history and of renewing the beat in it;
// nil means success. Readers see the first failure until all is well again.
func (l *loop) unread(now time.Time, err error)    { l.reach(now, &l.readErr, err) }
func (l *loop) unwritten(now time.Time, err error) { l.reach(now, &l.beatErr, err) }

func (l *loop) reach(now time.Time, part *error, err error) {
	if l.ctx.Err() != nil || *part == nil && err == nil {
		return // at the end everything fails
	}
	*part = err
	why := l.beatErr
	if why == nil {
		why = l.readErr
	}
	if why != nil {
		l.nextLook = earlier(l.nextLook, now.Add(l.e.o.Look))
	}
	l.e.board.flows(func(f *Flow) {
		switch {
		case why == nil:
			f.Away, f.Why = time.Time{}, ""
		case f.Away.IsZero():
			f.Away, f.Why = now, why.Error()
		}
	})
}

// begun starts the loop; with Options.Patient it keeps trying.
func (l *loop) begun() error {
	for {
		err := l.start()
		if err == nil || !l.e.o.Patient || l.ctx.Err() != nil {
			l.unread(l.e.now(), err)
			return err
		}
		l.unread(l.e.now(), err)
		again := time.NewTimer(l.e.o.Look)
		select {
		case <-again.C:
		case <-l.ctx.Done():
			again.Stop()
			return nil
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
