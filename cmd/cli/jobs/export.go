package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/export"
)

// exportOptions are those of `jobs export`.
type exportOptions struct {
	chosen
	form    string
	to      string
	without []string
	force   bool
}

// exported is what `jobs export` prints once a file is there.
type exported struct {
	Path string `json:"path"`
	Form string `json:"form"`
	Jobs int    `json:"jobs"`
}

func parts() []string { return []string{"prompts", "paths", "queries"} }

func newExport(k *kit.Kit) *cobra.Command {
	o := &exportOptions{chosen: chosen{k: k}}
	var forms []string
	for _, f := range export.Forms() {
		forms = append(forms, string(f))
	}
	cmd := &cobra.Command{Use: "export [JOB...]", Short: "write jobs as a sheet, JSON or a support bundle",
		Long: `Writes the named jobs, or those of a filter, to a file or to standard output: as CSV, one row
per job, with no formulas; as JSON; or as a bundle, a zip with summary, timelines,
requests and answers, which ` + "`darkroom inspect --bundle`" + ` opens. No gateway is asked, and no key is
in any of them. The name of the file tells the form where --as does not.

--without leaves out prompts, paths of this machine, and what stands behind the ? of addresses.
` + "`darkroom history export`" + ` writes the whole history, to be read in again.`,
		Example: `  darkroom jobs export --filter 'is:fault since:today' --to faults.csv
  darkroom jobs export 3f9a1c22 7be01d44 --to ticket-77.zip --without prompts,queries
  darkroom jobs export --view 'failed today' --as json | jq '.[].error'`,
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) }}
	o.flags(cmd, false)
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "the file; standard output without it")
	f.StringVar(&o.form, "as", "", "csv, json or bundle; csv where no name tells")
	_ = cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp))
	f.StringSliceVar(&o.without, "without", nil, "leave out "+strings.Join(parts(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("without", cobra.FixedCompletions(parts(), cobra.ShellCompDirectiveNoFileComp))
	f.BoolVar(&o.force, "force", false, "replace a file that is there")
	return cmd
}

// options reads the flags.
func (o *exportOptions) options() (export.Options, error) {
	var out export.Options
	for _, w := range o.without {
		if !slices.Contains(parts(), w) {
			return out, kit.Usage("--without %q: allowed are %s", w, strings.Join(parts(), ", "))
		}
	}
	without := func(part string) bool { return slices.Contains(o.without, part) }
	out.NoPrompts, out.NoPaths, out.NoQueries = without("prompts"), without("paths"), without("queries")
	out.Program, out.Made = o.k.Version, time.Now()
	switch out.Form = export.Form(o.form); {
	case out.Form != "" && !slices.Contains(export.Forms(), out.Form):
		return out, kit.Usage("--as %q: allowed are csv, json and bundle", o.form)
	case out.Form != "":
	case export.FormOf(o.to) != "":
		out.Form = export.FormOf(o.to)
	default:
		out.Form = export.CSV
	}
	if out.Form == export.Bundle && o.to == "" {
		return out, kit.Usage("--as bundle: name a file with --to")
	}
	return out, nil
}

func (o *exportOptions) run(ctx context.Context, words []string) error {
	if err := o.check(words); err != nil {
		return err
	}
	opts, err := o.options()
	if err != nil {
		return err
	}
	r, done, err := o.k.Reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	ids, err := o.ids(ctx, r, words)
	if err != nil {
		return err
	}
	p, err := export.New(r, opts)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := p.Add(ctx, id); err != nil {
			return err
		}
	}
	if o.to == "" {
		return p.Write(o.k.IO.Out)
	}
	switch err := p.File(o.to, o.force); {
	case errors.Is(err, export.ErrThere):
		return kit.Usage("--to %s: %w; --force replaces it", client.CleanLine(o.to), err)
	case err != nil:
		return err
	}
	if !o.k.Out.Table() {
		return o.k.Out.One(exported{o.to, string(opts.Form), p.Len()})
	}
	o.k.IO.Notef("%s, in %s\n", human.Plural(p.Len(), "job"), client.CleanLine(o.to))
	return nil
}

// ids are those of the chosen jobs, in the order of the filter or as they were named.
func (o *exportOptions) ids(ctx context.Context, r *jobs.Engine, words []string) (ids []string, err error) {
	for _, w := range words {
		j, err := kit.Find(ctx, r, w)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, j.ID) {
			ids = append(ids, j.ID)
		}
	}
	if len(words) > 0 {
		return ids, nil
	}
	q, err := o.query()
	if err != nil {
		return nil, err
	}
	for q.Limit = listPage; ; {
		page, err := r.List(ctx, q)
		if err != nil {
			return nil, err
		}
		ids = append(ids, kit.IDs(page.Jobs)...)
		if page.Next == "" {
			break
		}
		q.Before = page.Next
	}
	if len(ids) == 0 {
		return nil, kit.NotFound("no job fits")
	}
	return ids, nil
}
