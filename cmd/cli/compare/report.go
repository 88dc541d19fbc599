package compare

import (
	"context"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/baseline"
	"darkroom/jobs/compare/check"
	"darkroom/jobs/compare/report"
	"darkroom/jobs/compare/stat"
	"darkroom/jobs/compare/vote"
)

// reporter holds the flags of `compare report`.
type reporter struct {
	k                          *kit.Kit
	html, md, csv, json, junit string
	baseline                   string
	by                         grouping
}

func newReport(k *kit.Kit) *cobra.Command {
	r := &reporter{k: k}
	cmd := &cobra.Command{
		Use: "report RUN", Short: "write a run down: HTML, Markdown, CSV, JSON, JUnit", Args: cobra.ExactArgs(1),
		Long: `Writes what a run shows, without sending anything. The page of --html opens offline; media that
are too large for it lie in a folder beside it. Votes on the run are in it, and with --baseline
what differs from one. - is standard output. Without a file, Markdown goes there.`,
		Example: `  darkroom compare report last --html kites.html
  darkroom compare report 3f9a1c22 --csv kites.csv --json kites.json
  darkroom compare report last > summary.md`,
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), k, args[0], r.run)
		},
	}
	f := cmd.Flags()
	for _, x := range r.files() {
		f.StringVar(x.to, x.flag, "", x.text)
	}
	f.StringVar(&r.baseline, "baseline", "", "say what differs from this `FILE`, or run")
	r.by.flag(cmd)
	return cmd
}

// reportFile is a kind of report.
type reportFile struct {
	flag, text string
	to         *string
	write      func(context.Context, *report.Report, io.Writer) error
}

func (r *reporter) files() []reportFile {
	return []reportFile{
		{"html", "write the page to this `FILE`", &r.html, func(ctx context.Context, x *report.Report, w io.Writer) error { return x.HTML(ctx, w) }},
		{"md", "write Markdown to this `FILE`", &r.md, func(_ context.Context, x *report.Report, w io.Writer) error { return x.Markdown(w) }},
		{"csv", "write one row per trial to this `FILE`", &r.csv, func(_ context.Context, x *report.Report, w io.Writer) error { return x.CSV(w) }},
		{"json", "write everything to this `FILE`", &r.json, func(_ context.Context, x *report.Report, w io.Writer) error { return x.JSON(w) }},
		{"junit", "write JUnit XML to this `FILE`", &r.junit, func(_ context.Context, x *report.Report, w io.Writer) error { return check.JUnit(w, x.Run) }},
	}
}

func (r *reporter) run(ctx context.Context, run *compare.Run) error {
	by, err := r.by.of()
	if err != nil {
		return err
	}
	o := report.Options{Stat: stat.Options{By: by}, Now: time.Now()}
	c, err := r.k.Config()
	if err != nil {
		return err
	}
	votes, err := vote.Results(app.RunsOf(c), run)
	if err != nil {
		return err
	}
	if len(votes.Judges) > 0 {
		o.Votes = &votes
	}
	if r.baseline != "" {
		base, err := readBaseline(ctx, r.k, r.baseline)
		if err != nil {
			return err
		}
		d := baseline.Compare(&base, run)
		o.Baseline = &d
	}
	made := report.Make(run, o)
	files := slices.DeleteFunc(r.files(), func(f reportFile) bool { return *f.to == "" })
	switch {
	case len(files) == 0 && r.k.Out.Table():
		return made.Markdown(r.k.IO.Out)
	case len(files) == 0:
		return r.k.Out.One(made)
	}
	for _, f := range files {
		if err := r.write(ctx, &made, f); err != nil {
			return err
		}
	}
	return nil
}

// write writes one file, and says where it is.
func (r *reporter) write(ctx context.Context, made *report.Report, f reportFile) error {
	var err error
	if f.flag == "html" && *f.to != kit.Stdin { // it may have a folder beside it
		err = made.WriteHTML(ctx, *f.to)
	} else {
		err = writeFile(r.k, "--"+f.flag, *f.to, func(w io.Writer) error { return f.write(ctx, made, w) })
	}
	if err != nil {
		return err
	}
	if *f.to != kit.Stdin {
		if _, err := os.Stat(*f.to); err != nil {
			return err
		}
		r.k.IO.Notef("%s\n", kit.ShownFile("wrote", *f.to))
	}
	return nil
}
