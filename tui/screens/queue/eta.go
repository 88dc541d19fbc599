package queue

import (
	"fmt"
	"time"

	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// slowMark stands behind the state of a job that takes longer than 95 of 100 did.
const slowMark = "slow"

// leftWidth is the room that is kept for what is left, so that the columns stay where they
// are while it shrinks.
const leftWidth = len("~1 m 20 s")

// shareFrom is the width of the screen from which there is room for the share too.
const shareFrom = 50

// forecast is what earlier tasks of a job's kind tell of how it goes on.
type forecast struct {
	plan *jobs.Plan // nil for nothing
	age  time.Duration
	left time.Duration
	told bool // left is known
	slow bool
}

// forecast is empty for a job that does not go on, or whose end would not be seen.
func (m *Model) forecast(j *jobs.Job, now time.Time) (f forecast) {
	parked := j.State == jobs.Unknown && j.NextPollAt.IsZero()
	if m.deps.PlanOf == nil || !j.State.Polled() || parked || j.AcceptedAt.IsZero() || len(m.holds(j)) > 0 {
		return f
	}
	if f.plan = m.deps.PlanOf(j); f.plan == nil {
		return f
	}
	f.age = j.Age(now)
	f.left, f.told = f.plan.Left(f.age)
	f.slow = f.plan.Slow(f.age)
	return f
}

// next is how long what is said of it stays true, 0 for always.
func (f *forecast) next() time.Duration {
	if f.plan == nil || f.slow && !f.told {
		return 0
	}
	d := f.plan.NextStep(f.age)
	if f.told {
		d = earlier(d, format.LeftChange(f.left))
	}
	return d
}

// earlier is the shorter of two times of which 0 means never.
func earlier(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// stateCell is the text of a job's state in the table, the width to keep for it, and
// whether the job is slow. What is left takes the place of the state's word, which the
// sign tells too.
func (m *Model) stateCell(j *jobs.Job, now time.Time) (text string, width int, slow bool) {
	text = shortState(j)
	f := m.forecast(j, now)
	share := ""
	if p, ok := j.Done(); ok && m.w >= shareFrom {
		share = format.Percent(p) + " "
	}
	switch {
	case f.slow && share != "":
		text = share + slowMark
	case f.slow:
		text = string(j.State) + " " + slowMark
	case f.told:
		width = widgets.Width(share) + leftWidth
		text = share + "~" + format.Left(f.left)
	}
	return text, max(width, widgets.Width(text)), f.slow
}

// forecastFacts tell in the detail what is left, and what is usual.
func (m *Model) forecastFacts(s *sheet, j *jobs.Job) {
	f := m.forecast(j, m.deps.Now())
	if f.plan == nil {
		return
	}
	if f.slow {
		s.paint("Slow", "takes longer than 95 of 100 such tasks did", m.ink.warn)
	}
	if f.told {
		s.add("Left", "about "+format.Left(f.left))
	}
	s.add("Usual", fmt.Sprintf("%s, 95 of 100 within %s (the last %s tasks)",
		format.Dur(f.plan.Median()), format.Dur(f.plan.P95()), format.Count(f.plan.Tasks())))
}

// nextForecast is how long what is said in sight of the time that is left stays true, 0
// for always.
func (m *Model) nextForecast(now time.Time) time.Duration {
	if m.hidden {
		return 0
	}
	var soonest time.Duration
	if m.tableShows() {
		first, n := m.sight()
		for i := first; i < min(m.jobs.len(), first+n); i++ {
			f := m.forecast(m.jobs.at(i), now)
			soonest = earlier(soonest, f.next())
		}
	}
	if j := m.job(); j != nil && m.tellsForecast() {
		f := m.forecast(j, now)
		soonest = earlier(soonest, f.next())
	}
	return soonest
}

// tellsForecast reports whether the detail shows what is left of the job.
func (m *Model) tellsForecast() bool { return m.detailShows() && m.section == facts }
