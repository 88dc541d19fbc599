package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

func newJobs(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "jobs", Short: "what was submitted: list, show, watch, download", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newJobsList(g), newJobsShow(g), newJobsWatch(g), newJobsDownload(g),
		newJobsAct(g, "drop", "stop tracking jobs; the gateway is not told, it has no cancel", func(ctx context.Context, e *jobs.Engine, id string) (string, error) {
			return id, e.Drop(ctx, id)
		}),
		newJobsAct(g, "repoll", "query tasks now", func(ctx context.Context, e *jobs.Engine, id string) (string, error) {
			return id, e.Repoll(ctx, id)
		}),
		newJobsAct(g, "resend", "send ambiguous or refused jobs again, as new ones", func(ctx context.Context, e *jobs.Engine, id string) (string, error) {
			return e.Resend(ctx, id)
		}),
		newJobsAdopt(g))
	return cmd
}

// desk opens gateway and history. The close function is to be called whatever happens.
func (g *globals) desk(ctx context.Context, o app.DeskOptions) (*app.Desk, func(), error) {
	gw, err := g.gateway(ctx)
	if err != nil {
		return nil, nil, err
	}
	d, err := app.OpenDesk(ctx, gw, o)
	if err != nil {
		gw.Close()
		return nil, nil, err
	}
	return d, func() {
		if err := d.Close(); err != nil {
			g.io.note("darkroom: closing the history: %v\n", err)
		}
		gw.Close()
	}, nil
}

// find takes a job's id, the end of one, or a task id.
func find(ctx context.Context, r jobs.Reader, word string) (jobs.Job, error) {
	j, err := r.Get(ctx, word)
	if err == nil {
		return j, nil
	}
	if !errors.Is(err, jobs.ErrNotFound) {
		return j, err
	}
	page, err := r.List(ctx, jobs.Query{TaskID: word, Limit: 2})
	if err != nil {
		return j, err
	}
	if len(page.Jobs) == 0 && len(word) >= 4 {
		if page, err = bySuffix(ctx, r, word); err != nil {
			return j, err
		}
	}
	switch len(page.Jobs) {
	case 0:
		return j, notFound("no job has the id %q; `darkroom jobs list` shows them, `darkroom inspect` asks the gateway", client.CleanLine(word))
	case 1:
		return page.Jobs[0], nil
	default:
		return j, usage("more than one job ends with %q: give more of it", client.CleanLine(word))
	}
}

func bySuffix(ctx context.Context, r jobs.Reader, end string) (jobs.Page, error) {
	var found jobs.Page
	q := jobs.Query{Limit: 200}
	for range 25 { // 5,000 of the newest jobs: a short id is for what one has just seen
		page, err := r.List(ctx, q)
		if err != nil {
			return found, err
		}
		for _, j := range page.Jobs {
			if strings.HasSuffix(j.ID, end) {
				found.Jobs = append(found.Jobs, j)
			}
		}
		if page.Next == "" {
			break
		}
		q.Before = page.Next
	}
	return found, nil
}

func findAll(ctx context.Context, r jobs.Reader, words []string) ([]string, error) {
	var ids []string
	for _, w := range words {
		j, err := find(ctx, r, w)
		if err != nil {
			return nil, err
		}
		ids = append(ids, j.ID)
	}
	return ids, nil
}

type jobsListOptions struct {
	g     *globals
	out   output
	query jobs.Query
	state []string
	kind  string
	all   bool
}

