// Package inspect is the command that says what happened to a task, from its id alone.
package inspect

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/drift"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/library"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

type options struct {
	k             *kit.Kit
	format, times kit.Choice
	results       bool
	profiles      bool // ask the gateways of all
	table, column string
	handover
	rawness
	following
	keeping
}

// New makes the command.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{
		Use:   "inspect ID...",
		Short: "say what happened to a task, from its id alone",
		Long: `Looks in the history on this machine, asks the query paths that are likely to know the id, and the
others only where none of these does. Shows the state, what each path answered, what an error means
and what to do next, and the body as it came.

A text is an id of the gateway's, a job's id (also its last digits, as lists show them), the id of a
request, the address of a result, a body in JSON, a line of a log or a whole paragraph; with - it is
read from standard input. Several ids are shown one a row, as their answers come, with totals; --csv
takes them from a column of a table, and -o csv keeps the table's own columns.

--watch looks again until each task has ended, as often as jobs of its age are asked about: what is
new goes to standard error, with -o ndjson a line of it to the output. It adds nothing to the history;
--adopt does, as a job that is followed and can never be sent.`,
		Example: `  darkroom inspect video_abc123
  darkroom inspect video_abc123 --jq '.video_url, .status'
  darkroom inspect video_abc123 --diff 2,videos
  darkroom inspect video_abc123 task-9 -o ndjson
  pbpaste | darkroom inspect -
  darkroom inspect --csv tickets.csv --column "task id" -o csv > answered.csv
  darkroom inspect video_abc123 --all-profiles
  darkroom inspect video_abc123 --save ticket-77.zip --without prompts,queries
  darkroom inspect video_abc123 --watch --timeout 10m && echo done
  darkroom inspect video_abc123 --adopt --ticket 77 --note "stuck since this morning"`,
		Annotations: kit.Takes(kit.CSV),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && o.table == "" && o.open == "" {
				return errors.New("give an id, or - for standard input, or --csv FILE")
			}
			return nil
		},
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.format.Format(cmd, "ask this format only: "+strings.Join(kit.FormatNames(), ", "))
	o.times.Times(cmd)
	f := cmd.Flags()
	o.rawness.flags(cmd)
	f.StringVar(&o.save, "save", "", "write all that was found as a bundle for somebody else: a zip with a summary, the timeline, the bodies")
	f.StringSliceVar(&o.without, "without", nil, "leave out of --save: "+strings.Join(parts(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("without", cobra.FixedCompletions(parts(), cobra.ShellCompDirectiveNoFileComp))
	f.BoolVar(&o.dryRun, "dry-run", false, "list what --save would write, and write nothing")
	f.StringVar(&o.open, "bundle", "", "show what is in a bundle, as it was seen; nobody is asked")
	f.BoolVar(&o.results, "results", false, "ask the address of each result, without the key: is it there still, its type, its size, when it expires")
	f.BoolVar(&o.profiles, "all-profiles", false, "ask the gateway of each profile, each with its own key, and say which knows it")
	o.following.flags(cmd)
	o.keeping.flags(cmd)
	f.StringVar(&o.table, "csv", "", "take the ids from a column of a table, - for standard input")
	f.StringVar(&o.column, "column", "", "the column of --csv that has the ids (else one called "+strings.Join(inspect.Columns()[:3], ", ")+", …)")
	return cmd
}

func (o *options) run(ctx context.Context, args []string) error {
	if err := errors.Join(o.format.Check(), o.times.Check()); err != nil {
		return err
	}
	if o.column != "" && o.table == "" {
		return kit.Usage("--column is for --csv")
	}
	if err := cmp.Or(o.handover.check(args, o.table), o.following.check(o.profiles), o.keeping.check(o.profiles)); err != nil {
		return err
	}
	if o.open != "" {
		return o.show(ctx)
	}
	ids, err := o.read(ctx, args)
	if err != nil {
		return err
	}
	if err := o.rawness.check(len(ids.all)); err != nil {
		return err
	}
	if o.profiles {
		return o.askAll(ctx, ids)
	}
	return o.askHere(ctx, ids)
}

// askHere is the rest of run for one gateway.
func (o *options) askHere(ctx context.Context, ids list) error {
	gw, err := o.k.GatewayWithKey(ctx)
	if err != nil {
		return err
	}
	desk, done, err := o.desk(ctx, gw)
	if err != nil {
		return err
	}
	defer done()
	d := lookup.Desk{Gateway: gw.Client, Profile: gw.Config.Profile.Name, Routes: gw.Catalog.Routes}
	if o.format.Value != "" {
		d.Only = []string{o.format.Value}
	}
	if o.results {
		d.Check = gw.CheckResult
	}
	h, adopt := jobs.Reader(nil), o.adopter(desk)
	if desk != nil {
		h = desk.Engine
	} else {
		var done func()
		if h, done = o.history(ctx); h != nil {
			defer done()
		}
	}
	if h != nil {
		d.History = h
	}
	if o.watch {
		w := watcher{o: o, gw: gw, d: d, adopt: adopt}
		return o.answer(ctx, gw.Catalog, h, w.all, nil, ids)
	}
	here := func(ctx context.Context, all []inspect.Subject, each func(int, found, error)) {
		d.Each(ctx, all, func(i int, r lookup.Result) {
			kept := adopt.take(ctx, &r)
			f, err := newFound(gw.Catalog, gw.Config.Profile.Name, r)
			f.check(r.Checks)
			each(i, f, cmp.Or(kept, err))
		})
	}
	at := func() lookup.Progress {
		far := lookup.Progress{Host: gw.Host()}
		far.Held(gw.Client, time.Now())
		return far
	}
	return o.answer(ctx, gw.Catalog, h, here, at, ids)
}

// askAll is the rest of run with --all-profiles.
func (o *options) askAll(ctx context.Context, ids list) error {
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return err
	}
	others := o.k.Others(c)
	defer others.Close()
	h, done := o.history(ctx)
	var known lookup.History // of no type at all where there is none
	if h != nil {
		defer done()
		known = h
	}
	var only []string
	if o.format.Value != "" {
		only = []string{o.format.Value}
	}
	return o.answer(ctx, cat, h, everywhere(cat, others.Lookup(c.Profile.Name, known, only, o.results)), func() lookup.Progress { return lookup.Progress{} }, ids)
}

// Why nobody was asked about an id.
var (
	errNoID    = errors.New("no id in this row")
	errStopped = errors.New("stopped before it was known")
)

// answer looks all ids up and prints them; at tells which host is asked, and what holds it back.
func (o *options) answer(ctx context.Context, cat *catalog.Catalog, history jobs.Reader, look ask, at func() lookup.Progress, ids list) error {
	var (
		subjects []inspect.Subject
		places   []int
		p        = o.printer(cat, ids)
	)
	for i, a := range ids.all {
		if a.Value == "" {
			p.add(i, found{Problem: errNoID.Error(), Routes: []routeRow{}, result: lookup.Result{Err: errNoID}}, nil)
			continue
		}
		subjects, places = append(subjects, a.Subject), append(places, i)
	}
	if o.watch { // what is seen is told as it comes
		look(ctx, subjects, func(i int, f found, err error) { p.add(places[i], f, err) })
	} else if err := o.lookUp(ctx, p, subjects, places, look, at); err != nil {
		return err
	}
	p.timelines(ctx, history)
	o.countDrift(p.found)
	if o.save != "" {
		if err := o.write(ctx, o.k, history, p.found); err != nil {
			return err
		}
	}
	return o.finish(ctx, history, p)
}

// countDrift keeps what the answers about tasks of others had that the interface does not name: no job
// has them.
func (o *options) countDrift(all []*found) {
	var c drift.Counter
	for _, f := range all {
		if f.Task != nil && f.Job == "" {
			c.Add(f.Drift, time.Now(), cmp.Or(f.TaskID, f.ID))
		}
	}
	if c.Answers == 0 || o.k.IO.Paths.Drift == "" {
		return
	}
	if err := library.OpenDrift(o.k.IO.Paths.Drift).Count(&c); err != nil {
		o.k.IO.Tell("what differs from the interface is not counted: " + err.Error())
	}
}

// lookUp hands what comes to the printer, while a line below says how far it is. An error means
// that it was interrupted.
func (o *options) lookUp(ctx context.Context, p *printer, subjects []inspect.Subject, places []int, look ask, at func() lookup.Progress) error {
	var done atomic.Int64
	status := o.k.IO.Status(func() string {
		far := at()
		far.Done, far.All = int(done.Load()), len(subjects)
		return far.Words()
	})
	look(ctx, subjects, func(i int, f found, err error) {
		done.Add(1)
		status.Above(func() { p.add(places[i], f, err) })
	})
	status.Stop()
	if ctx.Err() != nil {
		return p.stopped(context.Cause(ctx))
	}
	return nil
}

// history opens the history of jobs, nil if there is none or it cannot be read: here the gateway is
// what counts.
func (o *options) history(ctx context.Context) (jobs.Reader, func()) {
	if o.k.NoHistory() {
		return nil, nil
	}
	r, done, err := o.k.Reader(ctx)
	if err != nil {
		o.k.IO.Notef("darkroom: the history is not looked at: %s\n", client.CleanLine(err.Error()))
		return nil, nil
	}
	return r, done
}
