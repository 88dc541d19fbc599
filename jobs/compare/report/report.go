// Package report writes a stored run down, without sending anything: as one HTML page that opens
// offline, as Markdown, CSV and JSON. All texts of the gateway and of a suite are a stranger's: they
// come out as words, whatever they hold.
package report

import (
	"cmp"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/baseline"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/compare/stat"
	"darkroom/jobs/compare/vote"
)

// Options say what a report holds beside the run.
type Options struct {
	Stat     stat.Options
	Baseline *baseline.Diff // nil for none
	Votes    *vote.Result   // nil for none
	Now      time.Time
	Media    Media
}

// Report is a run with what is said of it.
type Report struct {
	Run      *compare.Run   `json:"run"`
	Summary  stat.Summary   `json:"summary"`
	Baseline *baseline.Diff `json:"baseline,omitempty"`
	Votes    *vote.Result   `json:"votes,omitempty"`
	MadeAt   time.Time      `json:"made_at"`

	media Media
	cells map[int]*compare.Cell
	shown []*compare.Trial // the newest attempt at each slot; warm-ups too
	again map[compare.Slot]int
}

// Make puts a report together. The run is left as it is.
func Make(r *compare.Run, o Options) Report {
	out := Report{
		Run: public(r), Summary: stat.Of(r, o.Stat), Baseline: o.Baseline, Votes: o.Votes, MadeAt: o.Now, media: o.Media,
		cells: map[int]*compare.Cell{}, again: map[compare.Slot]int{},
	}
	out.media.paths = paths(r)
	for i := range out.Run.Cells {
		out.cells[out.Run.Cells[i].Number] = &out.Run.Cells[i]
	}
	out.shown = out.Run.Latest()
	for i := range out.Run.Trials {
		t := &out.Run.Trials[i]
		out.again[t.Slot] = max(out.again[t.Slot], t.Attempt)
	}
	return out
}

// public copies a run without the paths of this machine: of a file only its name is told, in drafts too.
func public(r *compare.Run) *compare.Run {
	out := *r
	out.Folder = ""
	out.Cells = slices.Clone(r.Cells)
	for i := range out.Cells {
		c := &out.Cells[i]
		d := c.Draft.Clone()
		for name, v := range d.Values {
			d.Values[name] = named(v)
		}
		c.Draft = d
	}
	out.Trials = slices.Clone(r.Trials)
	for i := range out.Trials {
		t := &out.Trials[i]
		t.Files = slices.Clone(t.Files)
		for k := range t.Files {
			t.Files[k].Path = filepath.Base(filepath.Clean("/" + t.Files[k].Path))
		}
	}
	return &out
}

// named leaves the folders of local references away.
func named(v any) any {
	switch x := v.(type) {
	case string:
		if rest, ok := strings.CutPrefix(x, "file://"); ok {
			return filepath.Base(rest)
		}
		if filepath.IsAbs(x) {
			return filepath.Base(x)
		}
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = named(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k := range x {
			out[k] = named(x[k])
		}
		return out
	}
	return v
}

// paths are those of the files that may be opened, by trial: the result, then what shows it.
func paths(r *compare.Run) map[key][]string {
	out := map[key][]string{}
	for i := range r.Trials {
		t := &r.Trials[i]
		for _, f := range t.Files {
			if f.Here && f.Kind != client.AssetCover && f.Kind != client.AssetLastFrame {
				out[key{t.Slot, t.Attempt}] = append(out[key{t.Slot, t.Attempt}], f.Path)
			}
		}
	}
	return out
}

type key struct {
	slot    compare.Slot
	attempt int
}

// JSON writes all of it, indented.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// state says how a trial came out, in a word or two.
func state(t *compare.Trial) string {
	switch {
	case t.TimedOut:
		return "timed out"
	default:
		return string(t.State)
	}
}

// group is the group of a cell by its settings, whatever the statistics are grouped by.
func (r *Report) group(c *compare.Cell) string { return c.Group(r.Run.Formats()) }

// difference is a property of a trial that is not as asked for or not as claimed.
type difference struct {
	trial *compare.Trial
	cell  *compare.Cell
	fact  compare.Property
}

func (r *Report) differences() []difference {
	var out []difference
	for _, t := range r.shown {
		for _, p := range measure.Differs(t.Facts) {
			out = append(out, difference{t, r.cells[t.Slot.Cell], p})
		}
	}
	return out
}

// failedCheck is an expectation that was not met.
type failedCheck struct {
	Where string
	Check compare.Check
}

func (r *Report) failedChecks() []failedCheck {
	var out []failedCheck
	add := func(where string, list []compare.Check) {
		for _, c := range list {
			if c.Verdict == compare.Fail {
				out = append(out, failedCheck{where, c})
			}
		}
	}
	add("the whole run", r.Run.Checks)
	for i := range r.Run.Cells {
		c := &r.Run.Cells[i]
		add(c.Prompt.ID+" · "+r.group(c), r.Run.CellChecks[c.Number])
	}
	for _, t := range r.shown {
		if c := r.cells[t.Slot.Cell]; c != nil {
			add(c.Prompt.ID+" · "+r.group(c)+" · "+t.Slot.String(), t.Checks)
		}
	}
	return out
}

// verdicts parts the comparisons: those that show something, those that do not, those that could not.
func (r *Report) verdicts() (shown, not, few []stat.Comparison) {
	for _, c := range r.Summary.Pairs {
		switch c.Verdict {
		case stat.Better, stat.Worse:
			shown = append(shown, c)
		case stat.TooFew:
			few = append(few, c)
		default:
			not = append(not, c)
		}
	}
	slices.SortStableFunc(shown, func(a, b stat.Comparison) int { return cmp.Compare(order(a.Metric), order(b.Metric)) })
	return shown, not, few
}

// order puts success first, then latencies in the order in which they are shown.
func order(m stat.Metric) int {
	if m == stat.Success {
		return -1
	}
	return slices.Index(stat.Latencies(), m)
}

// maxWords bounds a stranger's text on a page, in bytes.
const maxWords = 2000

func line(s string) string { return text.Cap(client.CleanLine(s), maxWords) }

// total returns the latency of a group that is told first, with its source.
func total(g *stat.Group) (stat.Times, bool) {
	for _, want := range []compare.Source{compare.Polled, compare.Measured, compare.Stamped} {
		for _, t := range g.Times {
			if t.Metric == stat.Total && t.Source == want {
				return t, true
			}
		}
	}
	return stat.Times{}, false
}
