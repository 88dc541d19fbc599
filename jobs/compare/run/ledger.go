package run

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// ledger is a run as its records tell it, read or written: what applies a record is the one place where
// a run changes.
type ledger struct {
	run     compare.Run
	files   map[string]planned // by path
	slots   map[compare.Slot]bool
	at      map[key]int // into run.Trials
	byJob   map[string]int
	last    map[compare.Slot]int // newest attempt
	more    []extra              // beside run.Trials
	whole   bool                 // the plan is
	stopped bool                 // nothing more is to be sent
	facts   []compare.Property
	factAt  map[compare.Property]int // into facts, from 1; nil until one is written
}

// extra is what a trial has besides.
type extra struct {
	saved []saved
	final bool // nothing more is to come of it
}

func newLedger() *ledger {
	return &ledger{
		files: map[string]planned{}, slots: map[compare.Slot]bool{}, at: map[key]int{},
		byJob: map[string]int{}, last: map[compare.Slot]int{},
	}
}

// Bounds of a run that is read: a file may be a stranger's.
const (
	maxCells    = 100_000
	maxSlots    = 500_000
	maxTrials   = 500_000
	maxAttempts = 1000
	maxFacts    = 1000 // of one trial
)

var (
	errOrder = errors.New("it is in the wrong place")
	errMuch  = errors.New("a run of this size is not read")
)

// apply takes in a record. An error says that it cannot be of this journal; the ledger may then be of
// no use.
func (l *ledger) apply(x *record) error {
	if x.Version != version {
		return fmt.Errorf("it is of version %d of the format, and this program reads %d", x.Version, version)
	}
	switch x.Kind {
	case kindRun, kindSuite, kindFiles, kindCell, kindOrder, kindPlanned:
		return l.plan(x)
	case kindTally:
		return nil
	}
	if !l.whole {
		return errOrder
	}
	switch x.Kind {
	case kindSend, kindJob, kindTrial:
		return l.trial(x)
	case kindFact:
		if x.Fact == nil || len(l.facts) == maxTrials {
			return errMuch
		}
		if l.facts = append(l.facts, *x.Fact); l.factAt != nil {
			l.factAt[*x.Fact] = len(l.facts)
		}
	case kindJudged:
		return l.judged(x)
	case kindStop:
		l.run.Status, l.stopped = compare.Stopped, true
	case kindResume:
		l.run.Status, l.stopped = compare.Open, false
		l.run.EndedAt, l.run.Checks, l.run.CellChecks = time.Time{}, nil, nil
	case kindEnd:
		if x.Status != compare.Ended && x.Status != compare.Stopped {
			return fmt.Errorf("%q is not an end of a run", client.CleanLine(string(x.Status)))
		}
		l.run.Status, l.run.EndedAt, l.run.Checks, l.run.CellChecks = x.Status, x.At, x.Checks, x.CellChecks
	default:
		return fmt.Errorf("this program knows no record of the kind %q", client.CleanLine(string(x.Kind)))
	}
	return nil
}

func (l *ledger) plan(x *record) error {
	if l.whole || (x.Kind == kindRun) != (l.run.ID == "") {
		return errOrder
	}
	switch x.Kind {
	case kindRun:
		if x.Run == nil || checkID(x.Run.ID) != nil {
			return errors.New("it names no run")
		}
		l.run = *x.Run
		l.run.Status, l.run.EndedAt = compare.Open, time.Time{}
		l.run.Cells, l.run.Order, l.run.Trials, l.run.Checks, l.run.CellChecks = nil, nil, nil, nil, nil
		if x.Cells < 0 || x.Cells > maxCells || x.Slots < 0 || x.Slots > maxSlots {
			return errMuch
		}
	case kindSuite:
		l.run.Suite = x.Suite
	case kindFiles:
		for _, f := range x.Files {
			l.files[f.Path] = f
		}
	case kindCell:
		if x.Cell == nil || x.Cell.Number != len(l.run.Cells)+1 {
			return fmt.Errorf("cell %d is missing", len(l.run.Cells)+1)
		}
		if len(l.run.Cells) == maxCells {
			return errMuch
		}
		l.run.Cells = append(l.run.Cells, *x.Cell)
	case kindOrder:
		return l.order(x.Order)
	default:
		return l.planned(x)
	}
	return nil
}

// planned ends the plan: all of it must be there.
func (l *ledger) planned(x *record) error {
	if x.Cells != len(l.run.Cells) || x.Slots != len(l.run.Order) {
		return fmt.Errorf("%d cells and %d trials were planned, and %d and %d are there", x.Cells, x.Slots, len(l.run.Cells), len(l.run.Order))
	}
	if r := l.run.Repeats; r < 0 || r > maxSlots/max(1, len(l.run.Cells)) { // reports go through all of them
		return errMuch
	}
	l.whole = true
	n := len(l.run.Order)
	l.at, l.byJob, l.last = make(map[key]int, n), make(map[string]int, n), make(map[compare.Slot]int, n)
	l.run.Trials, l.more = make([]compare.Trial, 0, n), make([]extra, 0, n)
	return nil
}

func (l *ledger) order(texts []string) error {
	for _, text := range texts {
		s, err := compare.ParseSlot(text)
		if err != nil {
			return err
		}
		switch c := l.run.Cell(s.Cell); {
		case c == nil:
			return fmt.Errorf("there is no cell %d", s.Cell)
		case c.Cannot != "":
			return fmt.Errorf("cell %d cannot run", s.Cell)
		case l.slots[s]:
			return fmt.Errorf("%s is planned twice", s)
		case len(l.run.Order) == maxSlots:
			return errMuch
		}
		l.slots[s] = true
		l.run.Order = append(l.run.Order, s)
	}
	return nil
}