func newJobsList(g *globals) *cobra.Command {
	o := &jobsListOptions{g: g}
	cmd := &cobra.Command{Use: "list", Aliases: []string{"ls"}, Short: "jobs, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) }}
	o.out.flag(cmd)
	f := cmd.Flags()
	f.IntVarP(&o.query.Limit, "limit", "n", 30, "how many")
	f.StringVar(&o.query.Before, "before", "", "cursor of a former list (its last job's id)")
	f.StringSliceVar(&o.state, "state", nil, "only these states, as running,failed")
	f.StringVar(&o.query.Model, "model", "", "only this model")
	f.StringVar(&o.kind, "kind", "", "only video, image or music")
	f.StringVarP(&o.query.Text, "search", "s", "", "text in prompt, ids, title or error")
	f.BoolVarP(&o.all, "all-profiles", "a", false, "of all profiles, not of this one only")
	return cmd
}

func (o *jobsListOptions) run(ctx context.Context) error {
	if err := o.out.check(); err != nil {
		return err
	}
	for _, s := range o.state {
		if !jobs.State(s).Valid() {
			return usage("--state %s: allowed are %s", s, strings.Join(stateNames(), ", "))
		}
		o.query.States = append(o.query.States, jobs.State(s))
	}
	o.query.Modality = client.Modality(o.kind)
	d, done, err := o.g.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	if !o.all {
		c, err := o.g.config()
		if err != nil {
			return err
		}
		o.query.Profile = c.Profile.Name
	}
	page, err := d.List(ctx, o.query)
	if err != nil {
		return err
	}
	return printJobs(o.g.io, &o.out, page.Jobs, false)
}

func stateNames() []string {
	var out []string
	for _, s := range jobs.States() {
		out = append(out, string(s))
	}
	return out
}

// reader opens the history alone: no gateway, no engine.
func (g *globals) reader(ctx context.Context) (*jobs.Engine, func(), error) {
	return app.OpenReader(ctx, g.io.Paths.History)
}

func printJobs(s *IO, o *output, all []jobs.Job, single bool) error {
	if !o.table() {
		if single && len(all) == 1 {
			return o.one(s.Out, all[0])
		}
		return list(o, s.Out, all)
	}
	if len(all) == 0 {
		s.note("no jobs\n")
		return nil
	}
	var cells [][]string
	for _, j := range all {
		cells = append(cells, []string{shortID(j.ID), string(j.Draft.Modality), j.Draft.Model, stateText(j), format.Age(time.Since(j.CreatedAt)), taskOf(j), firstLine(j.Draft.Prompt, 40)})
		for _, f := range j.Files {
			if f.State == jobs.FileSaved {
				cells = append(cells, []string{"", "", "", "", "", f.Path, format.Bytes(f.Bytes)})
			}
		}
	}
	return rows(s.Out, []string{"JOB", "KIND", "MODEL", "STATE", "AGE", "TASK / FILE", "PROMPT"}, cells)
}

func taskOf(j jobs.Job) string {
	if j.TaskID != "" {
		return j.TaskID
	}
	return "-"
}

func firstLine(s string, n int) string {
	r := []rune(client.CleanLine(s))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

func newJobsShow(g *globals) *cobra.Command {
	o := &output{}
	cmd := &cobra.Command{Use: "show JOB", Short: "everything known of a job: timeline, request, answer", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			r, done, err := g.reader(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			j, err := find(cmd.Context(), r, args[0])
			if err != nil {
				return err
			}
			d, err := r.Detail(cmd.Context(), j.ID)
			if err != nil {
				return err
			}
			return printDetail(g.io, o, d)
		}}
	o.flag(cmd)
	return cmd
}

type watchOptions struct {
	g   *globals
	out output
	dir string
}

func newJobsWatch(g *globals) *cobra.Command {
	o := &watchOptions{g: g}
	cmd := &cobra.Command{Use: "watch [JOB...]", Short: "follow jobs to their end (without arguments: all active ones)",
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args, false) }}
	o.out.flag(cmd)
	return cmd
}

func newJobsDownload(g *globals) *cobra.Command {
	o := &watchOptions{g: g}
	cmd := &cobra.Command{Use: "download JOB...", Short: "save the results of jobs", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args, true) }}
	o.out.flag(cmd)
	cmd.Flags().StringVar(&o.dir, "dir", "", "folder to save into (default: the configured one)")
	return cmd
}

func (o *watchOptions) run(ctx context.Context, words []string, fetch bool) error {
	if err := o.out.check(); err != nil {
		return err
	}
	d, done, err := o.g.desk(ctx, app.DeskOptions{Downloads: o.dir, OwnOnly: len(words) > 0})
	if err != nil {
		return err
	}
	defer done()
	ids, err := o.pick(ctx, d, words)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return printJobs(o.g.io, &o.out, nil, false)
	}
	for _, id := range ids {
		if err := start(ctx, d.Engine, id, fetch); err != nil {
			return err
		}
	}
	all, err := watch(ctx, o.g.io, d.Engine, ids, true)
	if err != nil {
		return err
	}
	if err := printJobs(o.g.io, &o.out, all, len(ids) == 1); err != nil {
		return err
	}
	return outcome(all, fetch)
}

