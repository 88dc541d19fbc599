package jobs

import (
	"math"
	"net/url"
	"strings"

	"darkroom/client"
)

// HoldKind says what a pause is of.
type HoldKind string

// Kinds of pauses.
const (
	HoldJob  HoldKind = "job"  // the job itself; see [Keeper.SetPaused]
	HoldAll  HoldKind = "all"  // everything of the profile; see [Keeper.SetPause]
	HoldHost HoldKind = "host" // all that goes to one host
	// HoldFiles is no pause: it names local files of another installation, which sends it, or
	// a person here; see [Engine.SendFiles].
	HoldFiles HoldKind = "files"
)

// Hold is a pause that keeps a job's work from beginning.
type Hold struct {
	Kind HoldKind `json:"kind"`
	Host string   `json:"host,omitempty"` // of HoldHost, as [Keeper.SetPause] takes it
}

// Holds lists the pauses that keep the next work on a job from beginning: its own, that of
// everything, and that of the host that the work goes to. Each of them has to end. None for a
// job that nothing is left to do for, and while its create waits for the answer. Gateway is
// [Options.Host].
func (f Flow) Holds(j Job, gateway string) []Hold {
	if Settled(j) || j.State == Submitting {
		return nil
	}
	var out []Hold
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

// PausedHost reports whether nothing goes to a host.
func (f Flow) PausedHost(host string) bool {
	for h := range strings.FieldsSeq(f.Hosts) {
		if h == host {
			return true
		}
	}
	return false
}

// FlowOf is the flow that pauses of one profile make.
func FlowOf(all []Pause) Flow {
	s := stopsOf(all)
	return Flow{Paused: s.all, Hosts: strings.Join(s.hosts, " ")}
}

// NextHost is where the next work on a job goes: while files are to be fetched the host of
// the first of them, else the gateway.
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
