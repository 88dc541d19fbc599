package compare

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/check"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
)

// runner holds the flags of `compare run`.
type runner struct {
	k       *kit.Kit
	send    sending
	dryRun  bool
	yes     bool
	attach  bool
	seed    uint64
	repeats int
	limit   int

	seeded bool // --seed was given
}

func newRun(k *kit.Kit) *cobra.Command {
	r := &runner{k: k, send: sending{k: k}}
	cmd := &cobra.Command{
		Use: "run SUITE.yaml", Short: "run a suite, and say what it shows", Args: cobra.ExactArgs(1),
		Long: `Plans the run of a suite, asks whether so many trials are meant, sends them, and prints what they
show. The plan is kept before anything is sent: a run that is interrupted goes on with
` + "`darkroom compare resume`" + `, and sends nothing twice. It ends with 10 if the suite's expectations are
not met, and with 1 if a trial failed and none of them is about its status, error or success.
- is a suite on standard input.

Without a terminal nobody is asked: up to ` + fmt.Sprint(suite.DefaultLimit) + ` trials are sent, and more with --yes.`,
		Example: `  darkroom compare run kites.yaml --dry-run
  darkroom compare run kites.yaml --repeats 5 --seed 7
  darkroom compare run kites.yaml --junit kites.xml -o json`,
		ValidArgsFunction: completeSuites,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.seeded = cmd.Flags().Changed("seed")
			return r.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.dryRun, "dry-run", false, "say how many trials it is, how long they take and what cannot run, and send nothing")
	f.BoolVar(&r.yes, "yes", false, "do not ask whether so many trials are meant")
	f.Uint64Var(&r.seed, "seed", 0, "the number that the order and the trials' seeds follow from, to repeat a run (default: a new one)")
	f.IntVar(&r.repeats, "repeats", 0, "how often each cell is sent, in place of the suite's")
	f.IntVar(&r.limit, "limit", 0, "refuse a run of more trials, in place of the suite's limit")
	f.BoolVar(&r.attach, "attach-files", false, "send files from outside the suite's folder that it names")
	r.send.flags(cmd)
	return cmd
}