func (o *watchOptions) pick(ctx context.Context, d *app.Desk, words []string) ([]string, error) {
	if len(words) > 0 {
		return findAll(ctx, d.Engine, words)
	}
	page, err := d.Engine.List(ctx, jobs.Query{Profile: d.Config.Profile.Name, States: []jobs.State{jobs.Planned, jobs.Submitting, jobs.Queued, jobs.Running, jobs.Unknown}, Limit: 200})
	var ids []string
	for _, j := range page.Jobs {
		ids = append(ids, j.ID)
	}
	return ids, err
}

// start has the engine work on a job: its files when they are asked for, else its task.
func start(ctx context.Context, e *jobs.Engine, id string, fetch bool) error {
	j, err := e.Get(ctx, id)
	switch {
	case err != nil:
		return err
	case fetch && j.State != jobs.Completed:
		return usage("job %s is %s: only completed jobs have results to save", shortID(id), j.State)
	case fetch:
		return e.Download(ctx, id)
	case j.State.Polled():
		return e.Repoll(ctx, id)
	}
	return nil
}

// newJobsAct makes a command that does one thing to each job named.
func newJobsAct(g *globals, name, short string, act func(context.Context, *jobs.Engine, string) (string, error)) *cobra.Command {
	o := &output{}
	cmd := &cobra.Command{Use: name + " JOB...", Short: short, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			ctx := cmd.Context()
			d, done, err := g.desk(ctx, app.DeskOptions{OwnOnly: true})
			if err != nil {
				return err
			}
			defer done()
			ids, err := findAll(ctx, d.Engine, args)
			if err != nil {
				return err
			}
			for i, id := range ids {
				if ids[i], err = act(ctx, d.Engine, id); err != nil {
					return err
				}
			}
			all, err := watch(ctx, g.io, d.Engine, ids, false)
			if err != nil {
				return err
			}
			return printJobs(g.io, o, all, len(ids) == 1)
		}}
	o.flag(cmd)
	return cmd
}

func newJobsAdopt(g *globals) *cobra.Command {
	return &cobra.Command{Use: "adopt JOB TASK-ID", Short: "give an ambiguous job the id that its task has", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, done, err := g.desk(cmd.Context(), app.DeskOptions{OwnOnly: true})
			if err != nil {
				return err
			}
			defer done()
			j, err := find(cmd.Context(), d.Engine, args[0])
			if err != nil {
				return err
			}
			if err := d.Engine.Adopt(cmd.Context(), j.ID, args[1]); err != nil {
				return err
			}
			g.io.printf("job %s follows task %s\n", j.ID, client.CleanLine(args[1]))
			return nil
		}}
}

func printDetail(s *IO, o *output, d jobs.Detail) error {
	if !o.table() {
		return o.one(s.Out, struct {
			jobs.Detail
			Request any `json:"request,omitempty"`
			Answer  any `json:"answer,omitempty"`
		}{d, body(d.Request), body(d.Answer)})
	}
	if err := printJobs(s, o, []jobs.Job{d.Job}, true); err != nil {
		return err
	}
	s.printf("\n")
	var cells [][]string
	for _, e := range d.Events {
		cells = append(cells, []string{e.At.Local().Format("2006-01-02 15:04:05.000"), string(e.Kind), string(e.To), e.RawStatus, e.Message})
	}
	if err := rows(s.Out, []string{"AT", "WHAT", "STATE", "RAW", ""}, cells); err != nil {
		return err
	}
	if len(d.Request) > 0 {
		s.printf("\nrequest, through %s:\n%s\n", d.Job.Format, pretty(d.Request))
	}
	if len(d.Answer) > 0 {
		s.printf("\nnewest answer:\n%s\n", pretty(d.Answer))
	}
	return nil
}
