package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

type watchOptions struct {
	k *kit.Kit
}

func newWatch(k *kit.Kit) *cobra.Command {
	o := &watchOptions{k: k}
	return &cobra.Command{Use: "watch [JOB...]", Short: "follow jobs to their end",
		Long: `Follows jobs to their end: those named, or all of the profile that have not ended. Progress
goes to standard error, the jobs as they ended to standard output. Interrupt it as you like.`,
		Example:           "  darkroom jobs watch\n  darkroom jobs watch 3f9a1c22 && echo done",
		ValidArgsFunction: k.CompleteJobs(unended()...),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) }}
}

// unended are the states in which watching waits.
func unended() []jobs.State {
	return slices.DeleteFunc(jobs.States(), func(s jobs.State) bool { return !s.Active() })
}

func (o *watchOptions) run(ctx context.Context, words []string) error {
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	d, done, err := o.k.Desk(ctx, app.DeskOptions{AutoDownload: c.AutoDownload, OwnOnly: len(words) > 0})
	if err != nil {
		return err
	}
	defer done()
	all, err := o.pick(ctx, d, words)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return follow.Print(ctx, o.k, d.Engine, nil, false)
	}
	if err := d.CheckKey(); err != nil {
		return err
	}
	for _, j := range all {
		if !j.State.Polled() {
			continue
		}
		if err := d.Engine.Repoll(ctx, j.ID); err != nil {
			return err
		}
	}
	ended, err := follow.Watch(ctx, o.k, d, kit.IDs(all), true)
	if err != nil {
		return err
	}
	follow.Warnings(o.k, ended)
	if err := follow.Print(ctx, o.k, d.Engine, ended, len(words) == 1); err != nil {
		return err
	}
	return errors.Join(follow.Outcome(ctx, d.Engine, ended, false), follow.HeldError(ctx, o.k, d, follow.WhatUnsent, follow.Unsent(ended)))
}

func (o *watchOptions) pick(ctx context.Context, d *app.Desk, words []string) ([]jobs.Job, error) {
	if len(words) > 0 {
		return kit.FindOwn(ctx, d, words)
	}
	page, err := d.Engine.List(ctx, jobs.Query{Profile: d.Config.Profile.Name, States: unended(), Limit: 10000})
	return page.Jobs, err
}

// each does one thing to each named job, and prints the jobs as they are afterwards.
func each(ctx context.Context, k *kit.Kit, words []string, key bool, act func(*app.Desk, jobs.Job) (jobs.Job, error)) error {
	d, done, err := k.Desk(ctx, app.DeskOptions{OwnOnly: true})
	if err != nil {
		return err
	}
	defer done()
	if key {
		if err := d.CheckKey(); err != nil {
			return err
		}
	}
	all, err := kit.FindOwn(ctx, d, words)
	if err != nil {
		return err
	}
	for i, j := range all {
		if all[i], err = act(d, j); err != nil {
			return follow.WithNext(err, j)
		}
	}
	if err := follow.Print(ctx, k, d.Engine, all, len(words) == 1); err != nil || !key {
		return err
	}
	return errors.Join(follow.Outcome(ctx, d.Engine, all, false), follow.HeldError(ctx, k, d, follow.WhatUnsent, follow.Unsent(all)))
}

func newDrop(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "drop JOB...", Short: "stop tracking jobs", Args: cobra.MinimumNArgs(1),
		Long:              "Stops tracking jobs. The gateway is not told: it has no cancel, and what runs there goes on.",
		Example:           "  darkroom jobs drop 3f9a1c22",
		ValidArgsFunction: k.CompleteJobs(append(unended(), jobs.Ambiguous)...),
		RunE: func(cmd *cobra.Command, args []string) error {
			return each(cmd.Context(), k, args, false, func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
				if err := d.Engine.Drop(cmd.Context(), j.ID); err != nil {
					return j, err
				}
				return d.Engine.Get(cmd.Context(), j.ID)
			})
		}}
}

func newResend(k *kit.Kit) *cobra.Command {
	with := false
	cmd := &cobra.Command{Use: "resend JOB...", Short: "send ambiguous or refused jobs again, as new ones", Args: cobra.MinimumNArgs(1),
		Long: `Sends the drafts of ambiguous or refused jobs again, as new jobs, and drops the old ones.
An ambiguous one may then exist twice: look whether the gateway has it first, and adopt
its id where it does. Of a job that another installation made local files are sent with
--with-files only: those that lie at its paths on this machine.`,
		Example:           "  darkroom jobs resend 3f9a1c22",
		ValidArgsFunction: k.CompleteJobs(jobs.ActResend.States()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			return each(cmd.Context(), k, args, true, func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
				if with {
					if err := sendFiles(cmd.Context(), k, d, j); err != nil {
						return j, err
					}
				}
				id, err := d.Engine.Resend(cmd.Context(), j.ID)
				if err != nil {
					return j, withFiles(err, "resend", j)
				}
				all, err := follow.Watch(cmd.Context(), k, d, []string{id}, false)
				if err != nil {
					return j, err
				}
				return all[0], nil
			})
		}}
	withFilesFlag(cmd, &with)
	return cmd
}

