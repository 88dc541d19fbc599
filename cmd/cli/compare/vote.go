package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/page"
)

func newVote(k *kit.Kit) *cobra.Command {
	judge, web, stay := "", false, false
	cmd := &cobra.Command{
		Use: "vote RUN", Short: "judge the results of a run blind", Args: cobra.ExactArgs(1),
		Long: `Shows pairs of results of one prompt without telling whose they are: pictures and moving video in
this terminal, or with --web in the browser, in full quality and with sound. That page is served on
this machine alone; its address holds a token. Each vote is kept at once: a vote that is interrupted
goes on where it ended. Without a terminal, and for a judge of another name, it is the page.`,
		Example:           "  darkroom compare vote last\n  darkroom compare vote last --web\n  darkroom compare vote 3f9a1c22 --judge ana --no-browser",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			var id string
			here := k.IO.Terminal() && !web && !stay && judge == ""
			err := withRun(cmd.Context(), k, args[0], func(ctx context.Context, r *compare.Run) error {
				if id = r.ID; here {
					return nil
				}
				return judgeRun(ctx, k, r, judge, !stay)
			})
			if err != nil || !here {
				return err
			}
			return k.Console(cmd.Context(), id)
		},
	}
	cmd.Flags().StringVar(&judge, "judge", "", "under which `NAME` the votes are kept (default: the user's); on the page")
	cmd.Flags().BoolVar(&web, "web", false, "in the browser, in full quality and with sound")
	cmd.Flags().BoolVar(&stay, "no-browser", false, "serve the page, print its address, and open nothing")
	return cmd
}

// judgeRun serves the vote of one judge until it ends.
func judgeRun(ctx context.Context, k *kit.Kit, r *compare.Run, judge string, open bool) error {
	judge = cmp.Or(judge, vote.Self(k.IO.Env))
	if err := vote.CheckJudge(judge); err != nil {
		return kit.Usage("--judge: %w", err)
	}
	c, err := k.Config()
	if err != nil {
		return err
	}
	s, err := vote.Open(app.RunsOf(c), r, judge)
	if errors.Is(err, vote.ErrNothing) {
		return kit.Exit(kit.ExitUsage, err)
	}
	if err != nil {
		return err
	}
	o := page.Options{Told: func(address string, err error) {
		if err != nil {
			k.IO.Tell("no browser could be opened: " + err.Error())
		}
		k.IO.Notef("%s\n", address)
	}}
	if open {
		o.Open = page.Browser
	}
	err = page.Serve(ctx, s, o)
	p := s.Progress()
	if err = errors.Join(err, s.Close()); err != nil && ctx.Err() == nil {
		return err
	}
	k.IO.Printf("%d of %s judged by %s; `darkroom compare votes` shows what they come to\n", p.Judged, human.Plural(int(p.Pairs), "pair"), judge)
	return nil
}

func newVotes(k *kit.Kit) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use: "votes RUN", Short: "what the votes on a run add up to", Args: cobra.ExactArgs(1),
		Long: `Merges the votes of all judges of a run: a ranking with its intervals, how far the judges agree,
ratings and notes. It names the models: what you vote after it is marked as seen, and does not count.
--import takes over the files that other judges have sent; ` + "`darkroom compare votes`" + ` says where yours lie.`,
		Example:           "  darkroom compare votes last\n  darkroom compare votes last --import bob.ndjson -o json",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd.Context(), k, args[0], func(_ context.Context, r *compare.Run) error { return showVotes(k, r, files) })
		},
	}
	cmd.Flags().StringArrayVar(&files, "import", nil, "take over a `FILE` of votes of another judge")
	return cmd
}

func showVotes(k *kit.Kit, r *compare.Run, files []string) error {
	c, err := k.Config()
	if err != nil {
		return err
	}
	dir := app.RunsOf(c)
	if len(files) > 0 {
		judges, err := vote.Import(dir, r, files...)
		if err != nil {
			return kit.Exit(kit.ExitUsage, err)
		}
		k.IO.Notef("took over the votes of %s\n", client.CleanLine(strings.Join(judges, ", ")))
	}
	got, err := vote.Results(dir, r)
	if err != nil {
		return err
	}
	if err := vote.Looked(dir, r, vote.Self(k.IO.Env)); err != nil {
		k.IO.Tell("that you looked is not noted: " + client.CleanLine(err.Error()))
	}
	if !k.Out.Table() {
		return k.Out.One(got)
	}
	if len(got.Judges) == 0 {
		k.IO.Notef("nobody has voted yet; `darkroom compare vote` begins\n")
		return nil
	}
	var rows [][]string
	for _, x := range got.Ranking.Items {
		preferred, strength := "-", "-" // of who is on no scale with another one
		if len(got.Ranking.Islands[x.Island]) > 1 {
			preferred, strength = fmt.Sprintf("%.0f %%", 100*x.Preferred), fmt.Sprintf("%.2f [%.2f, %.2f]", x.Strength, x.Low, x.High)
		}
		rows = append(rows, []string{x.Name, preferred, strength, fmt.Sprint(x.Wins), fmt.Sprint(x.Ties), fmt.Sprint(x.Losses)})
	}
	if err := kit.Rows(k.IO.Out, []string{"GROUP", "PREFERRED", "STRENGTH", "WON", "TIES", "LOST"}, rows); err != nil {
		return err
	}
	k.IO.Printf("\n")
	for _, w := range got.Words() {
		k.IO.Printf("%s\n", client.CleanLine(w))
	}
	k.IO.Notef("the votes lie in %s\n", client.CleanLine(vote.Folder(dir, r.ID)))
	return nil
}
