package baseline

import (
	"cmp"
	"fmt"
	"slices"

	"darkroom/jobs/compare"
	"darkroom/jobs/compare/hide"
	"darkroom/jobs/compare/stat"
)

// Kind is what got worse or better.
type Kind string

// Kinds of findings.
const (
	Success   Kind = "success"   // fewer trials of a cell completed
	Check     Kind = "check"     // an expectation is met by fewer trials of a cell
	Delivered Kind = "delivered" // a property is as asked for in fewer trials of a cell
	Latency   Kind = "latency"   // a group takes longer
)

// Finding is one thing that differs from the baseline.
type Finding struct {
	Kind  Kind   `json:"kind"`
	Cell  int    `json:"cell,omitempty"` // of the run; 0 for a group
	Label string `json:"label"`          // prompt and group
	Text  string `json:"text"`           // "3/3 -> 2/3 completed"
	// Shown: the numbers show it; else it may be chance. Latencies are named only when shown.
	Shown bool `json:"shown"`
}

// Diff is a run against a baseline.
type Diff struct {
	Baseline string `json:"baseline"` // id of its run
	Run      string `json:"run"`
	// Cells counts those that were compared; OnlyBaseline and OnlyRun name those of one alone.
	Cells        int      `json:"cells"`
	OnlyBaseline []string `json:"only_baseline,omitempty"`
	OnlyRun      []string `json:"only_run,omitempty"`

	Regressions  []Finding `json:"regressions"`
	Improvements []Finding `json:"improvements"`
	// Groups compare each group with itself, then and now, as far as cells are equal.
	Groups []stat.Comparison `json:"groups"`
}

// pair is a cell of both.
type pair struct {
	old, now   *compare.Cell
	was, is    []*compare.Trial
	label, key string
}

// Compare names what differs.
func Compare(b *Baseline, r *compare.Run) Diff {
	d := Diff{Baseline: b.Run.ID, Run: r.ID, Regressions: []Finding{}, Improvements: []Finding{}, Groups: []stat.Comparison{}}
	pairs := d.match(&b.Run, r)
	d.Cells = len(pairs)
	for _, p := range pairs {
		d.cell(p)
	}
	d.latencies(pairs)
	return d
}

func label(r *compare.Run, c *compare.Cell) string {
	return c.Prompt.ID + " · " + c.Group(r.Formats())
}

// match pairs cells of equal hash, those that can run. Of several that ask for the same, as of two prompts
// with one text, the first is paired with the first.
func (d *Diff) match(old, now *compare.Run) []pair {
	trials := func(r *compare.Run) map[int][]*compare.Trial {
		out := map[int][]*compare.Trial{}
		for _, t := range r.Counted() {
			out[t.Slot.Cell] = append(out[t.Slot.Cell], t)
		}
		return out
	}
	was, is := trials(old), trials(now)
	byHash := map[string][]*compare.Cell{}
	for i := range old.Cells {
		if c := &old.Cells[i]; c.Cannot == "" {
			byHash[c.Hash] = append(byHash[c.Hash], c)
		}
	}
	var out []pair
	for i := range now.Cells {
		c := &now.Cells[i]
		same := byHash[c.Hash]
		if c.Cannot != "" {
			if len(same) > 0 {
				byHash[c.Hash] = same[1:]
				d.gone(was[same[0].Number], c, label(now, c))
			}
			continue
		}
		if len(same) == 0 {
			d.OnlyRun = append(d.OnlyRun, label(now, c))
			continue
		}
		o := same[0]
		byHash[c.Hash] = same[1:]
		out = append(out, pair{old: o, now: c, was: was[o.Number], is: is[c.Number], label: label(now, c), key: c.Group(now.Formats())})
	}
	for i := range old.Cells {
		if c := &old.Cells[i]; slices.Contains(byHash[c.Hash], c) {
			d.OnlyBaseline = append(d.OnlyBaseline, label(old, c))
		}
	}
	return out
}

// gone names a cell that ran then, and cannot now.
func (d *Diff) gone(was []*compare.Trial, c *compare.Cell, label string) {
	then := completed(was)
	if then.k == 0 {
		return
	}
	d.Regressions = append(d.Regressions, Finding{
		Kind: Success, Cell: c.Number, Label: label, Text: fmt.Sprintf("%d/%d -> cannot run: %s", then.k, then.n, hide.Paths(c.Cannot)), Shown: true,
	})
}

// count is how many of how many.
type count struct{ k, n int }

// add puts a finding where the shares differ.
func (d *Diff) add(p pair, kind Kind, what string, was, is count) {
	if was.n == 0 || is.n == 0 || was.k*is.n == is.k*was.n {
		return
	}
	f := Finding{
		Kind: kind, Cell: p.now.Number, Label: p.label, Text: fmt.Sprintf("%d/%d -> %d/%d %s", was.k, was.n, is.k, is.n, what),
		Shown: stat.Fisher(was.k, was.n-was.k, is.k, is.n-is.k) <= alpha,
	}
	if !f.Shown {
		f.Text += " (this may be chance)"
	}
	if is.k*was.n < was.k*is.n {
		d.Regressions = append(d.Regressions, f)
	} else {
		d.Improvements = append(d.Improvements, f)
	}
}

