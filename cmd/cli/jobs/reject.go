package jobs

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

type rejectOptions struct {
	chosen
	undo bool
}

func newReject(k *kit.Kit) *cobra.Command {
	o := &rejectOptions{chosen: chosen{k: k}}
	cmd := &cobra.Command{Use: "reject [JOB...]", Short: "reject results: out of the lists, and their files removed",
		Long: `Rejects jobs that have ended. Lists leave them out from then on, in the console, too; the filter
is:rejected shows them. Their files below the folder of the downloads are removed at once, with
their sidecars, after a question; files that were changed since they were saved, and those that
another job names, stay. The history keeps the job with its request and all that was seen of it,
so that its id can still be looked up. Starred jobs are not rejected, nor those that have not
ended.

--undo takes a reject back: the job is in the lists again. The files come back with it only where
they are still there, as while the console that rejected them runs; ` + "`darkroom jobs download`" + `
fetches others again, as long as the gateway has them.`,
		Example: `  darkroom jobs reject 3f9a1c22 7be01d44
  darkroom jobs reject --filter 'state:failed ended>30d' --yes -o json
  darkroom jobs reject --undo 3f9a1c22`,
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) }}
	o.flags(cmd, true)
	cmd.Flags().Lookup("yes").Usage = "do not ask"
	cmd.Flags().BoolVar(&o.undo, "undo", false, "take it back")
	return cmd
}

func (o *rejectOptions) run(ctx context.Context, words []string) error {
	if err := o.check(words); err != nil {
		return err
	}
	d, done, err := o.k.Desk(ctx, app.DeskOptions{OwnOnly: true, NoDownloads: true})
	if err != nil {
		return err
	}
	defer done()
	all, err := o.pick(ctx, d, words)
	if err != nil {
		return err
	}
	if !o.undo {
		if err := o.sure(ctx, all); err != nil {
			return err
		}
	}
	failed := d.Engine.Reject(ctx, kit.IDs(all), !o.undo)
	gone, err := d.Purge(ctx)
	if failed = errors.Join(failed, err); o.undo {
		o.tellMissing(ctx, d, all)
	} else if o.k.Out.Table() {
		o.k.IO.Notef("removed %s, %s\n", human.Plural(gone.Files, "file"), human.Bytes(gone.Bytes))
	}
	for _, left := range gone.Left {
		o.k.IO.Notef("left %s\n", left)
	}
	now := make([]jobs.Job, 0, len(all))
	for _, j := range all {
		after, err := d.Engine.Get(ctx, j.ID)
		if err != nil {
			return errors.Join(failed, err)
		}
		now = append(now, after)
	}
	return errors.Join(follow.Print(ctx, o.k, d.Engine, now, len(words) == 1), failed)
}

// pick finds the jobs. A filter to undo by means the rejected ones.
func (o *rejectOptions) pick(ctx context.Context, d *app.Desk, words []string) ([]jobs.Job, error) {
	fits := jobs.ActReject
	c := o.chosen
	if c.yes = true; o.undo { // sure asks
		fits = jobs.ActRestore
		c.filter += " is:rejected"
	}
	if o.many() {
		return c.find(ctx, d, nil, "", fits)
	}
	return kit.FindOwn(ctx, d, words)
}

// sure asks, with what is at stake.
func (o *rejectOptions) sure(ctx context.Context, all []jobs.Job) error {
	files, bytes := 0, int64(0)
	for i := range all {
		for _, f := range all[i].Files {
			if f.Here() {
				files, bytes = files+1, bytes+f.Bytes
			}
		}
	}
	if o.yes {
		return nil
	}
	what := "Reject " + human.Plural(len(all), "job") + o.k.At()
	if files > 0 {
		what += " and remove " + human.Plural(files, "file") + " (" + human.Bytes(bytes) + ")"
	}
	if o.k.IO.TtyIn == nil {
		return kit.Usage("there is no terminal to ask on (%s?): --yes does it without a question", what)
	}
	sure, err := o.k.IO.Ask(ctx, what+"?")
	if err == nil && !sure {
		err = kit.Stopped("nothing was done")
	}
	return err
}

// tellMissing says which files did not come back.
func (o *rejectOptions) tellMissing(ctx context.Context, d *app.Desk, all []jobs.Job) {
	for _, before := range all {
		j, err := d.Engine.Get(ctx, before.ID)
		if err != nil {
			continue
		}
		gone := 0
		for _, f := range j.Files {
			if f.State == jobs.FileRemoved {
				gone++
			}
		}
		if gone > 0 {
			id := client.CleanLine(jobs.ShortID(j.ID))
			o.k.IO.Notef("job %s: %s removed already; `darkroom jobs download %s` fetches what the gateway still has\n", id, human.Plural(gone, "file"), id)
		}
	}
}