func (l *ledger) trial(x *record) error {
	s, err := compare.ParseSlot(x.Slot)
	if err != nil {
		return err
	}
	if !l.slots[s] {
		return fmt.Errorf("%s is not planned", s)
	}
	if x.Attempt < 1 || x.Attempt > maxAttempts || x.Attempt > l.last[s]+1 {
		return fmt.Errorf("%s has no attempt %d", s, x.Attempt)
	}
	if x.Job != "" && checkID(x.Job) != nil {
		return fmt.Errorf("%q is not an id of a job", client.CleanLine(x.Job))
	}
	i, known := l.at[key{s, x.Attempt}]
	if !known {
		if len(l.run.Trials) == maxTrials {
			return errMuch
		}
		i = len(l.run.Trials)
		l.run.Trials = append(l.run.Trials, compare.Trial{Slot: s, Attempt: x.Attempt, Outcome: intended()})
		l.more = append(l.more, extra{})
		l.at[key{s, x.Attempt}], l.last[s] = i, x.Attempt
	}
	t := &l.run.Trials[i]
	switch x.Kind {
	case kindSend: // an attempt whose job never came to be is begun anew
		delete(l.byJob, t.JobID)
		t.JobID, t.Seed, t.Outcome, l.more[i] = "", x.Seed, intended(), extra{}
	case kindTrial:
		if x.Outcome == nil {
			return errors.New("it tells nothing of the trial")
		}
		t.Outcome, l.more[i] = bare(x.Outcome), extra{saved: x.Saved}
	}
	if x.Job != "" && x.Job != t.JobID {
		if j, other := l.byJob[x.Job]; other && j != i {
			return fmt.Errorf("job %s is that of %s, too", x.Job, l.run.Trials[j].Slot)
		}
		delete(l.byJob, t.JobID)
		t.JobID = x.Job
		l.byJob[x.Job] = i
	}
	return nil
}

func (l *ledger) judged(x *record) error {
	s, err := compare.ParseSlot(x.Slot)
	if err != nil {
		return err
	}
	i, known := l.at[key{s, x.Attempt}]
	if !known {
		return fmt.Errorf("%s has no attempt %d", s, x.Attempt)
	}
	t := &l.run.Trials[i]
	t.Facts, t.Checks, l.more[i].final = nil, x.Checks, true
	if len(x.Facts) > maxFacts {
		return errMuch
	}
	for _, n := range x.Facts {
		if n < 1 || n > len(l.facts) {
			return fmt.Errorf("there is no fact %d", n)
		}
		t.Facts = append(t.Facts, l.facts[n-1])
	}
	return nil
}

// intended is what is known of a trial that is about to be sent.
func intended() compare.Outcome { return compare.Outcome{State: jobs.Planned, Progress: -1} }

// wish is what is to be sent.
type wish struct {
	key
	again bool // it was sent before, and failed
}

// unsent reports whether nothing of a trial has reached the gateway, and nothing will by itself: it may be
// begun anew under the same number.
func unsent(t *compare.Trial) bool {
	return t.JobID == "" || t.State == jobs.Dropped && t.SentAt.IsZero()
}

// failed reports whether a trial is one that a resumed run sends again: what was lost to a time-out may
// still be paid for, and of an ambiguous one nobody knows.
func failed(t *compare.Trial) bool {
	return !t.TimedOut && (t.State == jobs.Failed || t.State == jobs.Refused || t.State == jobs.Lost)
}

// left lists what a resumed run sends, in the order of the plan: what is missing, and what failed.
// Warm-ups that failed are done.
func (l *ledger) left() []wish {
	var out []wish
	for _, s := range l.run.Order {
		n := l.last[s]
		if n == 0 {
			out = append(out, wish{key: key{s, 1}})
			continue
		}
		switch t := &l.run.Trials[l.at[key{s, n}]]; {
		case unsent(t):
			out = append(out, wish{key: key{s, n}})
		case failed(t) && !s.Warmup && n < maxAttempts:
			out = append(out, wish{key{s, n + 1}, true})
		}
	}
	if !slices.ContainsFunc(out, func(w wish) bool { return !w.slot.Warmup }) {
		return nil // there is nothing to warm up for
	}
	return out
}

// adopt finds the place of a job of the history: that of its own, of an attempt that was about to be
// sent, or of a further one. A job that was dropped before it was sent, and is not an attempt's any more, is
// none: its slot was begun anew.
func (l *ledger) adopt(j *jobs.Job) (k key, fresh, ok bool) {
	if i, known := l.byJob[j.ID]; known {
		t := &l.run.Trials[i]
		return key{t.Slot, t.Attempt}, false, true
	}
	s, err := compare.ParseSlot(j.Cell)
	if err != nil || j.Run != l.run.ID || !l.slots[s] || j.State == jobs.Dropped && j.SubmittedAt.IsZero() {
		return key{}, false, false
	}
	for n := 1; n <= l.last[s]; n++ {
		if i, known := l.at[key{s, n}]; known && l.run.Trials[i].JobID == "" {
			return key{s, n}, true, true
		}
	}
	return key{s, l.last[s] + 1}, true, l.last[s] < maxAttempts
}
