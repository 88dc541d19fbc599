package jobs

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"darkroom/client"
)

// HoldKind says what kind of pause it is.
type HoldKind string

// Kinds of pauses.
const (
	HoldJob  HoldKind = "job"  // the job itself; see [Keeper.SetPaused]
	HoldAll  HoldKind = "all"  // everything of the profile; see [Keeper.SetPause]
	HoldHost HoldKind = "host" // all that goes to one host
	// HoldFiles is no pause: the job names local files of another installation, which sends it,
	// unless a person here does; see [Engine.SendFiles].
	HoldFiles HoldKind = "files"
	// HoldReadOnly is no pause either: this process may send nothing; see [Options.ReadOnly].
	HoldReadOnly HoldKind = "read-only"
)

// Hold is a pause that keeps a job's work from beginning.
type Hold struct {
	Kind HoldKind `json:"kind"`
	Host string   `json:"host,omitempty"` // of HoldHost, as [Keeper.SetPause] takes it
}

// Holds lists what keeps the next work on a job from beginning: that nothing may be sent from
// here, and the pauses that keep the next work on a job from beginning: its own, that of
// everything, and that of the host that the work goes to. All of them have to end. There are none
// if nothing is left to do for the job, or while its create waits for the answer. Gateway is
// [Options.Host].
func (f Flow) Holds(j Job, gateway string) []Hold {
	if Settled(j) || j.State == Submitting {
		return nil
	}
	var out []Hold
	if f.ReadOnly != "" && j.State == Planned {
		out = append(out, Hold{Kind: HoldReadOnly})
	}
	switch {
	case j.Foreign && j.State == Planned:
		out = append(out, Hold{Kind: HoldFiles})
	case j.Paused:
		out = append(out, Hold{Kind: HoldJob})
	}
	if f.Paused {
		out = append(out, Hold{Kind: HoldAll})
	}
	if h := NextHost(j, gateway); f.PausedHost(h) {
		out = append(out, Hold{Kind: HoldHost, Host: h})
	}
	return out
}

// PausedHost reports whether a host is paused.
func (f Flow) PausedHost(host string) bool {
	for h := range strings.FieldsSeq(f.Hosts) {
		if h == host {
			return true
		}
	}
	return false
}

// FlowOf is the flow that the pauses of one profile make.
func FlowOf(all []Pause) Flow {
	s := stopsOf(all)
	return Flow{Paused: s.all, Hosts: strings.Join(s.hosts, " ")}
}

// NextHost is where the next work on a job goes: the host of the first file still to be fetched,
// else the gateway.
func NextHost(j Job, gateway string) string {
	return nextHost(j.State, j.Files, j.Assets, gateway)
}

func nextHost(s State, files []File, assets []client.Asset, gateway string) string {
	if !s.Active() {
		for _, f := range files {
			if f.State == FileWanted || f.State == FileFetching {
				return assetHost(jobAsset(assets, f.Index), gateway)
			}
		}
	}
	return gateway
}

// assetHost is where an asset is fetched from.
func assetHost(a client.Asset, gateway string) string {
	if u, err := url.Parse(a.URL); err == nil && u.Host != "" {
		return strings.ToLower(u.Host)
	}
	return gateway
}

// stops are the pauses in force for this engine.
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

// over reports whether a pause of s is missing from next, and so has ended.
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
	e.inbox.put(func() { e.inbox.repause = true })
	return nil
}

// CheckHost says what is wrong with the host of a pause; "" as a host means everything.
func CheckHost(host string) error {
	if host == "" {
		return nil
	}
	u, err := url.Parse("//" + host)
	if err != nil || u.Host != host || u.Hostname() == "" {
		return fmt.Errorf("host %q: give a host name, with its port if it has one, as cdn.example.com", client.CleanLine(host))
	}
	return nil
}

// Pauses implements Keeper.
func (e *Engine) Pauses(ctx context.Context) ([]Pause, error) {
	return e.o.Store.Pauses(ctx, e.o.Profile)
}

// mayFetch reports whether the next file of a job may be begun.
func (w *worker) mayFetch(index int) bool {
	s := w.e.stops.Load()
	if s.all || s.host(assetHost(jobAsset(w.work.Job.Assets, index), w.e.o.Host)) {
		return false
	}
	h := w.e.board.at(w.work.Job.ID)
	return h == nil || !h.paused
}

// blocked reports whether a pause keeps an entry from being worked on.
func (l *loop) blocked(en *entry) bool {
	if en.job.paused || l.stops.all || en.kind == kindCreate && l.e.o.ReadOnly != "" {
		return true
	}
	if len(l.stops.hosts) == 0 {
		return false
	}
	return l.stops.host(nextHost(en.job.state, en.job.files(), en.job.assets(), l.e.o.Host))
}

// readPauses takes over the pauses as the history has them. If one has ended, work that fell due
// meanwhile is spread.
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
	l.e.stops.Store(&next)
	l.e.board.flows(func(f *Flow) { f.Paused, f.Hosts = next.all, strings.Join(next.hosts, " ") })
	if over {
		l.spread(now, l.e.o.MaxPolls)
	}
	return true
}

// noteUnreached begins the note of a create that is held because the gateway could not be reached.
const noteUnreached = "the gateway could not be reached: "

// Unreached reports whether a create never left this machine, though that was tried for a while,
// and has been paused since. Only a person's resume sends it: nothing is sent at a time when
// nobody thinks of it any more.
func Unreached(j Job) bool {
	return j.State == Planned && j.Paused && strings.HasPrefix(j.Note, noteUnreached)
}

// hold pauses the job of a create that did not reach the gateway. If that cannot be written, the
// create is tried again as planned.
func (w *worker) hold(ctx context.Context) {
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	_, _ = w.e.tell(sctx, w.work.Job.ID, EventPlanned, func(j *Job) (string, error) {
		if j.State != Planned {
			return "", errSame // a person was faster
		}
		j.Paused = true
		return "paused by itself, until somebody resumes it: the gateway could not be reached", nil
	})
}
