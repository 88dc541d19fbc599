package jobs

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
	"darkroom/jobs/filter"
)

// listPage is how many jobs are read at a time.
const listPage = 500

type listOptions struct {
	k      *kit.Kit
	query  jobs.Query
	limit  int
	state  states
	kind   kit.Choice
	all    bool
	filter string
	view   string
}

func newList(k *kit.Kit) *cobra.Command {
	o := &listOptions{k: k}
	cmd := &cobra.Command{Use: "list [filter]", Aliases: []string{"ls"}, Short: "list jobs, newest first", Args: cobra.ArbitraryArgs,
		Long: `Lists the jobs of the profile in use, newest first, with the files that were saved. All the
filters given have to fit.

A filter is what Queue takes behind its /: words, and these terms, of which those with - may
stand behind a - that leaves out what they select. Quote it, since < and > are the shell's; one
that begins with - stands behind --filter.

` + terms() + `

--search finds the jobs in which each of its words stands somewhere, in any order: in the
prompt, the ids, the title, the error, the note, the tags, the remark, or in what was said
when a create was lost or refused. "A text" in double quotes is looked for as it stands. The
whole id of a request, as the gateway's log has it, finds the job that it was about.`,
		Example: `  darkroom jobs list --view 'failed today'
  darkroom jobs list 'is:fault age<1d'
  darkroom jobs list 'code:429 since:14:00 -tag:answered' -o json
  darkroom jobs list 'took>5m sort:-took' --limit 10
  darkroom jobs list --state running,queued
  darkroom jobs list --search kite --limit 0 -o ndjson
  darkroom jobs list --search 'kite "salt flat"'
  darkroom jobs list --tag kept
  darkroom jobs list --starred --kind image -o json
  darkroom jobs list --all-profiles --kind video`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return filter.Complete(word), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.filter = strings.TrimSpace(o.filter + " " + strings.Join(args, " "))
			return o.run(cmd.Context())
		}}
	f := cmd.Flags()
	f.StringVar(&o.filter, "filter", "", "the filter, as it may also stand alone")
	f.StringVar(&o.view, "view", "", "those of a view, as 'failed today'; see 'darkroom jobs views'")
	f.IntVarP(&o.limit, "limit", "n", 30, "how many; 0 for all")
	f.StringVar(&o.query.Before, "before", "", "only jobs older than this one, by its id: the next page of a former list")
	o.state.flag(cmd, "only these states, as running,failed", nil)
	kit.ModelFlag(cmd, k, &o.query.Model, "", "only this model; * stands for any text, as in 'famA*'")
	f.StringVar(&o.query.Tag, "tag", "", "only with this tag")
	f.StringVar(&o.query.Group, "group", "", "only those that were submitted together, by the id of their group")
	f.BoolVar(&o.query.Starred, "starred", false, "only starred ones")
	o.kind.Kind(cmd, "only "+strings.Join(kit.Kinds(), ", "))
	f.StringVarP(&o.query.Text, "search", "s", "", "words that each stand somewhere in a job")
	allProfiles(cmd, &o.all)
	fixed := func(flag string, values []string) {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	_ = cmd.RegisterFlagCompletionFunc("filter", cmd.ValidArgsFunction)
	_ = cmd.RegisterFlagCompletionFunc("view", completeViews(k, false))
	fixed("search", nil)
	fixed("tag", nil)
	fixed("group", nil)
	fixed("limit", nil)
	_ = cmd.RegisterFlagCompletionFunc("before", k.CompleteJobs())
	return cmd
}

func (o *listOptions) run(ctx context.Context) error {
	var err error
	if o.query.States, err = o.state.read(); err != nil {
		return err
	}
	if err := o.kind.Check(); err != nil {
		return err
	}
	if o.limit < 0 {
		return kit.Usage("--limit %d: give a number of jobs, or 0 for all", o.limit)
	}
	if o.query.Tag != "" {
		tags, err := jobs.CleanTags([]string{o.query.Tag})
		if err != nil || len(tags) == 0 {
			return kit.Usage("--tag %q: give one tag, a word without commas and quotes", o.query.Tag)
		}
		o.query.Tag = tags[0]
	}
	o.query.Modality = client.Modality(o.kind.Value)
	if err := o.narrow(); err != nil {
		return err
	}
	r, done, err := o.k.Reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	if o.query.Before != "" {
		j, err := kit.Find(ctx, r, o.query.Before)
		if err != nil {
			return err
		}
		o.query.Before = j.ID
	}
	return o.print(ctx, r)
}

