package script

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"darkroom/client/text"
)

// Pace is what rules say of how long tasks take, beside slow. The zero value says nothing.
type Pace struct {
	// Queue and Run are how long the phases take, in place of the timing's figures.
	Queue *time.Duration `json:"queue,omitempty"`
	Run   *time.Duration `json:"run,omitempty"`
	// Spread is by how much the phases of equal requests differ: 0.3 is up to 1.3 times as long or
	// as short.
	Spread *float64 `json:"spread,omitempty"`
	Drift  []Drift  `json:"drift,omitempty"`

	// QueueBy and RunBy are the factors that a [Course] made of spread and drift, 0 for none.
	QueueBy float64 `json:"queue_by,omitempty"`
	RunBy   float64 `json:"run_by,omitempty"`
}

// Drift makes phases longer as a server goes on: by a factor for each so many tasks, or for each so
// much time.
type Drift struct {
	By    float64       `json:"by"`
	Tasks int           `json:"tasks,omitempty"`
	Every time.Duration `json:"every,omitempty"`
	// of is the pattern of the models whose tasks are counted, "" for all.
	of string
}

const (
	phaseMax  = 24 * 3600 // seconds, of take
	spreadMax = 10
	driftMax  = 1000 // a drift makes no phase longer, or shorter, than by this factor
)

// Own reports whether the rules decide how equal tasks differ in time, so that nothing else may.
func (p Pace) Own() bool { return p.Queue != nil || p.Run != nil || p.Spread != nil }

// Phases returns how long the two phases of a task take, of which the timing says so much.
func (p Pace) Phases(queue, run time.Duration) (time.Duration, time.Duration) {
	if p.Queue != nil {
		queue = *p.Queue
	}
	if p.Run != nil {
		run = *p.Run
	}
	return times(queue, p.QueueBy), times(run, p.RunBy)
}

func times(d time.Duration, by float64) time.Duration {
	if by == 0 {
		return d
	}
	return time.Duration(float64(d) * by)
}

// with adds what another script says; it wins, but that drifts add up.
func (p Pace) with(o Pace) Pace {
	if o.Queue != nil {
		p.Queue = o.Queue
	}
	if o.Run != nil {
		p.Run = o.Run
	}
	if o.Spread != nil {
		p.Spread = o.Spread
	}
	p.Drift = append(p.Drift[:len(p.Drift):len(p.Drift)], o.Drift...)
	return p
}

// applyPace applies a directive about how long tasks take. ok is false for other directives.
func (sc *Script) applyPace(d directive, where place) (ok bool, err error) {
	p := &sc.Pace
	switch d.name {
	case "take":
		if len(d.args) == 0 {
			return true, fmt.Errorf("sandbox directive take: say how long, in seconds: queue=1 run=20")
		}
		if p.Queue, err = d.seconds("queue", p.Queue); err != nil {
			return true, err
		}
		if p.Run, err = d.seconds("run", p.Run); err != nil {
			return true, err
		}
		return true, d.only("queue", "run")
	case "spread":
		by := 0.3
		p.Spread = &by
		if err := d.float("by", 0, spreadMax, &by); err != nil {
			return true, err
		}
		return true, d.only("by")
	case "drift":
		if !where.drift {
			return true, fmt.Errorf("sandbox directive drift: it is for the options of the server, since it is about all its tasks")
		}
		return true, sc.applyDrift(d)
	default:
		return false, nil
	}
}

func (sc *Script) applyDrift(d directive) error {
	r := Drift{By: 2}
	if err := d.float("by", 0.1, 10, &r.By); err != nil {
		return err
	}
	_, tasks := d.args["tasks"]
	_, hours := d.args["hours"]
	if tasks == hours {
		return fmt.Errorf("sandbox directive drift: say for each how many tasks, or hours: by=1.5 tasks=100, or by=1.5 hours=1")
	}
	if err := d.count("tasks", 1, 1_000_000, &r.Tasks); err != nil {
		return err
	}
	every := 0.0
	if err := d.float("hours", 0.001, 10_000, &every); err != nil {
		return err
	}
	r.Every = time.Duration(every * float64(time.Hour))
	sc.Pace.Drift = append(sc.Pace.Drift, r)
	return d.only("by", "tasks", "hours")
}

// factor is what a drift has come to after so many tasks and so much time.
func (r Drift) factor(tasks int, since time.Duration) float64 {
	n := 0.0
	if r.Tasks > 0 {
		n = float64(tasks) / float64(r.Tasks)
	}
	if r.Every > 0 {
		n = max(0, since.Seconds()/r.Every.Seconds())
	}
	return max(1.0/driftMax, min(driftMax, math.Pow(r.By, n)))
}

// seconds reads an argument that is a time in seconds; old where it is not given.
func (d directive) seconds(key string, old *time.Duration) (*time.Duration, error) {
	if _, ok := d.args[key]; !ok {
		return old, nil
	}
	n := 0.0
	if err := d.float(key, 0, phaseMax, &n); err != nil {
		return old, err
	}
	out := time.Duration(n * float64(time.Second))
	return &out, nil
}

// float reads an argument that is a number within a range, if it is given.
func (d directive) float(key string, lo, hi float64, to *float64) error {
	t, ok := d.args[key]
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(t, 64)
	if err != nil || !(n >= lo && n <= hi) {
		return fmt.Errorf("sandbox directive %s: %s=%s: a number from %v to %v", text.Clip(d.name, 40), key, text.Clip(t, 40), lo, hi)
	}
	*to = n
	return nil
}
