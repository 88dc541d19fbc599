package jobs

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
	"darkroom/jobs/download"
)

type downloadOptions struct {
	k         *kit.Kit
	dir       string
	template  string
	overwrite bool
}

func newDownload(k *kit.Kit) *cobra.Command {
	o := &downloadOptions{k: k}
	cmd := &cobra.Command{Use: "download JOB...", Short: "save the results of jobs", Args: cobra.MinimumNArgs(1),
		Long: `Saves the results of completed jobs, whole or not at all, each with a file that says what
it was made of. What is on the disk already is not fetched again, and nothing is overwritten,
unless --overwrite asks for both. Interrupt it as you like: the same command goes on from
where it was, with the same --dir and --template.

A template names the files below the folder, as {date}/{words}_{model}_{short}{nth}.{ext} does. It
may have these, and ends in .{ext}:

  ` + download.Placeholders() + `

{words} are the first words of the prompt, {short} is the end of the job's id, and {nth} tells
the results of one job apart: nothing for the first, then -2 and so on.

The settings have the same as name_template, and max_download, keep_free,
parallel_downloads and sidecars beside it.`,
		Example:           "  darkroom jobs download 3f9a1c22 --dir .\n  darkroom jobs download 3f9a1c22 --dir . --template '{title}_{index}.{ext}' --overwrite",
		ValidArgsFunction: k.CompleteJobs(jobs.ActDownload.States()...),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) }}
	cmd.Flags().StringVar(&o.dir, "dir", "", "folder to save into (default: the configured one)")
	cmd.Flags().StringVar(&o.template, "template", "", "how the files are named (default: as configured)")
	cmd.Flags().BoolVar(&o.overwrite, "overwrite", false, "fetch what is on the disk already, and overwrite it")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func (o *downloadOptions) run(ctx context.Context, words []string) error {
	if o.template != "" {
		if err := download.CheckTemplate(o.template); err != nil {
			return kit.Usage("--template: %w", err)
		}
	}
	d, done, err := o.k.Desk(ctx, app.DeskOptions{Downloads: o.dir, Template: o.template, Overwrite: o.overwrite, OwnOnly: true})
	if err != nil {
		return err
	}
	defer done()
	all, err := kit.FindOwn(ctx, d, words)
	if err != nil {
		return err
	}
	if err := d.CheckKey(); err != nil {
		return err
	}
	fetch := d.Engine.Download
	if o.overwrite {
		fetch = d.Engine.DownloadAgain
	}
	for _, j := range all {
		if !slices.Contains(jobs.ActDownload.States(), j.State) {
			return kit.Usage("job %s is %s: only completed jobs have results to save", jobs.ShortID(j.ID), j.State)
		}
		if err := fetch(ctx, j.ID); err != nil {
			return err
		}
	}
	ended, err := follow.Watch(ctx, o.k, d, kit.IDs(all), true)
	if err != nil && ctx.Err() != nil {
		return kit.Stopped("stopped; what came is kept, and the same command goes on from there")
	}
	if err == nil && o.dir != "" {
		err = keepIn(o.dir, ended)
	}
	if err != nil {
		return err
	}
	follow.Warnings(o.k, ended)
	if err := follow.Print(ctx, o.k, d.Engine, ended, len(words) == 1); err != nil {
		return err
	}
	return follow.Outcome(ctx, d.Engine, ended, true)
}
