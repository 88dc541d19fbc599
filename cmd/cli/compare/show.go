package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
	"darkroom/jobs/compare/run"
	"darkroom/jobs/compare/stat"
)

// grouping is --by.
type grouping struct{ value string }

func (g *grouping) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.value, "by", "", "what is compared: model, format or settings; else all of them together")
	_ = cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"model", "format", "settings"}, cobra.ShellCompDirectiveNoFileComp))
}

func (g grouping) of() (stat.By, error) {
	by := stat.By(g.value)
	if !slices.Contains([]stat.By{stat.ByAll, stat.ByModel, stat.ByFormat, stat.BySettings}, by) {
		return by, kit.Usage("--by %q: allowed are model, format, settings", g.value)
	}
	return by, nil
}

func newShow(k *kit.Kit) *cobra.Command {
	var by grouping
	cells := false
	cmd := &cobra.Command{
		Use: "show RUN", Short: "what a run shows, in numbers and sentences", Args: cobra.ExactArgs(1),
		Long: `Prints what a run shows: for each group how often it succeeded and how long it took, which
differences the numbers show, and which expectations were not met. With --cells it prints the
cells and their trials instead. -o json has all of it.`,
		Example:           "  darkroom compare show last\n  darkroom compare show 3f9a1c22 --by model -o json",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), k, args[0], func(_ context.Context, r *compare.Run) error {
				if cells && k.Out.Table() {
					return showCells(k, r)
				}
				return show(k, r, by)
			})
		},
	}
	by.flag(cmd)
	cmd.Flags().BoolVar(&cells, "cells", false, "print the cells and their trials")
	return cmd
}

// shown is a run as machines get it.
type shown struct {
	*compare.Run
	Tally   compare.Tally     `json:"tally"`
	Summary stat.Summary      `json:"summary"`
	Failed  []failed          `json:"failed_checks"`
	Open    []check.Undecided `json:"open_checks"` // neither met nor not
	Missing int               `json:"missing"`     // trials that resuming sends
	Again   int               `json:"again"`       // and those that it sends again, since they failed
}

// failed is a check that failed, with what it is about.
type failed struct {
	About string `json:"about"` // a trial, a cell, or "the run"
	Slot  string `json:"slot,omitempty"`
	Cell  int    `json:"cell,omitempty"`
	compare.Check
}

// failures are the failed checks of a run.
func failures(r *compare.Run) []failed {
	var out []failed
	add := func(list []compare.Check, f failed) {
		for _, c := range list {
			if c.Verdict == compare.Fail {
				f.Check = c
				out = append(out, f)
			}
		}
	}
	for _, t := range r.Counted() {
		add(t.Checks, failed{About: trialName(r, t), Slot: t.Slot.String(), Cell: t.Slot.Cell})
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		add(r.CellChecks[c.Number], failed{About: fmt.Sprintf("%d %s · %s", c.Number, c.Prompt.ID, c.Group(r.Formats())), Cell: c.Number})
	}
	add(r.Checks, failed{About: "the run"})
	return out
}

// show prints what a run shows.
func show(k *kit.Kit, r *compare.Run, by grouping) error {
	how, err := by.of()
	if err != nil {
		return err
	}
	s := stat.Of(r, stat.Options{By: how})
	missing, again := run.Left(r)
	fails := failures(r)
	if !k.Out.Table() {
		return k.Out.One(shown{r, r.Tally(), s, slices.Concat([]failed{}, fails), slices.Concat([]check.Undecided{}, check.LeftOpen(r)), missing, again})
	}
	head(k, r, missing, again)
	if err := kit.Rows(k.IO.Out, []string{"GROUP", "N", "SUCCESS", passName(&s), "MEDIAN", "CLOCK", "P95", "FAILED WITH"}, groupRows(&s)); err != nil {
		return err
	}
	sentences(k, &s)
	notMet(k, r, fails)
	leftOpen(k, r)
	return nil
}

const maxFailures = 30

// notMet prints the failed checks, equal ones of a group in one line.
func notMet(k *kit.Kit, r *compare.Run, fails []failed) {
	type line struct {
		text  string
		slots []string
	}
	var lines []*line
	at := map[string]*line{}
	for _, f := range fails {
		about := f.About
		if c := r.Cell(f.Cell); c != nil && f.Slot != "" {
			about = c.Group(r.Formats())
		}
		text := fmt.Sprintf("%s: %s: %s", about, f.Name, f.Text)
		x := at[text]
		if x == nil {
			x = &line{text: text}
			at[text], lines = x, append(lines, x)
		}
		x.slots = append(x.slots, f.Slot)
	}
	if len(lines) > 0 {
		k.IO.Printf("\nnot met:\n")
	}
	slices.SortStableFunc(lines, func(a, b *line) int { return strings.Compare(a.text, b.text) })
	for i, x := range lines {
		if i == maxFailures {
			k.IO.Printf("  and %d more; -o json has them all\n", len(lines)-i)
			return
		}
		where := ""
		switch {
		case len(x.slots) > 1:
			where = fmt.Sprintf(" (%s, as %s)", human.Plural(len(x.slots), "trial"), x.slots[0])
		case x.slots[0] != "":
			where = " (" + x.slots[0] + ")"
		}
		k.IO.Printf("  %s\n", client.CleanLine(x.text+where))
	}
}