// allProfilesWord stands in a filter for every profile.
const allProfilesWord = "all"

// narrow adds the flags to what the filter says, and the profile in use where neither names one.
func (o *listOptions) narrow() error {
	flags, text := o.query, o.filter
	if o.view != "" {
		v, err := viewOf(o.k, o.view)
		if err != nil {
			return err
		}
		text = v.Filter + " " + text
	}
	q, err := filter.Parse(text, time.Now())
	if err != nil {
		return kit.Usage("%s", client.CleanLine(err.Error()))
	}
	for _, x := range []struct {
		flag     string
		to, from *string
	}{
		{"model", &q.Model, &flags.Model}, {"tag", &q.Tag, &flags.Tag}, {"group", &q.Group, &flags.Group},
		{"kind", (*string)(&q.Modality), (*string)(&flags.Modality)},
	} {
		if *x.to != "" && *x.from != "" {
			return kit.Usage("--%s, and %s: in the filter: give one of them", x.flag, x.flag)
		}
		*x.to = cmp.Or(*x.to, *x.from)
	}
	if len(q.States) > 0 && len(flags.States) > 0 {
		return kit.Usage("--state, and states in the filter: give one of them")
	}
	q.States = append(q.States, flags.States...)
	q.Starred, q.Before = q.Starred || flags.Starred, flags.Before
	q.Text = strings.TrimSpace(q.Text + " " + flags.Text)
	switch {
	case q.Profile == allProfilesWord || q.Profile == "" && o.all:
		q.Profile = ""
	case q.Profile == "":
		c, err := o.k.Config()
		if err != nil {
			return err
		}
		q.Profile = c.Profile.Name
	}
	o.query = q
	return nil
}

// terms are those of a filter, for the help.
func terms() string {
	var b strings.Builder
	for _, t := range filter.Terms() {
		sign := " "
		if t.Not {
			sign = "-"
		}
		fmt.Fprintf(&b, "  %s %-15s %s\n", sign, t.Name+t.Takes, t.Help)
	}
	return b.String()
}

// print goes through the pages. ndjson lines are printed as they are read; every other format needs
// all jobs first.
func (o *listOptions) print(ctx context.Context, r *jobs.Engine) error {
	var all []jobs.Job
	for left := o.limit; ; {
		o.query.Limit = listPage
		if o.limit > 0 {
			o.query.Limit = min(left, listPage)
		}
		page, err := r.List(ctx, o.query)
		if err != nil {
			return err
		}
		left -= len(page.Jobs)
		o.query.Before = page.Next
		if o.k.Out.Format == kit.NDJSON {
			if err := kit.List(o.k.Out, follow.JobOuts(ctx, o.k, r, page.Jobs)); err != nil {
				return err
			}
		} else {
			all = append(all, page.Jobs...)
		}
		if page.Next == "" || o.limit > 0 && left <= 0 {
			break
		}
	}
	if o.k.Out.Format == kit.NDJSON {
		return nil
	}
	if len(all) == 0 && o.k.Out.Table() && o.query.Profile != "" {
		which := ""
		if !o.query.Plain() || len(o.query.States) > 0 {
			which = " that fit"
		}
		o.k.IO.Notef("no jobs%s of the profile %s; --all-profiles lists those of the others too\n", which, client.CleanLine(o.query.Profile))
		return nil
	}
	if err := follow.Print(ctx, o.k, r, all, false); err != nil {
		return err
	}
	if o.query.Before != "" && o.k.Out.Table() {
		o.k.IO.Notef("there are more: --before %s, or --limit 0 for all\n", jobs.ShortID(all[len(all)-1].ID))
	}
	return nil
}
