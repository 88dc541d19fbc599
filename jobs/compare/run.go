package compare

import (
	"cmp"
	"slices"
	"time"
)

// Status is how far a run is.
type Status string

// Statuses of a run.
const (
	Open    Status = "open"    // trials are missing: being sent, or to be resumed
	Ended   Status = "ended"   // every trial that can run has its end
	Stopped Status = "stopped" // a person ended it early
)

// Run is a whole run as it is kept: what was planned, and what came of it. A plan that was not sent is
// a run without trials.
type Run struct {
	ID      string `json:"id"` // UUIDv7; its jobs carry it
	Name    string `json:"name"`
	Profile string `json:"profile"`
	Host    string `json:"host,omitempty"` // of the gateway
	Version string `json:"version,omitempty"`

	// Suite is the YAML that it was made of, byte for byte, and SuiteHash its hash.
	Suite     string `json:"suite"`
	SuiteHash string `json:"suite_hash"`
	// Folder is that of the suite's file, absolute, "" for one that is no file: a scorer is started there.
	Folder string `json:"folder,omitempty"`
	// Seed is what the order was shuffled with, and the trials' seeds were drawn with.
	Seed    uint64 `json:"seed"`
	Repeats int    `json:"repeats"`
	Warmups int    `json:"warmups,omitempty"` // for each cell
	// Concurrency is how many trials may be in flight at a time, 0 for one. Files that are being saved do
	// not count.
	Concurrency int `json:"concurrency,omitempty"`
	// Timeout is how long a task is waited for, from the begin of its POST; 0 for as long as it is polled.
	Timeout time.Duration `json:"timeout_ns,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	Status    Status    `json:"status"`

	Cells []Cell `json:"cells"`
	// Order is that in which the slots are sent, warm-ups first; of cells that can run.
	Order  []Slot  `json:"order"`
	Trials []Trial `json:"trials"` // in the order in which they were sent
	// Checks are those of the run as a whole, and CellChecks those over the repeats of a cell, by its number.
	Checks     []Check         `json:"checks,omitempty"`
	CellChecks map[int][]Check `json:"cell_checks,omitempty"`
}

// Cell returns the cell of a number, nil for none.
func (r *Run) Cell(number int) *Cell {
	if number < 1 || number > len(r.Cells) || r.Cells[number-1].Number != number {
		return nil
	}
	return &r.Cells[number-1]
}

// Formats reports whether the cells differ in their format, see [Cell.Group].
func (r *Run) Formats() bool {
	for i := range r.Cells {
		if r.Cells[i].Format != r.Cells[0].Format {
			return true
		}
	}
	return false
}

// Latest returns the newest attempt at each slot that was sent, warm-ups too, by cell and repeat.
func (r *Run) Latest() []*Trial {
	newest := map[Slot]*Trial{}
	for i := range r.Trials {
		t := &r.Trials[i]
		if old := newest[t.Slot]; old == nil || t.Attempt > old.Attempt {
			newest[t.Slot] = t
		}
	}
	out := make([]*Trial, 0, len(newest))
	for _, t := range newest {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *Trial) int {
		return cmp.Or(cmp.Compare(a.Slot.Cell, b.Slot.Cell), warm(a)-warm(b), cmp.Compare(a.Slot.Repeat, b.Slot.Repeat))
	})
	return out
}

// Counted returns the trials that success rates and latencies are counted by: the first attempt at
// each slot, without warm-ups, in the order in which they were sent. A later attempt was made because
// the first one failed, so that counting it would hide a failure; its Attempt marks it.
func (r *Run) Counted() []*Trial {
	var out []*Trial
	for i := range r.Trials {
		if t := &r.Trials[i]; t.Attempt == 1 && !t.Slot.Warmup {
			out = append(out, t)
		}
	}
	return out
}

func warm(t *Trial) int {
	if t.Slot.Warmup {
		return 0
	}
	return 1
}

// Tally is a run in numbers of slots; warm-ups are not counted.
type Tally struct {
	Cells   int `json:"cells"`
	Cannot  int `json:"cannot"`  // cells that cannot run
	Planned int `json:"planned"` // trials of those that can
	Sent    int `json:"sent"`
	Done    int `json:"done"`   // completed
	Failed  int `json:"failed"` // ended otherwise
	Open    int `json:"open"`   // sent, and not over
}

// Tally counts.
func (r *Run) Tally() Tally {
	t := Tally{Cells: len(r.Cells)}
	for i := range r.Cells {
		if r.Cells[i].Cannot != "" {
			t.Cannot++
		}
	}
	for _, s := range r.Order {
		if !s.Warmup {
			t.Planned++
		}
	}
	for _, x := range r.Latest() {
		if x.Slot.Warmup {
			continue
		}
		switch t.Sent++; {
		case !x.Ended():
			t.Open++
		case x.OK():
			t.Done++
		default:
			t.Failed++
		}
	}
	return t
}
