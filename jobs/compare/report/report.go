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
		out.WriteString(spelled(literalRE().ReplaceAllStringFunc(l, hideLiteral)))
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

// difference is a property that is not as asked for or not as claimed, in the same way in trials of a cell.
type difference struct {
	cell   *compare.Cell
	fact   compare.Property
	trials []*compare.Trial
}

// differences are in the order of the cells; warm-ups are left out.
func (r *Report) differences() []difference {
	var out []difference
	type alike struct {
		cell int
		fact compare.Property
	}
	rows := map[alike]int{}
	for _, t := range r.shown {
		c := r.cells[t.Slot.Cell]
		if c == nil || t.Slot.Warmup {
			continue
		}
		for _, p := range measure.Differs(t.Facts) {
			key := alike{c.Number, p}
			at, ok := rows[key]
			if !ok {
				at = len(out)
				rows[key] = at
				out = append(out, difference{cell: c, fact: p})
			}
			out[at].trials = append(out[at].trials, t)
		}
	}
	return out
}

// failedCheck is an expectation that was not met: by the run, by a cell, or by trials of a cell. As in exit
// codes, the first attempt at a slot counts.
type failedCheck struct {
	where  string
	name   string
	found  []string         // what was found, each once
	trials []*compare.Trial // none of one of a cell or the run
}

// count is how often it was not met.
func (c *failedCheck) count() int { return max(1, len(c.trials)) }

// text is what was found, up to three of it.
func (c *failedCheck) text() string {
	if len(c.found) > 3 {
		return strings.Join(c.found[:3], "; ") + "; …"
	}
	return strings.Join(c.found, "; ")
}

// failedChecks are those of the run, of cells and of their trials, in the order of the run's cells.
func (r *Report) failedChecks() []failedCheck {
	var out []failedCheck
	add := func(at map[string]int, where string, t *compare.Trial, list []compare.Check) {
		for _, c := range list {
			if c.Verdict != compare.Fail {
				continue
			}
			i, ok := at[c.Name]
			if !ok {
				i = len(out)
				at[c.Name] = i
				out = append(out, failedCheck{where: where, name: c.Name})
			}
			x := &out[i]
			if c.Text != "" && !slices.Contains(x.found, c.Text) {
				x.found = append(x.found, c.Text)
			}
			if t != nil {
				x.trials = append(x.trials, t)
			}
		}
	}
	add(map[string]int{}, "the whole run", nil, r.Run.Checks)
	trials := map[int][]*compare.Trial{}
	for _, t := range r.Run.Counted() {
		trials[t.Slot.Cell] = append(trials[t.Slot.Cell], t)
	}
	for i := range r.Run.Cells {
		c := &r.Run.Cells[i]
		where := c.Prompt.ID + " · " + r.group(c)
		add(map[string]int{}, where, nil, r.Run.CellChecks[c.Number])
		at := map[string]int{}
		for _, t := range trials[c.Number] {
			add(at, where, t, t.Checks)
		}
	}
	return out
}

// repeats name trials of a cell: "1/3, 2/3".
func (r *Report) repeats(list []*compare.Trial) string {
	var names []string
	for _, t := range list {
		names = append(names, r.repeat(t))
	}
	return strings.Join(names, ", ")
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
