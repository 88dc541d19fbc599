package plan

import (
	"container/heap"
	"fmt"
	"slices"
	"time"

	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
	"darkroom/jobs/compare/suite"
)

// Forecast is what a run will take.
type Forecast struct {
	Cells   int `json:"cells"`
	Able    int `json:"able"` // cells that can run
	Trials  int `json:"trials"`
	Warmups int `json:"warmups"`

	Models []Share `json:"models"`
	// Expected is how long the run takes if each trial takes as long as earlier ones like it, with
	// the suite's concurrency. Trials of cells of which nothing is known, Unknown in number, are
	// left out, so that it takes longer with them.
	Expected time.Duration `json:"expected_ns"`
	Unknown  int           `json:"unknown_cells"`

	Cannot []Reason `json:"cannot,omitempty"`
	// Outside are files that are sent from outside the folder of the suite's file: since it may be
	// somebody else's, a person is asked about them first. Whoever knows the file fills it in.
	Outside []string `json:"outside,omitempty"`
	Notes   []string `json:"notes,omitempty"` // likely slips in the suite
}

// Share is a model's part of a run.
type Share struct {
	Model     string `json:"model"`
	ModelName string `json:"model_name,omitempty"`
	Cells     int    `json:"cells"`
	Cannot    int    `json:"cannot"`
	Trials    int    `json:"trials"`
	Warmups   int    `json:"warmups"`
}

// Reason is why some cells cannot run.
type Reason struct {
	Text  string `json:"text"`
	Cells []int  `json:"cells"` // their numbers
}

// forecast counts a planned run.
func (m *maker) forecast(run *compare.Run) Forecast {
	f := Forecast{Cells: len(run.Cells)}
	share := map[[2]string]int{}
	reason := map[string]int{}
	usual := make([]time.Duration, len(run.Cells)+1) // by cell
	for i := range run.Cells {
		c := &run.Cells[i]
		k := [2]string{c.Model, c.ModelName}
		at, ok := share[k]
		if !ok {
			at = len(f.Models)
			share[k], f.Models = at, append(f.Models, Share{Model: c.Model, ModelName: c.ModelName})
		}
		x := &f.Models[at]
		x.Cells++
		if c.Cannot != "" {
			x.Cannot++
			at, ok := reason[c.Cannot]
			if !ok {
				at = len(f.Cannot)
				reason[c.Cannot], f.Cannot = at, append(f.Cannot, Reason{Text: c.Cannot})
			}
			f.Cannot[at].Cells = append(f.Cannot[at].Cells, c.Number)
			continue
		}
		f.Able++
		x.Trials, x.Warmups = x.Trials+run.Repeats, x.Warmups+run.Warmups
		if m.Usual != nil {
			if p50, n := m.Usual(c); n > 0 {
				usual[c.Number] = p50
			}
		}
		if usual[c.Number] <= 0 {
			f.Unknown++
		}
	}
	f.Trials, f.Warmups = f.Able*run.Repeats, f.Able*run.Warmups
	f.Expected = span(run.Order, usual, m.s.Concurrency)
	f.Notes = m.slips(run)
	return f
}

// slips are remarks on a suite that can be run, but may not mean what it says.
func (m *maker) slips(run *compare.Run) []string {
	var out []string
	for i, unused := range m.unused {
		if unused {
			out = append(out, m.s.Errorf(fmt.Sprintf("exclude.%d", i), "this exclusion leaves no cell out").Error())
		}
	}
	score := ""
	if m.s.Score != nil {
		score = m.s.Score.Name
	}
	for i, line := range m.s.Expect {
		e, err := check.Parse(line)
		if err != nil {
			continue // the suite has been read
		}
		if slip := check.Slip(e, run, score); slip != "" {
			out = append(out, m.s.Errorf(fmt.Sprintf("expect.%d", i), "%s: %s", line, slip).Error())
		}
	}
	fixed := m.s.Seed != suite.SeedEach && m.s.Seed != suite.SeedNone
	if fixed && run.Repeats > 1 {
		out = append(out, fmt.Sprintf("seed %s: the %d repeats of a cell ask for the same; seed: each gives every repeat its own", m.s.Seed, run.Repeats))
	}
	return out
}

// span is how long slots take that are sent in order, so many at a time.
func span(order []compare.Slot, usual []time.Duration, concurrency int) time.Duration {
	free := make(ends, max(concurrency, 1)) // when each place is free again
	var last time.Duration
	for _, s := range order {
		took := usual[s.Cell]
		if took <= 0 {
			continue
		}
		free[0] += took
		last = max(last, free[0])
		heap.Fix(&free, 0)
	}
	return last
}

// ends is a heap of times.
type ends []time.Duration

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i] < e[j] }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(any)          {} // the heap has a fixed size
func (e *ends) Pop() any          { return slices.Max(*e) }

// FromPast makes [Input.Usual] of a history: past are the durations of earlier tasks of a model in a
// mode. It is asked once for each.
func FromPast(past func(model, mode string) []time.Duration) func(*compare.Cell) (time.Duration, int) {
	type usual struct {
		p50 time.Duration
		n   int
	}
	known := map[[2]string]usual{}
	return func(c *compare.Cell) (time.Duration, int) {
		k := [2]string{c.Model, c.Mode}
		u, ok := known[k]
		if !ok {
			all := slices.Sorted(slices.Values(past(c.Model, c.Mode)))
			if u.n = len(all); u.n > 0 {
				u.p50 = all[u.n/2]
			}
			known[k] = u
		}
		return u.p50, u.n
	}
}
