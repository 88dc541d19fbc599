package kit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/lookup"
)

// shortest is how many characters of an id's end are enough to search for it.
const shortest = 4

// Find takes a job's id, the end of one, or a task id. The job comes with its whole draft.
func Find(ctx context.Context, r jobs.Reader, word string) (jobs.Job, error) {
	found, _, err := lookup.Named(ctx, r, word, shortest)
	switch {
	case err != nil:
		return jobs.Job{}, err
	case len(found) == 0:
		return jobs.Job{}, NotFound("no job has the id %q; `darkroom jobs list` shows them, `darkroom inspect` asks the gateway", client.CleanLine(word))
	case len(found) > 1:
		return jobs.Job{}, Usage("more than one job has an id that ends with %q: give more of it", client.CleanLine(word))
	}
	return lookup.Whole(ctx, r, found[0])
}

// FindOwn finds jobs of the profile in use, each once. Other profiles' jobs belong to other
// gateways: asking this one about them would only give their ids away.
func FindOwn(ctx context.Context, d *app.Desk, words []string) ([]jobs.Job, error) {
	var all []jobs.Job
	for _, w := range words {
		j, err := Find(ctx, d.Engine, w)
		if err != nil {
			return nil, err
		}
		if own := d.Config.Profile.Name; j.Profile != own {
			return nil, Usage("job %s is of the profile %s, and %s is in use: add --profile %s", jobs.ShortID(j.ID), j.Profile, own, j.Profile)
		}
		if !slices.ContainsFunc(all, func(x jobs.Job) bool { return x.ID == j.ID }) {
			all = append(all, j)
		}
	}
	return all, nil
}

// IDs are the ids of jobs.
func IDs(all []jobs.Job) []string {
	ids := make([]string, len(all))
	for i, j := range all {
		ids[i] = j.ID
	}
	return ids
}

// CompleteJobs completes with the newest jobs of the history, in the given states or in any.
func (k *Kit) CompleteJobs(states ...jobs.State) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		if k.NoHistory() {
			return nil, none
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), time.Second)
		defer cancel()
		r, done, err := k.Reader(ctx)
		if err != nil {
			return nil, none
		}
		defer done()
		page, err := r.List(ctx, jobs.Query{States: states, Limit: 50})
		if err != nil {
			return nil, none
		}
		var out []string
		for _, j := range page.Jobs {
			if id := jobs.ShortID(j.ID); !slices.Contains(args, id) {
				out = append(out, cobra.CompletionWithDesc(id, client.CleanLine(fmt.Sprintf("%s %s %s", j.Draft.Model, j.State, FirstLine(j.Draft.Prompt, 40)))))
			}
		}
		return out, none | cobra.ShellCompDirectiveKeepOrder
	}
}

// CompleteOne is CompleteJobs for the first argument only.
func (k *Kit) CompleteOne(states ...jobs.State) cobra.CompletionFunc {
	all := k.CompleteJobs(states...)
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return all(cmd, args, word)
	}
}

func (k *Kit) completeProfiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{config.Sandbox}
	if f, err := config.ReadFile(k.IO.Paths.Config); err == nil {
		for n := range f.Profiles {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp
}
