package create

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/chain"
)

// fromJobLong is the paragraph about --from-job in the help.
const fromJobLong = `

--from-job JOB goes on with the result of a finished job, and --as says how: reference puts it
among the references of this request; i2v makes its picture, or the last frame of its video,
the first image of a video; extend gives the id of its task to a mode that extends it; edit
edits it. But for reference, the prompt and settings of that job are what this one begins
with, and its model is kept if it can do that. The saved file is used, else the address of the
result. The new job remembers that one: ` + "`darkroom jobs chain`" + ` shows them together.`

func longOf(m client.Modality) string {
	if m == client.Video || m == client.Image {
		return fromJobLong
	}
	return ""
}

// chainFlags declares the flags for continuing from other jobs.
func (o *options) chainFlags(cmd *cobra.Command) {
	if o.modality != client.Video && o.modality != client.Image {
		return
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.fromJobs, "from-job", nil, "job whose result this goes on with; more than one with --as reference")
	f.StringVar(&o.as, "as", string(chain.Reference), "what the result of --from-job is used for: reference, i2v, extend, edit")
	_ = cmd.RegisterFlagCompletionFunc("as", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, u := range chain.Uses() {
			out = append(out, string(u))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
	all := o.k.CompleteJobs("completed")
	_ = cmd.RegisterFlagCompletionFunc("from-job", func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return all(cmd, nil, word)
	})
}

// readJobs makes the draft that --from-job starts from, or adds the jobs' results to an existing
// draft.
func (f *filler) readJobs(ctx context.Context) error {
	if len(f.fromJobs) == 0 {
		if f.many.given("as") {
			return kit.Usage("--as says what the result of --from-job is used for, which is missing; name a job with it")
		}
		return nil
	}
	use, err := chain.ParseUse(f.as)
	switch {
	case err != nil:
		return kit.Usage("--as: %s", err.Error())
	case len(f.fromJobs) > 1 && use != chain.Reference:
		return kit.Usage("--from-job is given %d times: --as %s goes on with one job", len(f.fromJobs), use)
	case use != chain.Reference && (f.from != "" || f.body != "" || f.many.preset != ""):
		return kit.Usage("--from-job with --as %s, and --from, --body or --preset, both say what to begin with: give one of them", use)
	}
	r, done, err := app.OpenReader(ctx, f.gw.Config, f.k.IO.Tell)
	if err != nil {
		return err
	}
	defer done()
	for _, word := range f.fromJobs {
		j, err := kit.Find(ctx, r, word)
		if err != nil {
			return err
		}
		if own := f.gw.Config.Profile.Name; use == chain.Extend && j.Profile != own {
			return kit.Usage("job %s is of the profile %s, and %s is in use: its id means nothing to this gateway; add --profile %s", jobs.ShortID(j.ID), j.Profile, own, j.Profile)
		}
		m, err := chain.Take(&j, use)
		if err != nil {
			return kit.Usage("--from-job %s: %s", jobs.ShortID(j.ID), err.Error())
		}
		target, err := f.target(j.Draft, use, m.Kind)
		if err != nil {
			return err
		}
		ref, err := chain.Resolve(ctx, m, app.Frames(f.gw.Config.Paths.Frames))
		if err != nil {
			return fmt.Errorf("--from-job %s: %w", jobs.ShortID(j.ID), err)
		}
		if use == chain.Reference {
			f.draft = chain.Add(f.gw.Catalog, f.draft, target, use, m.Kind, ref, j.ID)
		} else {
			own, left := j.OwnDraft()
			if left != "" {
				f.k.IO.Tell("of job " + jobs.ShortID(j.ID) + " " + left)
			}
			f.draft = chain.Next(f.gw.Catalog, own, target, use, m.Kind, ref, j.ID)
		}
		f.k.IO.Tell(fmt.Sprintf("%s of job %s is %s: %s", f.as, jobs.ShortID(j.ID), target.Field, kit.ShownRef(ref)))
	}
	return nil
}

// target is the model, mode and field to continue with: the given ones, else the job's, else the
// defaults.
func (f *filler) target(from client.Draft, use chain.Use, kind string) (chain.Target, error) {
	d := f.draft
	if use != chain.Reference && from.Modality == f.modality {
		d = from
	}
	d.Modality = f.modality
	if f.given.Model != "" {
		d.Model, d.ModelName = f.given.Model, ""
	}
	if f.given.ModelName != "" {
		d.ModelName = f.given.ModelName
	}
	if f.given.Mode != "" {
		d.Mode = f.given.Mode
	}
	defaults(f.gw.Catalog, &d)
	t, ok := chain.Of(f.gw.Catalog, d, use, kind)
	if ok && (f.given.Mode == "" || t.Mode == f.given.Mode) {
		return t, nil
	}
	what := "result"
	if kind != "" {
		what = kind
	}
	var names []string
	for _, t := range chain.Targets(f.gw.Catalog, use, kind) {
		if t.Modality == f.modality && !slices.Contains(names, t.Model) {
			names = append(names, t.Model)
		}
	}
	if len(names) == 0 {
		return t, kit.Usage("--as %s: no model that makes %ss takes a %s for that", use, f.modality, what)
	}
	in := ""
	if f.given.Mode != "" {
		in = " in mode " + f.given.Mode
	}
	return t, kit.Usage("--as %s: %s%s takes no %s for that; give --model, one of %s", use, client.CleanLine(d.Model), client.CleanLine(in), what, strings.Join(names, ", "))
}
