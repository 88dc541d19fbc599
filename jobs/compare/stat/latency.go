package stat

import (
	"math"
	"slices"
	"time"

	"darkroom/jobs/compare"
)

// seen is a latency of one trial, in nanoseconds, as far as it is known; most of an open one is +Inf.
type seen struct{ least, most float64 }

func (s seen) open() bool { return math.IsInf(s.most, 1) }

// look reads an interval; whatever a file says, least is at least 0 and at most most.
func look(i compare.Interval) (seen, bool) {
	s := seen{float64(max(0, i.Least)), float64(max(0, i.Least, i.Most))}
	if i.Open {
		s.most = math.Inf(1)
	}
	return s, i.Known()
}

// own returns a latency by our clock, and the source that goes with it.
func own(t *compare.Trial, m Metric) compare.Interval {
	l := &t.Latency
	switch m {
	case Create:
		return l.Create
	case Queue:
		return l.Queue
	case Run:
		return l.Run
	case Total:
		return l.Total
	case Download:
		return l.Download
	default:
		return compare.Interval{}
	}
}

// stamped returns a latency by the gateway's stamps. Of a task that timed out nothing stamps the end:
// what the polls say then, that it took at least so long, holds for the gateway's clock, too.
func stamped(t *compare.Trial, m Metric) compare.Interval {
	var i compare.Interval
	switch m {
	case Queue:
		i = t.Latency.GatewayQueue
	case Run:
		i = t.Latency.GatewayRun
	case Total:
		i = t.Latency.GatewayTotal
	default:
		return i
	}
	if mine := own(t, m); !i.Known() && t.TimedOut && mine.Open {
		return mine
	}
	return i
}

// clocks is what is known of the trials of one block in one metric, by repeat.
type clocks struct {
	own, stamped []seen
	known        int  // trials of which either is known
	measured     bool // all of own are around one request
}

// timed collects the latencies of trials that completed or timed out.
func timed(trials []*compare.Trial, m Metric) *clocks {
	c := &clocks{measured: true}
	for _, t := range trials {
		if !t.OK() && !t.TimedOut {
			continue
		}
		mine := own(t, m)
		x, ok := look(mine)
		if ok {
			c.own = append(c.own, x)
			c.measured = c.measured && mine.Source == compare.Measured
		}
		y, stamps := look(stamped(t, m))
		if stamps {
			c.stamped = append(c.stamped, y)
		}
		if ok || stamps {
			c.known++
		}
	}
	return c
}

// source names our own clock.
func (c *clocks) source() compare.Source {
	if c.measured {
		return compare.Measured
	}
	return compare.Polled
}

// stamps reports whether any of the stamps is the gateway's own.
func stamps(trials []*compare.Trial, m Metric) bool {
	return slices.ContainsFunc(trials, func(t *compare.Trial) bool {
		return (t.OK() || t.TimedOut) && stamped(t, m).Source == compare.Stamped
	})
}

// widths sums up how far the bounds of latencies lie apart, of those that have both.
func widths(all []seen) (sum float64, n int) {
	for _, s := range all {
		if !s.open() {
			sum, n = sum+s.most-s.least, n+1
		}
	}
	return sum, n
}

// timesOf summarises latencies.
func timesOf(m Metric, source compare.Source, all []seen) Times {
	sum, n := widths(all)
	out := Times{Metric: m, Source: source, N: len(all), Median: median(all), Within: time.Duration(sum / float64(max(1, n)))}
	for _, s := range all {
		if s.open() {
			out.Censored++
		}
	}
	if len(all) >= few {
		low, high := ordered(all)
		at := rank95(len(all)) - 1
		e := estimate(low[at], high[at], low[at], high[at])
		out.P95 = &e
	}
	return out
}

// ordered returns both ends, each in order: the true values in order lie between them place by place.
func ordered(all []seen) (low, high []float64) {
	low, high = make([]float64, len(all)), make([]float64, len(all))
	for i, s := range all {
		low[i], high[i] = s.least, s.most
	}
	slices.Sort(low)
	slices.Sort(high)
	return low, high
}

func median(all []seen) Estimate {
	if len(all) == 0 {
		return Estimate{}
	}
	low, high := ordered(all)
	k, coverage := MedianRanks(len(all))
	e := estimate(middle(low), middle(high), low[k-1], high[len(high)-k])
	e.Coverage = coverage
	return e
}

// estimate is a value from low to high with an interval.
func estimate(low, high, least, most float64) Estimate {
	e := Estimate{Least: duration(least)}
	if e.MoreThan = math.IsInf(high, 1); e.MoreThan {
		e.Value = duration(low)
	} else {
		e.Value = duration(low/2 + high/2)
	}
	if e.Open = math.IsInf(most, 1); !e.Open {
		e.Most = duration(most)
	}
	return e
}

// duration is the nearest one to nanoseconds, however many.
func duration(ns float64) time.Duration {
	switch {
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case ns <= -math.MaxInt64:
		return -math.MaxInt64
	default:
		return time.Duration(math.Round(ns))
	}
}