func completeSuites(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// suite reads the suite, with what the flags say in its place. Flags are checked first: before anything is
// paid for.
func (r *runner) suite(ctx context.Context, file string) (suiteFile, error) {
	if _, err := r.send.by.of(); err != nil {
		return suiteFile{}, err
	}
	switch {
	case r.repeats < 0 || r.repeats > suite.MaxRepeats:
		return suiteFile{}, kit.Usage("--repeats %d: 1 to %d are allowed", r.repeats, suite.MaxRepeats)
	case r.limit < 0 || r.limit > suite.MaxTrials:
		return suiteFile{}, kit.Usage("--limit %d: 1 to %d are allowed", r.limit, suite.MaxTrials)
	case r.seeded && r.seed == 0:
		return suiteFile{}, kit.Usage("--seed 0: a number from 1 is needed")
	}
	s, err := readSuite(ctx, r.k, file)
	if err != nil {
		return s, err
	}
	if r.repeats > 0 {
		s.Repeats = r.repeats
	}
	if r.limit > 0 {
		s.Limit = r.limit
	}
	if !r.seeded {
		r.seed = 1 + uint64(rand.Uint32()) //nolint:gosec // a number to repeat a run with, no secret
	}
	return s, nil
}

func (r *runner) run(ctx context.Context, file string) error {
	s, err := r.suite(ctx, file)
	if err != nil {
		return err
	}
	open := r.k.GatewayWithKey
	if r.dryRun {
		open = r.k.Gateway
	}
	gw, err := open(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	run, f, err := planned(ctx, r.k, gw, &s, r.seed)
	if r.dryRun && len(run.Cells) > 0 {
		if s.Score != nil {
			f.Notes = append(f.Notes, "it starts "+strings.Join(s.Score.Command, " ")+" for each result, where --allow-scorer says that it may")
		}
		if failed := r.show(&run, f); failed != nil {
			return failed
		}
	}
	if err != nil || r.dryRun {
		return err
	}
	if err := gw.MayCreate(); err != nil {
		return err
	}
	if err := r.confirm(ctx, &s, f); err != nil {
		return err
	}
	return r.send.start(ctx, gw, run)
}

// confirm asks whether so much is meant, and about what a suite of somebody else's could do.
func (r *runner) confirm(ctx context.Context, s *suiteFile, f plan.Forecast) error {
	if f.Able == 0 {
		for _, why := range f.Cannot {
			r.k.IO.Tell(why.Text)
		}
		return kit.Usage("none of the cells can run")
	}
	if err := r.mayAttach(ctx, s, f.Outside); err != nil {
		return err
	}
	if err := r.send.mayScore(ctx, s.Score); err != nil {
		return err
	}
	r.summary(f)
	n := f.Trials + f.Warmups
	switch {
	case r.yes:
		return nil
	case r.k.IO.TtyIn == nil && n <= suite.DefaultLimit:
		return nil
	case r.k.IO.TtyIn == nil:
		return kit.Usage("%s, and there is no terminal to ask on: --yes says that so many are meant", human.Plural(n, "trial"))
	}
	sure, err := r.k.IO.Ask(ctx, "Send "+human.Plural(n, "trial")+r.k.At()+"?")
	if err == nil && !sure {
		err = kit.Exit(kit.ExitCancelled, kit.Stopped("nothing was sent"))
	}
	return err
}

// maxNamed is how many files a question lists by name.
const maxNamed = 10

// mayAttach asks before sending files from outside the suite's folder, since somebody else may have
// written it.
func (r *runner) mayAttach(ctx context.Context, s *suiteFile, files []string) error {
	if len(files) == 0 || r.attach {
		return nil
	}
	said := outside(files)
	if s.path != "" && r.k.IO.TtyIn != nil && r.k.IO.TtyErr != nil {
		if sure, err := r.k.IO.Ask(ctx, said+r.k.At()+". Attach them?"); err != nil || sure {
			return err
		}
	}
	return kit.Usage("%s; --attach-files says that this is meant", said)
}

// outside names files that a suite sends from outside its folder.
func outside(files []string) string {
	said := client.CleanLine("the suite sends files from outside its folder: " + strings.Join(files[:min(len(files), maxNamed)], ", "))
	if n := len(files) - maxNamed; n > 0 {
		said += fmt.Sprintf(" and %d more", n)
	}
	return said
}

// summary says on standard error what is about to be sent.
func (r *runner) summary(f plan.Forecast) {
	r.k.IO.Notef("%s\n", quantity(f))
	if text := takes(f); text != "" {
		r.k.IO.Notef("%s\n", text)
	}
	for _, why := range f.Cannot {
		r.k.IO.Notef("cannot run: %s (%s)\n", client.CleanLine(why.Text), cellsOf(why.Cells))
	}
	for _, n := range f.Notes {
		r.k.IO.Tell(n)
	}
}

func quantity(f plan.Forecast) string {
	text := fmt.Sprintf("%s of %s", human.Plural(f.Trials, "trial"), human.Plural(f.Able, "cell"))
	if f.Warmups > 0 {
		text += " and " + human.Plural(f.Warmups, "warm-up")
	}
	if n := f.Cells - f.Able; n > 0 {
		text += "; " + human.Plural(n, "cell") + " cannot run"
	}
	return text
}

// takes says how long a run takes, "" where nothing is known.
func takes(f plan.Forecast) string {
	switch {
	case f.Able == 0:
		return ""
	case f.Unknown == f.Able:
		return "how long it takes is not known: the history has no such tasks"
	case f.Unknown > 0:
		return fmt.Sprintf("at least %s, as earlier tasks took; nothing is known of %s", human.Dur(f.Expected), human.Plural(f.Unknown, "cell"))
	}
	return "about " + human.Dur(f.Expected) + ", as earlier tasks took"
}

// cellsOf names a few cells.
func cellsOf(numbers []int) string {
	const most = 5
	var words []string
	for _, n := range numbers[:min(len(numbers), most)] {
		words = append(words, fmt.Sprint(n))
	}
	text := "cell " + strings.Join(words, ", ")
	if len(numbers) > 1 {
		text = "cells " + strings.Join(words, ", ")
	}
	if n := len(numbers) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// dry is a plan as machines get it.
type dry struct {
	Name      string        `json:"name"`
	SuiteHash string        `json:"suite_hash"`
	Seed      uint64        `json:"seed"`
	Forecast  plan.Forecast `json:"forecast"`
	Cells     []dryCell     `json:"cells"`
	Order     []string      `json:"order"`
}

type dryCell struct {
	compare.Cell
	Group string `json:"group"`
}

// show prints a plan.
func (r *runner) show(run *compare.Run, f plan.Forecast) error {
	if !r.k.Out.Table() {
		out := dry{Name: run.Name, SuiteHash: run.SuiteHash, Seed: run.Seed, Forecast: f, Order: []string{}}
		for _, c := range run.Cells {
			out.Cells = append(out.Cells, dryCell{c, c.Group(run.Formats())})
		}
		for _, s := range run.Order {
			out.Order = append(out.Order, s.String())
		}
		return r.k.Out.One(out)
	}
	r.k.IO.Printf("%s: %s; --seed %d plans the same again\n", client.CleanLine(run.Name), quantity(f), run.Seed)
	if text := takes(f); text != "" {
		r.k.IO.Printf("%s\n", text)
	}
	var cells [][]string
	for _, m := range f.Models {
		cells = append(cells, []string{strings.TrimSpace(m.Model + " " + m.ModelName), fmt.Sprint(m.Cells), fmt.Sprint(m.Trials), fmt.Sprint(m.Warmups), fmt.Sprint(m.Cannot)})
	}
	if err := kit.Rows(r.k.IO.Out, []string{"MODEL", "CELLS", "TRIALS", "WARM-UPS", "CANNOT RUN"}, cells); err != nil {
		return err
	}
	for _, why := range f.Cannot {
		r.k.IO.Printf("cannot run: %s (%s)\n", client.CleanLine(why.Text), cellsOf(why.Cells))
	}
	if len(f.Outside) > 0 && !r.attach {
		f.Notes = append(f.Notes, outside(f.Outside)+"; --attach-files says that this is meant")
	}
	for _, n := range slices.Concat(f.Notes, notesOf(run)) {
		r.k.IO.Printf("note: %s\n", client.CleanLine(n))
	}
	return nil
}

// notesOf are the remarks on the cells, each once.
func notesOf(run *compare.Run) []string {
	var out []string
	for i := range run.Cells {
		for _, n := range run.Cells[i].Notes {
			if !slices.Contains(out, n) && len(out) < 20 {
				out = append(out, n)
			}
		}
	}
	return out
}

// outcome is the error that a run ends with.
func outcome(run *compare.Run) error {
	t := run.Tally()
	unclear, unforeseen := 0, 0
	for _, x := range run.Latest() {
		if x.State == jobs.Ambiguous {
			unclear++
		}
		if check.Unforeseen(run, x) {
			unforeseen++
		}
	}
	failed := check.Failed(run)
	switch {
	case failed > 0:
		return kit.Exit(kit.ExitChecks, fmt.Errorf("%s not met", human.Plural(failed, "expectation")+" "+areOf(failed)))
	case unclear > 0:
		return kit.Exit(kit.ExitAmbiguous, fmt.Errorf("of %s nobody knows whether the gateway accepted it; see `darkroom jobs list`", human.Plural(unclear, "trial")))
	case run.Status == compare.Stopped:
		return kit.Exit(kit.ExitFailed, fmt.Errorf("the run was stopped with %d of %d trials", t.Done+t.Failed, t.Planned))
	case run.Status != compare.Ended:
		return kit.Exit(kit.ExitFailed, fmt.Errorf("the run could not go on: %d of %d trials are over; `darkroom compare resume %s` sends the rest", t.Done+t.Failed, t.Planned, jobs.ShortID(run.ID)))
	case unforeseen > 0 && expects(run):
		return kit.Exit(kit.ExitFailed, fmt.Errorf("%d of %d trials failed, and the suite does not say whether they may: expect: success >= 2/3 would", unforeseen, t.Planned))
	case unforeseen > 0:
		return kit.Exit(kit.ExitFailed, fmt.Errorf("%d of %d trials failed", t.Failed, t.Planned))
	}
	return nil
}

func areOf(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// expects reports whether the suite of a run says what it expects.
func expects(run *compare.Run) bool {
	s, err := suite.Parse(run.Name, []byte(run.Suite))
	return err == nil && len(s.Expect) > 0
}

// junit writes a run as JUnit XML.
func junit(k *kit.Kit, file string, run *compare.Run) error {
	return writeFile(k, "--junit", file, func(w io.Writer) error { return check.JUnit(w, run) })
}
