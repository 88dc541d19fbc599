package app

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/tui/paint"
)

// Jobs that end within alertWait of one another share an alert; alerts are at least alertEvery
// apart.
const (
	alertWait  = time.Second
	alertEvery = 5 * time.Second
	alertText  = 80 // characters of a job's own text
)

// alertTick comes when an alert about ended jobs is due.
type alertTick struct{}

// alerts notify a person who is looking elsewhere of jobs that have ended.
type alerts struct {
	notify  func(title, text string) tea.Cmd // nil does not
	taskbar func(percent int) tea.Cmd
	now     func() time.Time

	mine *watched  // nil without jobs
	away bool      // the terminal reported that it lost the focus ...
	from time.Time // ... and when
	seq  uint64    // the changes that were looked through

	good, bad, unclear int       // ended since the last alert
	one                string    // about the first of them
	due                bool      // an alertTick is on its way
	last               time.Time // of the last alert

	most  int // the most jobs under way at a time since there was none
	shown int // what the taskbar shows, as paint has it; 0 is TaskbarNone until it was set
}

// lookAway records whether the terminal has the focus. Jobs that ended before it lost the focus
// have been seen, and so have those that ended meanwhile, now that it is back.
func (a *alerts) lookAway(away bool) {
	if a.away = away; !away {
		a.clear()
		return
	}
	a.from = a.now().Truncate(time.Millisecond) // as times of jobs are
	if a.mine != nil {
		_, a.seq = a.mine.Changes(math.MaxUint64 - 1)
	}
}

func (a *alerts) clear() { a.good, a.bad, a.unclear, a.one = 0, 0, 0, "" }

// news looks for jobs that have ended while nobody is looking.
func (a *alerts) news() tea.Cmd {
	if a.notify == nil || a.mine == nil || !a.away || !a.mine.some() {
		return nil
	}
	changed, seq := a.mine.Changes(a.seq)
	a.seq = seq
	for i := range changed {
		if j := &changed[i]; !j.State.Active() && a.mine.ended(j.ID) && !endOf(j).Before(a.from) {
			a.take(j)
		}
	}
	if a.due || a.good+a.bad+a.unclear == 0 {
		return nil
	}
	a.due = true
	return tea.Tick(a.waits(), func(time.Time) tea.Msg { return alertTick{} })
}

// waits is the time until the next alert may come.
func (a *alerts) waits() time.Duration {
	return max(alertWait, a.last.Add(alertEvery).Sub(a.now()))
}

// endOf is when a job reached its present state.
func endOf(j *jobs.Job) time.Time {
	if j.EndedAt.IsZero() {
		return j.UpdatedAt
	}
	return j.EndedAt
}

// take counts an ended job; one that a person dropped is not news.
func (a *alerts) take(j *jobs.Job) {
	own := cmp.Or(j.Title, j.Draft.Prompt)
	switch j.State {
	case jobs.Completed:
		a.good++
	case jobs.Failed, jobs.Refused, jobs.Lost:
		a.bad++
		if j.Error != nil {
			own = cmp.Or(j.Error.Message, j.Error.Code, own)
		}
	case jobs.Ambiguous:
		a.unclear++
	default:
		return
	}
	if a.one == "" {
		a.one = client.CleanLine(j.Draft.Model + " " + string(j.State) + ": " + text.Clip(own, alertText))
	}
}

// tell sends the alert about ended jobs, unless somebody is looking by now.
func (a *alerts) tell() tea.Cmd {
	a.due = false
	n := a.good + a.bad + a.unclear
	if n == 0 || !a.away {
		return nil
	}
	text := a.one
	if n > 1 {
		text = a.sum()
	}
	a.clear()
	a.last = a.now()
	return a.notify("darkroom", text)
}

func (a *alerts) sum() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{a.good, "completed"}, {a.bad, "failed"}, {a.unclear, "ambiguous, for you to decide"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// showTaskbar updates the taskbar when the share of ended jobs has changed, among the jobs of the
// profile that were under way together. The progress of a single job is unknown.
func (a *alerts) showTaskbar(active int) tea.Cmd {
	if a.taskbar == nil {
		return nil
	}
	percent := paint.TaskbarBusy
	switch a.most = max(a.most, active); {
	case active == 0:
		a.most, percent = 0, paint.TaskbarNone
	case active < a.most:
		percent = max(1, 100*(a.most-active)/a.most)
	}
	if percent == a.shown || percent == paint.TaskbarNone && a.shown == 0 {
		return nil
	}
	a.shown = percent
	return a.taskbar(percent)
}