const alpha = 0.05

// cell compares one cell: what completed, was expected, and was delivered.
func (d *Diff) cell(p pair) {
	d.add(p, Success, "completed", completed(p.was), completed(p.is))
	was, is := verdicts(p.was), verdicts(p.is)
	var keys []key
	for k := range is {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name)) })
	for _, k := range keys {
		what := "met " + k.name
		if k.kind == Delivered {
			what = k.name + " as asked"
		}
		d.add(p, k.kind, what, was[k], is[k])
	}
}

func completed(trials []*compare.Trial) count {
	var c count
	for _, t := range trials {
		if t.Ended() && !t.Unclear() {
			c.n++
		}
		if t.OK() {
			c.k++
		}
	}
	return c
}

type key struct {
	kind Kind
	name string
}

// verdicts counts the checks and properties that passed, of those that say anything. A trial that did
// not complete is told by its state alone.
func verdicts(trials []*compare.Trial) map[key]count {
	out := map[key]count{}
	add := func(k key, v compare.Verdict) {
		c := out[k]
		switch v {
		case compare.Pass:
			c.k++
			c.n++
		case compare.Fail:
			c.n++
		}
		out[k] = c
	}
	for _, t := range trials {
		if !t.OK() {
			continue
		}
		for _, c := range t.Checks {
			add(key{Check, c.Name}, c.Verdict)
		}
		for _, f := range t.Facts {
			add(key{Delivered, f.Field}, f.Verdict)
		}
	}
	return out
}

// Names of the two sides of a comparison.
const (
	then = "the baseline"
	here = "this run"
)

// latencies compares each group with itself: the statistics are given one run of two groups, then and
// now, whose blocks are the cells.
func (d *Diff) latencies(pairs []pair) {
	groups := map[string][]pair{}
	var names []string
	for _, p := range pairs {
		if groups[p.key] == nil {
			names = append(names, p.key)
		}
		groups[p.key] = append(groups[p.key], p)
	}
	var found []stat.Comparison
	var of []string
	for _, name := range names {
		for _, c := range stat.Of(both(groups[name]), stat.Options{}).Pairs {
			if c.Metric != stat.Success {
				found, of = append(found, c), append(of, name)
			}
		}
	}
	holm(found)
	for i, c := range found {
		text := c.Sentence
		switch {
		case c.A == here && c.Verdict == stat.Worse, c.A == then && c.Verdict == stat.Better:
			d.Regressions = append(d.Regressions, Finding{Kind: Latency, Label: of[i], Text: text, Shown: true})
		case c.A == here && c.Verdict == stat.Better, c.A == then && c.Verdict == stat.Worse:
			d.Improvements = append(d.Improvements, Finding{Kind: Latency, Label: of[i], Text: text, Shown: true})
		}
	}
	d.Groups = append(d.Groups, found...)
}

// both is a run of two groups that a group's cells make, then and now.
func both(pairs []pair) *compare.Run {
	r := &compare.Run{}
	put := func(side string, c *compare.Cell, trials []*compare.Trial) {
		n := len(r.Cells) + 1
		r.Cells = append(r.Cells, compare.Cell{Number: n, Model: side, Format: "", Prompt: compare.Prompt{ID: c.Hash}})
		for _, t := range trials {
			x := *t
			x.Slot.Cell = n
			r.Trials = append(r.Trials, x)
			r.Repeats = max(r.Repeats, x.Slot.Repeat)
		}
	}
	for _, p := range pairs {
		put(then, p.old, p.was)
		put(here, p.now, p.is)
	}
	return r
}

// holm takes back the verdicts that do not hold for so many groups: each comparison was made as if it
// were the only one of its metric.
func holm(list []stat.Comparison) {
	byMetric := map[stat.Metric][]int{}
	for i, c := range list {
		if c.Tests > 0 {
			byMetric[c.Metric] = append(byMetric[c.Metric], i)
		}
	}
	for _, at := range byMetric {
		p := make([]float64, len(at))
		for k, i := range at {
			p[k] = list[i].P
		}
		for k, adjusted := range stat.Holm(p) {
			c := &list[at[k]]
			c.Holm, c.Tests = adjusted, len(at)
			if adjusted > alpha && (c.Verdict == stat.Better || c.Verdict == stat.Worse) {
				c.Verdict = stat.NoDifference
				c.Sentence += fmt.Sprintf(" Over %d groups that may be chance (p = %.3f, Holm).", len(at), adjusted)
			}
		}
	}
}
