package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
	"darkroom/jobs/filter"
)

// maxChosen is how many jobs a filter may choose for one command.
const maxChosen = 10_000

// chosen are the jobs that a command is about: those that are named, or those that a filter selects.
type chosen struct {
	k      *kit.Kit
	filter string
	view   string
	yes    bool
}

// flags declares --filter, --view and --yes, which takes the place of the question.
func (c *chosen) flags(cmd *cobra.Command, asks bool) {
	f := cmd.Flags()
	f.StringVar(&c.filter, "filter", "", "those of a filter, as 'is:fault age<1d', in place of named ones")
	f.StringVar(&c.view, "view", "", "those of a view, see 'darkroom jobs views'")
	if asks {
		f.BoolVar(&c.yes, "yes", false, "do not ask about so many")
	}
	_ = cmd.RegisterFlagCompletionFunc("filter", func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return filter.Complete(word), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
	_ = cmd.RegisterFlagCompletionFunc("view", completeViews(c.k, false))
}

// many reports whether a filter chooses.
func (c *chosen) many() bool { return c.filter != "" || c.view != "" }

// check refuses names beside a filter, and neither.
func (c *chosen) check(words []string) error {
	switch {
	case c.many() && len(words) > 0:
		return kit.Usage("name jobs, or give --filter: one of them")
	case !c.many() && len(words) == 0:
		return kit.Usage("name jobs, or choose them with --filter")
	}
	return nil
}

// query is what the filter asks for, of the profile in use.
func (c *chosen) query() (jobs.Query, error) {
	text := c.filter
	if c.view != "" {
		v, err := viewOf(c.k, c.view)
		if err != nil {
			return jobs.Query{}, err
		}
		text = v.Filter + " " + text
	}
	q, err := filter.Parse(text, time.Now())
	if err != nil {
		return q, kit.Usage("%s", client.CleanLine(err.Error()))
	}
	conf, err := c.k.Config()
	if err != nil {
		return q, err
	}
	if own := conf.Profile.Name; q.Profile != "" && q.Profile != own {
		return q, kit.Usage("profile:%s: this is about jobs of the profile %s; add --profile", q.Profile, own)
	}
	q.Profile = conf.Profile.Name
	return q, nil
}

// find finds them. Those of a filter that do not fit are told, with the reason, and left out; then
// the number is asked about, once.
func (c *chosen) find(ctx context.Context, d *app.Desk, words []string, verb string, fits jobs.Action) ([]jobs.Job, error) {
	if !c.many() {
		return kit.FindOwn(ctx, d, words)
	}
	q, err := c.query()
	if err != nil {
		return nil, err
	}
	q.Limit = maxChosen
	page, err := d.Engine.List(ctx, q)
	if err != nil {
		return nil, err
	}
	if page.Next != "" {
		return nil, kit.Usage("more than %s jobs fit; narrow the filter", human.Count(maxChosen))
	}
	var able []jobs.Job
	for i := range page.Jobs {
		j := &page.Jobs[i]
		if why := whyNot(fits, j); why != "" {
			c.k.IO.Notef("left out %s: %s\n", jobs.ShortID(j.ID), client.CleanLine(why))
			continue
		}
		able = append(able, *j)
	}
	if len(able) == 0 {
		return nil, kit.NotFound("no job fits")
	}
	if c.yes {
		return able, nil
	}
	if c.k.IO.TtyIn == nil {
		return nil, kit.Usage("%s fit, and there is no terminal to ask on: --yes does it without a question", human.Plural(len(able), "job"))
	}
	sure, err := c.k.IO.Ask(ctx, verb+" "+human.Plural(len(able), "job")+c.k.At()+"?")
	if err == nil && !sure {
		err = kit.Stopped("nothing was done")
	}
	return able, err
}

func whyNot(a jobs.Action, j *jobs.Job) string {
	if a == "" {
		return ""
	}
	return jobs.WhyNot(a, j)
}

// each does something to the chosen jobs and prints them as they are then. A failure of one that is
// named ends it; one of many is told, and the others go on.
func (c *chosen) each(ctx context.Context, words []string, w work) error {
	if err := c.check(words); err != nil {
		return err
	}
	if !c.many() {
		return each(ctx, c.k, words, w.key, w.both)
	}
	d, done, err := c.k.Desk(ctx, app.DeskOptions{OwnOnly: true})
	if err != nil {
		return err
	}
	defer done()
	if w.key {
		if err := d.CheckKey(); err != nil {
			return err
		}
	}
	all, err := c.find(ctx, d, words, w.verb, w.fits)
	if err != nil {
		return err
	}
	var now []jobs.Job
	var failed []error
	if w.begin != nil {
		all = slices.DeleteFunc(all, func(j jobs.Job) bool {
			err := w.begin(d, j)
			if err != nil {
				failed = append(failed, follow.WithNext(err, j))
			}
			return err != nil
		})
	}
	for i, j := range all {
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %d of %d were done", ctx.Err(), i, len(all))
		}
		after, err := w.act(d, j)
		if err != nil {
			failed = append(failed, follow.WithNext(err, j))
			continue
		}
		now = append(now, after)
	}
	return errors.Join(follow.Print(ctx, c.k, d.Engine, now, false), errors.Join(failed...))
}

// work is what is done to the chosen jobs.
type work struct {
	verb string      // "Tag", as the question begins
	fits jobs.Action // "" for what every job allows
	key  bool        // the gateway is asked
	// begin, where it is not nil, is done to all before act is to the first: what takes time then does
	// so at once.
	begin func(*app.Desk, jobs.Job) error
	act   func(*app.Desk, jobs.Job) (jobs.Job, error)
}

// both is begin and act.
func (w work) both(d *app.Desk, j jobs.Job) (jobs.Job, error) {
	if w.begin != nil {
		if err := w.begin(d, j); err != nil {
			return j, err
		}
	}
	return w.act(d, j)
}