func newRepoll(k *kit.Kit) *cobra.Command {
	c := &chosen{k: k}
	cmd := &cobra.Command{Use: "repoll [JOB...]", Short: "query tasks now",
		Long: `Queries the tasks of jobs once, now; lost ones are looked for again. Where a pause keeps a
task from being asked for it says so, and ends with 6; the job is asked for when the pause
ends.`,
		Example:           "  darkroom jobs repoll 3f9a1c22\n  darkroom jobs repoll --view stuck --yes",
		ValidArgsFunction: k.CompleteJobs(jobs.ActRepoll.States()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			var silent []error // tasks not queried, reported after the jobs
			begin := func(d *app.Desk, j jobs.Job) error {
				return withFiles(d.Engine.Repoll(cmd.Context(), j.ID), "resume", j)
			}
			err := c.each(cmd.Context(), args, work{verb: "Ask again about", fits: jobs.ActRepoll, key: true, begin: begin, act: func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
				now, err := asked(cmd.Context(), k, d, j)
				if err == nil && now.Polls == j.Polls && now.State.Polled() {
					silent = append(silent, cmp.Or(follow.HeldError(cmd.Context(), k, d, follow.WhatUnasked, []jobs.Job{now}), notAsked(now)))
				}
				return now, err
			}})
			return errors.Join(err, errors.Join(silent...))
		}}
	c.flags(cmd, true)
	return cmd
}

// askLimit is how long to wait for a query; after that it goes on in another process.
const askLimit = 30 * time.Second

// notAsked is the error for a task that was not queried in time, though nothing is paused.
func notAsked(j jobs.Job) error {
	return kit.Exit(kit.ExitFailed, fmt.Errorf("job %s was not asked for within %s, others are before it; `darkroom jobs watch %s` goes on", jobs.ShortID(j.ID), askLimit, jobs.ShortID(j.ID)))
}

// asked waits until a job's task was queried once more, or until it sees that a pause prevents
// that.
func asked(ctx context.Context, k *kit.Kit, d *app.Desk, before jobs.Job) (jobs.Job, error) {
	limit := time.NewTimer(askLimit)
	defer limit.Stop()
	for {
		j, err := d.Engine.Get(ctx, before.ID)
		if err != nil || j.Polls > before.Polls || !j.State.Active() || len(follow.HeldNow(k, d, j)) > 0 {
			return j, err
		}
		select {
		case <-d.Engine.Dirty():
		case <-d.Ended():
			return j, follow.Ended(d)
		case <-limit.C:
			return j, nil
		case <-ctx.Done():
			return j, ctx.Err()
		}
	}
}

func newAdopt(k *kit.Kit) *cobra.Command {
	insist := false
	cmd := &cobra.Command{Use: "adopt JOB TASK-ID", Short: "give an ambiguous or lost job its task's id", Args: cobra.ExactArgs(2),
		Long: `Gives an ambiguous job, whose create was not answered, the id that its task turned out to
have. The job is followed from then on. A job whose task the gateway does not know (lost), as
after a typing error, can be given another id.

The gateway is asked first, and what it says of the task is told. Where it does not know the
id (exit code 3), or cannot be asked, nothing is changed; --insist adopts all the same.`,
		Example:           "  darkroom jobs adopt 3f9a1c22 video_abc123",
		ValidArgsFunction: k.CompleteOne(jobs.ActAdopt.States()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := client.CheckTaskID(args[1]); err != nil {
				return kit.Usage("%w", err)
			}
			return each(cmd.Context(), k, args[:1], false, func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
				return adopt(cmd.Context(), k, d, j, args[1], insist)
			})
		}}
	cmd.Flags().BoolVar(&insist, "insist", false, "adopt the id without asking the gateway whether it knows it")
	return cmd
}

// adopt gives a job a task id, which the gateway must know unless the person insists.
func adopt(ctx context.Context, k *kit.Kit, d *app.Desk, j jobs.Job, taskID string, insist bool) (jobs.Job, error) {
	said := "the gateway was not asked for it"
	if !insist {
		if err := d.CheckKey(); err != nil {
			return j, err
		}
		t, err := d.Engine.Adoptable(ctx, j.ID, taskID)
		switch {
		case errors.Is(err, jobs.ErrState) || ctx.Err() != nil:
			return j, err
		case errors.Is(err, jobs.ErrUnknownTask):
			return j, kit.NotFound("%w; nothing was changed, --insist adopts it all the same", err)
		case err != nil:
			return j, fmt.Errorf("%w; nothing was changed, --insist adopts it all the same", err)
		}
		said = "the gateway says that it is " + jobs.TaskText(j, t)
	}
	if err := d.Engine.Adopt(ctx, j.ID, taskID); err != nil {
		return j, err
	}
	k.IO.Notef("job %s follows task %s; %s\n", jobs.ShortID(j.ID), client.CleanLine(taskID), client.CleanLine(said))
	return d.Engine.Get(ctx, j.ID)
}
