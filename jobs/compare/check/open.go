package check

import (
	"fmt"

	"darkroom/client/human"
	"darkroom/jobs/compare"
)

// Undecided is an expectation that was left open in some of the places where it is checked: it is neither
// met nor not.
type Undecided struct {
	Name string `json:"name"`
	Open int    `json:"open"` // so often ...
	Of   int    `json:"of"`   // ... of so many
	Text string `json:"text"` // why, the first time
}

// LeftOpen lists the checks of a run that could not be decided, in the order in which they first come. What
// cannot be told of a trial because it did not complete is not among them: how it ended says that.
func LeftOpen(r *compare.Run) []Undecided {
	var out []Undecided
	at := map[string]int{}
	count := func(list []compare.Check) {
		for _, c := range list {
			i, known := at[c.Name]
			if !known {
				i = len(out)
				at[c.Name], out = i, append(out, Undecided{Name: c.Name})
			}
			x := &out[i]
			if x.Of++; c.Verdict == compare.Unknown {
				if x.Open++; x.Text == "" {
					x.Text = c.Text
				}
			}
		}
	}
	for _, t := range r.Counted() {
		if t.OK() {
			count(t.Checks)
		}
	}
	for i := range r.Cells {
		count(r.CellChecks[r.Cells[i].Number])
	}
	count(r.Checks)
	some := out[:0]
	for _, x := range out {
		if x.Open > 0 {
			some = append(some, x)
		}
	}
	return some
}

// Slip says why an expectation can decide nothing in a planned run, "" for one that can: it is likely a
// mistake, which a run would hide. score is the name of the suite's score, "" for none.
func Slip(e Expectation, r *compare.Run, score string) string {
	cells, able := 0, 0
	for i := range r.Cells {
		if c := &r.Cells[i]; e.concerns(c) {
			if cells++; c.Cannot == "" {
				able++
			}
		}
	}
	trials := r.Repeats
	if e.scope == wholeRun {
		trials *= able
	}
	switch {
	case cells == 0:
		return "this expectation concerns no model of the suite"
	case able == 0:
		return "this expectation concerns only cells that cannot run"
	case e.subject == "score" && e.score != score:
		return fmt.Sprintf("nothing scores %s: score: names the program that does", e.score)
	case e.over == p95Of && trials < leastP95:
		return fmt.Sprintf("a p95 needs %d trials, and here are %s", leastP95, human.Plural(trials, "trial"))
	}
	return ""
}