// leftOpen prints the checks that are neither met nor not.
func leftOpen(k *kit.Kit, r *compare.Run) {
	for i, x := range check.LeftOpen(r) {
		if i == 0 {
			k.IO.Printf("\nleft open:\n")
		}
		if i == maxFailures {
			k.IO.Printf("  and more; -o json has them all\n")
			return
		}
		k.IO.Printf("  %s\n", client.CleanLine(fmt.Sprintf("%s: %s (%d of %d)", x.Name, x.Text, x.Open, x.Of)))
	}
}

// notSentAgain counts the trials that resuming leaves alone: those that timed out, and those of which nobody
// knows whether the gateway accepted them.
func notSentAgain(r *compare.Run) (late, unclear int) {
	for _, x := range r.Latest() {
		switch {
		case x.Slot.Warmup:
		case x.Unclear():
			unclear++
		case x.TimedOut:
			late++
		}
	}
	return late, unclear
}

func head(k *kit.Kit, r *compare.Run, missing, again int) {
	t := r.Tally()
	k.IO.Printf("%s  run %s, %s, seed %d, %s\n", client.CleanLine(r.Name), jobs.ShortID(r.ID), r.Status, r.Seed, human.Times{Style: human.Local}.Stamp(r.CreatedAt))
	line := fmt.Sprintf("%d of %s completed", t.Done, human.Plural(t.Planned, "trial"))
	late, unclear := notSentAgain(r)
	if n := t.Failed - late - unclear; n > 0 {
		line += fmt.Sprintf(", %d failed", n)
	}
	if late > 0 {
		line += fmt.Sprintf(", %d timed out", late)
	}
	if unclear > 0 {
		line += fmt.Sprintf(", %d unclear", unclear)
	}
	if t.Open > 0 {
		line += fmt.Sprintf(", %d in flight", t.Open)
	}
	if t.Cannot > 0 {
		line += "; " + human.Plural(t.Cannot, "cell") + " cannot run"
	}
	k.IO.Printf("%s\n", line)
	if missing+again > 0 {
		k.IO.Printf("%d missing and %d failed: `darkroom compare resume %s` sends them\n", missing, again, jobs.ShortID(r.ID))
	}
	k.IO.Printf("\n")
}

// passName heads the share of cells of which all repeats succeeded.
func passName(s *stat.Summary) string {
	if len(s.Groups) == 0 {
		return "PASS"
	}
	return fmt.Sprintf("PASS^%d", s.Groups[0].Pass.N)
}

func groupRows(s *stat.Summary) [][]string {
	var rows [][]string
	for i := range s.Groups {
		g := &s.Groups[i]
		median, clock, p95 := "", "", ""
		if t, ok := g.Time(stat.Total); ok {
			median, clock = t.Median.String(), string(t.Source)
			if t.P95 != nil {
				p95 = t.P95.String()
			}
		}
		var codes []string
		for _, c := range g.Errors {
			codes = append(codes, fmt.Sprintf("%d %s", c.Count, c.Code))
		}
		success := ""
		if g.Success.N > 0 {
			success = g.Success.String()
		}
		if g.Cannot > 0 {
			codes = append(codes, human.Plural(g.Cannot, "cell")+" cannot run")
		}
		pass := ""
		if g.Pass.Cells > 0 {
			pass = strconv.FormatFloat(math.Round(g.Pass.Value*100)/100, 'f', -1, 64)
		}
		rows = append(rows, []string{g.Name, fmt.Sprint(g.Success.N), success, pass, median, clock, p95, strings.Join(codes, ", ")})
	}
	return rows
}

// sentences prints what the pairs come to: differences first, the rest as a number.
func sentences(k *kit.Kit, s *stat.Summary) {
	rest := map[stat.Verdict]int{}
	for _, c := range s.Pairs {
		if c.Metric != stat.Success && c.Metric != stat.Total || c.SideA.N == 0 || c.SideB.N == 0 {
			continue
		}
		if c.Verdict == stat.Better || c.Verdict == stat.Worse {
			k.IO.Printf("\n%s\n", client.CleanLine(c.Sentence))
			continue
		}
		rest[c.Verdict]++
	}
	for _, v := range []stat.Verdict{stat.NoDifference, stat.TooFew} {
		if n := rest[v]; n > 0 {
			k.IO.Printf("\n%s: %s of success or total time\n", v, human.Plural(n, "comparison"))
		}
	}
	for _, n := range s.Notes {
		k.IO.Printf("\nnote: %s\n", client.CleanLine(n))
	}
}

// showCells prints the cells with their trials.
func showCells(k *kit.Kit, r *compare.Run) error {
	trials := map[int][]*compare.Trial{}
	for _, t := range r.Latest() {
		trials[t.Slot.Cell] = append(trials[t.Slot.Cell], t)
	}
	var rows [][]string
	for i := range r.Cells {
		c := &r.Cells[i]
		first := []string{fmt.Sprint(c.Number), c.Prompt.ID, c.Group(r.Formats())}
		if c.Cannot != "" {
			rows = append(rows, append(first, "", "cannot run: "+kit.FirstLine(c.Cannot, 100)))
			continue
		}
		if len(trials[c.Number]) == 0 {
			rows = append(rows, append(first, "", "not sent"))
		}
		for _, t := range trials[c.Number] {
			rows = append(rows, append(slices.Clone(first), t.Slot.String(), kit.FirstLine(trialEnd(t), 100)))
		}
	}
	return kit.Rows(k.IO.Out, []string{"CELL", "PROMPT", "GROUP", "TRIAL", "CAME TO"}, rows)
}
