package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/baseline"
)

// baselineName is the file of a run's baseline where nobody names one: beside its suite.
func baselineName(r *compare.Run) string {
	name := strings.Trim(strings.Map(func(c rune) rune {
		if c < 0x80 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", c) {
			return c
		}
		return '-'
	}, r.Name), "-")
	return filepath.Join(r.Folder, cmp.Or(name, "suite")+".baseline.json")
}

func newBless(k *kit.Kit) *cobra.Command {
	file, remark, replace := "", "", false
	cmd := &cobra.Command{
		Use: "bless RUN", Short: "make a run the baseline that later ones are compared with", Args: cobra.ExactArgs(1),
		Long: `Writes a run down as a baseline: what came of each cell, without drafts, files and messages, so
that it can be kept with a project. It lies beside the suite, as NAME.baseline.json, unless --to
says otherwise. Later runs are held against it with ` + "`darkroom compare diff`" + `.`,
		Example:           "  darkroom compare bless last --remark 'release 12'\n  darkroom compare bless 3f9a1c22 --to ci/kites.json --replace",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), k, args[0], func(_ context.Context, r *compare.Run) error {
				return bless(k, r, cmp.Or(file, baselineName(r)), remark, replace)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&file, "to", "", "write it to this `FILE`")
	f.StringVar(&remark, "remark", "", "why this one, in your words")
	f.BoolVar(&replace, "replace", false, "take the place of the baseline that there is")
	return cmd
}

func bless(k *kit.Kit, r *compare.Run, file, remark string, replace bool) error {
	b, err := baseline.Bless(r, time.Now(), remark)
	if err != nil {
		return kit.Exit(kit.ExitUsage, fmt.Errorf("run %s: %w", jobs.ShortID(r.ID), err))
	}
	if _, err := os.Lstat(file); file != kit.Stdin && !replace && !errors.Is(err, fs.ErrNotExist) {
		return kit.Usage("%s is there already: --replace takes its place", kit.ShownFile("", file))
	}
	if err := writeFile(k, "--to", file, b.Encode); err != nil || file == kit.Stdin {
		return err
	}
	if !k.Out.Table() {
		return k.Out.One(map[string]string{"run": r.ID, "baseline": file})
	}
	k.IO.Printf("%s is the baseline: run %s of %s\n", client.CleanLine(file), jobs.ShortID(r.ID), client.CleanLine(r.Name))
	return nil
}

// readBaseline reads a baseline from a file, or makes one of the run that a word names.
func readBaseline(ctx context.Context, k *kit.Kit, word string) (baseline.Baseline, error) {
	if _, err := os.Stat(word); err != nil && !strings.ContainsAny(word, "/.") {
		var b baseline.Baseline
		err := withRun(ctx, k, word, func(_ context.Context, r *compare.Run) (err error) {
			b, err = baseline.Bless(r, time.Now(), "")
			return kit.UsageOf(err)
		})
		return b, err
	}
	f, err := kit.OpenNamed("", word)
	if errors.Is(err, fs.ErrNotExist) {
		return baseline.Baseline{}, kit.NotFound("there is no baseline %s: darkroom compare bless makes one of a run", kit.ShownFile("", word))
	}
	if err != nil {
		return baseline.Baseline{}, err
	}
	defer func() { _ = f.Close() }()
	b, err := baseline.Decode(f)
	if err != nil {
		return b, kit.Usage("%s: %w", kit.ShownFile("", word), err)
	}
	return b, nil
}

func newDiff(k *kit.Kit) *cobra.Command {
	shown := false
	cmd := &cobra.Command{
		Use: "diff RUN [BASELINE]", Short: "what got worse or better since the baseline", Args: cobra.RangeArgs(1, 2),
		Long: `Compares a run with a baseline: a file of ` + "`darkroom compare bless`" + `, or another run. Only cells
that ask for the same are compared. It ends with 10 if anything got worse; with --shown, only
what the numbers show counts, and not what may be chance. A run with trials that are not over
ends with 1 if nothing got worse so far.`,
		Example:           "  darkroom compare diff last\n  darkroom compare diff last ci/kites.json --shown\n  darkroom compare diff last 3f9a1c22",
		ValidArgsFunction: completeDiff(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), k, args[0], func(ctx context.Context, r *compare.Run) error {
				word := baselineName(r)
				if len(args) > 1 {
					word = args[1]
				}
				b, err := readBaseline(ctx, k, word)
				if err != nil {
					return err
				}
				return diff(k, r, baseline.Compare(&b, r), &b, shown)
			})
		},
	}
	cmd.Flags().BoolVar(&shown, "shown", false, "only what the numbers show ends with 10")
	return cmd
}

func completeDiff(k *kit.Kit) cobra.CompletionFunc {
	runs := completeRuns(k)
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return runs(cmd, args, word)
	}
}

func diff(k *kit.Kit, r *compare.Run, d baseline.Diff, b *baseline.Baseline, shown bool) error {
	if k.Out.Table() {
		k.IO.Printf("%s against the baseline of %s\n", human.Plural(d.Cells, "cell"), human.Times{Style: human.Local}.Stamp(b.BlessedAt))
		findings(k, "worse", d.Regressions)
		findings(k, "better", d.Improvements)
		for _, x := range []struct {
			what string
			all  []string
		}{{"only in the baseline", d.OnlyBaseline}, {"only in this run", d.OnlyRun}} {
			if n := len(x.all); n > 0 {
				k.IO.Printf("%s: %s, as %s\n", x.what, human.Plural(n, "cell"), client.CleanLine(x.all[0]))
			}
		}
	} else if err := k.Out.One(d); err != nil {
		return err
	}
	n := 0
	for _, f := range d.Regressions {
		if f.Shown || !shown {
			n++
		}
	}
	switch t := r.Tally(); {
	case n > 0:
		return kit.Exit(kit.ExitChecks, fmt.Errorf("%s since the baseline", human.Plural(n, "regression")))
	case d.Cells == 0:
		return kit.Usage("no cell of the run asks for what one of the baseline asks for: there is nothing to compare")
	case t.Done+t.Failed < t.Planned: // what is missing could not get worse
		return kit.Exit(kit.ExitFailed, fmt.Errorf("only %d of %d trials of the run are over; `darkroom compare resume %s` sends the rest", t.Done+t.Failed, t.Planned, jobs.ShortID(r.ID)))
	}
	return nil
}

func findings(k *kit.Kit, how string, all []baseline.Finding) {
	for _, f := range all {
		k.IO.Printf("%s: %s: %s\n", how, client.CleanLine(f.Label), client.CleanLine(f.Text))
	}
}
