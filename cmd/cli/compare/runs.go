package compare

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
)

// last names the newest run.
const last = "last"

// shortest is how many characters of an id's end are enough.
const shortest = 4

// openBench opens the runs for looking at them: nothing is sent.
func openBench(ctx context.Context, k *kit.Kit) (*run.Bench, func(), error) {
	c, err := k.Config()
	if err != nil {
		return nil, nil, err
	}
	if k.NoHistory() {
		b := app.ReadBench(c, nil)
		return b, b.Close, nil
	}
	e, done, err := k.Reader(ctx)
	if err != nil {
		return nil, nil, err
	}
	b := app.ReadBench(c, e)
	return b, func() { b.Close(); done() }, nil
}

// find finds the run that a word names.
func find(ctx context.Context, b *run.Bench, word string) (run.Head, error) {
	all, err := b.List(ctx)
	if err != nil {
		return run.Head{}, err
	}
	var found []run.Head
	for _, h := range all {
		if h.ID == word || word == last || len(word) >= shortest && strings.HasSuffix(h.ID, strings.ToLower(word)) {
			if found = append(found, h); h.ID == word || word == last {
				return h, nil
			}
		}
	}
	switch {
	case len(all) == 0:
		return run.Head{}, kit.NotFound("there is no run yet; `darkroom compare run SUITE.yaml` makes one")
	case len(found) == 0:
		return run.Head{}, kit.NotFound("no run has the id %q; `darkroom compare list` shows them", client.CleanLine(word))
	case len(found) > 1:
		return run.Head{}, kit.Usage("more than one run has an id that ends with %q: give more of it", client.CleanLine(word))
	}
	return found[0], nil
}

// withRun runs fn on the run that a word names.
func withRun(ctx context.Context, k *kit.Kit, word string, fn func(context.Context, *compare.Run) error) error {
	b, done, err := openBench(ctx, k)
	if err != nil {
		return err
	}
	defer done()
	h, err := find(ctx, b, word)
	if err != nil {
		return err
	}
	r, err := b.Load(ctx, h.ID)
	if err != nil {
		return fmt.Errorf("run %s: %w", jobs.ShortID(h.ID), err)
	}
	return fn(ctx, &r)
}

func completeRuns(k *kit.Kit) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		c, err := k.Config()
		if err != nil || len(args) > 0 {
			return nil, none
		}
		b := app.ReadBench(c, nil)
		defer b.Close()
		ctx, cancel := context.WithTimeout(cmd.Context(), time.Second)
		defer cancel()
		all, err := b.List(ctx)
		if err != nil {
			return nil, none
		}
		out := []string{cobra.CompletionWithDesc(last, "the newest run")}
		for _, h := range all {
			out = append(out, cobra.CompletionWithDesc(jobs.ShortID(h.ID), client.CleanLine(h.Name+", "+string(h.Status))))
		}
		return out, none
	}
}

func newList(k *kit.Kit) *cobra.Command {
	var times kit.Choice
	limit := 0
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "the runs that are kept, newest first", Args: cobra.NoArgs,
		Long: `Lists the runs of the profile, newest first. An open one has trials that were not sent, or are
not over: ` + "`darkroom compare resume`" + ` goes on with it.`,
		Example: "  darkroom compare list\n  darkroom compare list -o ndjson",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := times.Check(); err != nil {
				return err
			}
			b, done, err := openBench(cmd.Context(), k)
			if err != nil {
				return err
			}
			defer done()
			all, err := b.List(cmd.Context())
			if err != nil {
				return err
			}
			if limit > 0 {
				all = all[:min(limit, len(all))]
			}
			if !k.Out.Table() {
				return kit.List(k.Out, all)
			}
			return listRuns(k, all, times.Clock())
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "the newest so many (default: all)")
	times.Times(cmd)
	return cmd
}

