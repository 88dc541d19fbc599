package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"darkroom/cmd/app"
	"darkroom/jobs"
	"darkroom/jobs/download"
)

type downloadOptions struct {
	g         *globals
	dir       string
	template  string
	overwrite bool
}

func newJobsDownload(g *globals) *cobra.Command {
	o := &downloadOptions{g: g}
	cmd := &cobra.Command{Use: "download JOB...", Short: "save the results of jobs", Args: cobra.MinimumNArgs(1),
		Long: `Saves the results of completed jobs, whole or not at all, each with a file that says what
it was made of. What is on the disk already is not fetched again, and nothing is overwritten,
unless --overwrite asks for both. Interrupt it as you like: the same command goes on from
where it was, with the same --dir and --template.

A template names the files below the folder, as {date}/{model}_{id}_{index}.{ext} does. It
may have these, and ends in .{ext}:

  ` + download.Placeholders() + `

The settings have the same as name_template, and max_download, keep_free,
parallel_downloads and sidecars beside it.`,
		Example:           "  darkroom jobs download 3f9a1c22 --dir .\n  darkroom jobs download 3f9a1c22 --dir . --template '{title}_{index}.{ext}' --overwrite",
		ValidArgsFunction: g.completeJobs(jobs.ActDownload.States()...),
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
			return usage("--template: %w", err)
		}
	}
	d, done, err := o.g.desk(ctx, app.DeskOptions{Downloads: o.dir, Template: o.template, Overwrite: o.overwrite, OwnOnly: true})
	if err != nil {
		return err
	}
	defer done()
	all, err := findOwn(ctx, d, words)
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
			return usage("job %s is %s: only completed jobs have results to save", shortID(j.ID), j.State)
		}
		if err := fetch(ctx, j.ID); err != nil {
			return err
		}
	}
	ended, err := o.g.watch(ctx, d, idsOf(all), true)
	if err != nil && ctx.Err() != nil {
		return stopped{"stopped; what came is kept, and the same command goes on from there"}
	}
	if err == nil && o.dir != "" {
		err = keepIn(o.dir, ended)
	}
	if err != nil {
		return err
	}
	o.g.warnings(ended)
	if err := o.g.printJobs(ctx, d.Engine, ended, len(words) == 1); err != nil {
		return err
	}
	return outcome(ctx, d.Engine, ended, true)
}
