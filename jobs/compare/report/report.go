// Package report writes a stored run down, without sending anything: as one HTML page that opens
// offline, as Markdown, CSV and JSON. All texts of the gateway and of a suite are a stranger's: they
// come out as words, whatever they hold.
package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"darkroom/client"
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

	formats bool                     // the cells differ in their format
	groups  map[*compare.Cell]string // what takes long to find out for each trial
}

// Make puts a report together. The run is left as it is.
func Make(r *compare.Run, o Options) Report {
	out := Report{
		Run: public(r), Summary: stat.Of(r, o.Stat), Baseline: o.Baseline, Votes: o.Votes, MadeAt: o.Now, media: o.Media,
		cells: map[int]*compare.Cell{}, formats: r.Formats(), groups: map[*compare.Cell]string{},
	}
	out.media.results, out.media.covers = paths(r)
	for i := range out.Run.Cells {
		c := &out.Run.Cells[i]
		out.cells[c.Number], out.groups[c] = c, c.Group(out.formats)
	}
	out.shown = out.Run.Latest()
	return out
}

// paths are those of the files that may be opened, by trial: its results, and what stands for the first
// one until it plays, if there is such a file.
func paths(r *compare.Run) (results map[key][]string, covers map[key]string) {
	results, covers = map[key][]string{}, map[key]string{}
	for i := range r.Trials {
		t := &r.Trials[i]
		k := key{t.Slot, t.Attempt}
		for _, f := range t.Files {
			switch {
			case !f.Here || f.Kind == client.AssetLastFrame:
			case f.Kind != client.AssetCover:
				results[k] = append(results[k], f.Path)
			case covers[k] == "":
				covers[k] = f.Path
			}
		}
	}
	return results, covers
}

type key struct {
	slot    compare.Slot
	attempt int
}

// JSON writes all of it, indented. Signs that a terminal obeys come out escaped.
func (r *Report) JSON(w io.Writer) error {
	b, err := r.MarshalJSON()
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// MarshalJSON keeps the folders of this machine out, whoever encodes a report.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	b, err := json.MarshalIndent(plain(r), "", "  ")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(len(b))
	for l := range strings.Lines(string(b)) {
		out.WriteString(spelled(hide(l)))
	}
	return out.Bytes(), nil
}

// spelled writes out what JSON lets stand: control characters of the second block, and those that turn
// the direction of a text.
func spelled(s string) string {
	bad := func(r rune) bool {
		return r == 0x7f || r >= 0x80 && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r))
	}
	if !strings.ContainsFunc(s, bad) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !bad(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
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
func (r *Report) group(c *compare.Cell) string { return r.groups[c] }

// difference is a property of a trial that is not as asked for or not as claimed.
type difference struct {
	trial *compare.Trial
	cell  *compare.Cell
	fact  compare.Property
}

func (r *Report) differences() []difference {
	var out []difference
	for _, t := range r.shown {
		c := r.cells[t.Slot.Cell]
		if c == nil || t.Slot.Warmup {
			continue
		}
		for _, p := range measure.Differs(t.Facts) {
			out = append(out, difference{t, c, p})
		}
	}
	return out
}

// failedCheck is an expectation that was not met. As in exit codes, the first attempt at a slot counts.
type failedCheck struct {
	Where string
	Trial *compare.Trial // nil for one of a cell or the run
	Check compare.Check
}

func (r *Report) failedChecks() []failedCheck {
	var out []failedCheck
	add := func(where string, t *compare.Trial, list []compare.Check) {
		for _, c := range list {
			if c.Verdict == compare.Fail {
				out = append(out, failedCheck{where, t, c})
			}
		}
	}
	add("the whole run", nil, r.Run.Checks)
	for i := range r.Run.Cells {
		c := &r.Run.Cells[i]
		add(c.Prompt.ID+" · "+r.group(c), nil, r.Run.CellChecks[c.Number])
	}
	for _, t := range r.Run.Counted() {
		if c := r.cells[t.Slot.Cell]; c != nil {
			add(c.Prompt.ID+" · "+r.group(c)+" · "+r.repeat(t), t, t.Checks)
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

// total returns the total time of a group, by the clock that pairs are compared by, too.
func total(g *stat.Group) (stat.Times, bool) { return g.Time(stat.Total) }