func listRuns(k *kit.Kit, all []run.Head, clock human.Times) error {
	if len(all) == 0 {
		k.IO.Notef("no runs yet; `darkroom compare run SUITE.yaml` makes one\n")
		return nil
	}
	var rows [][]string
	for _, h := range all {
		if h.Error != "" {
			rows = append(rows, []string{jobs.ShortID(h.ID), "", "unreadable", "", "", h.Error})
			continue
		}
		status := string(h.Status)
		if h.Live {
			status = "under way"
		}
		rows = append(rows, []string{jobs.ShortID(h.ID), h.Name, status, fmt.Sprintf("%d/%d", h.Tally.Done+h.Tally.Failed, h.Tally.Planned),
			fmt.Sprint(h.Tally.Failed), clock.Stamp(h.CreatedAt)})
	}
	return kit.Rows(k.IO.Out, []string{"ID", "NAME", "STATUS", "OVER", "FAILED", "BEGUN"}, rows)
}

func newResume(k *kit.Kit) *cobra.Command {
	s := &sending{k: k}
	cmd := &cobra.Command{
		Use: "resume RUN", Short: "go on with a run: send what is missing or failed", Args: cobra.ExactArgs(1),
		Long: `Sends the trials of a run that are missing, and once more those that failed; nothing that the
gateway may have accepted is sent again. The plan is the one that was kept: a suite that was
changed since is run anew. A trial that was sent again counts as it first came out.`,
		Example:           "  darkroom compare resume last",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if _, err := s.by.of(); err != nil {
				return err // before anything is paid for
			}
			b, done, err := openBench(ctx, k)
			if err != nil {
				return err
			}
			h, err := find(ctx, b, args[0])
			done()
			if err != nil {
				return err
			}
			gw, err := k.GatewayWithKey(ctx)
			if err != nil {
				return err
			}
			defer gw.Close()
			if err := gw.MayCreate(); err != nil {
				return err
			}
			err = s.resume(ctx, gw, h.ID)
			if errors.Is(err, run.ErrNothing) {
				return kit.Usage("run %s: %w", jobs.ShortID(h.ID), err)
			}
			return err
		},
	}
	s.flags(cmd)
	return cmd
}

func newStop(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "stop RUN", Short: "end a run early", Args: cobra.ExactArgs(1),
		Long: `Marks a run that nobody is at work on as ended: it is no longer open. What was sent stays in the
history, and what the run shows so far can be read. One that another program is sending is
stopped there: with ctrl+c, or in the console.`,
		Example:           "  darkroom compare stop last",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onRun(cmd.Context(), k, args[0], "stopped", func(ctx context.Context, b *run.Bench, id string) error { return b.Stop(ctx, id) })
		},
	}
}

func newRemove(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "rm RUN", Short: "remove a run; its jobs and files stay", Args: cobra.ExactArgs(1),
		Long:              `Removes what is kept of a run. Its jobs stay in the history, and their files where they are.`,
		Example:           "  darkroom compare rm 3f9a1c22",
		ValidArgsFunction: completeRuns(k),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onRun(cmd.Context(), k, args[0], "removed", func(ctx context.Context, b *run.Bench, id string) error { return b.Remove(ctx, id) })
		},
	}
}

// onRun does something to a run that a word names, and says so.
func onRun(ctx context.Context, k *kit.Kit, word, did string, fn func(context.Context, *run.Bench, string) error) error {
	b, done, err := openBench(ctx, k)
	if err != nil {
		return err
	}
	defer done()
	h, err := find(ctx, b, word)
	if err != nil {
		return err
	}
	if err := fn(ctx, b, h.ID); err != nil {
		return fmt.Errorf("run %s: %w", jobs.ShortID(h.ID), err)
	}
	if !k.Out.Table() {
		return k.Out.One(map[string]string{"run": h.ID, "did": did})
	}
	k.IO.Printf("%s %s\n", did, jobs.ShortID(h.ID))
	return nil
}
