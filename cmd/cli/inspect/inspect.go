// Package inspect is the command that says what happened to a task, from its id alone.
package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/drift"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
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

// found is what is known about one id.
type found struct {
	ID string `json:"id"` // as it was given
	// Kind and From say what the text was taken for, and where in it the id stood.
	Kind inspect.Kind `json:"kind,omitempty"`
	From string       `json:"from,omitempty"`
	// Job is the job of the history that the id belongs to, "" for none; TaskID is what
	// was asked for, when the id given is not that of the task.
	Job    string   `json:"job,omitempty"`
	TaskID string   `json:"task_id,omitempty"`
	Format string   `json:"format,omitempty"` // the one that answered
	Task   *taskOut `json:"task,omitempty"`
	// Facts are merged from all answers; Explanation says what the error means.
	Facts       []inspect.Fact  `json:"facts,omitempty"`
	Explanation *explanationOut `json:"explanation,omitempty"`
	// Pace compares a task under way with earlier ones, where these are known.
	Pace *paceOut `json:"pace,omitempty"`
	// Verdict says what all that means, and what to do next.
	Verdict *inspect.Verdict `json:"verdict,omitempty"`
	// Results has what the addresses of the results answer, with --results.
	Results []resultOut `json:"results,omitempty"`
	// Drift is what the answers have that the interface document does not name.
	Drift []drift.Finding `json:"drift,omitempty"`
	// Warnings are those of the job.
	Warnings []string `json:"warnings,omitempty"`
	// Raw is the body of the answer as it came, when it is JSON; RawText otherwise.
	Raw     json.RawMessage `json:"raw,omitempty"`
	RawText string          `json:"raw_text,omitempty"`
	Routes  []routeRow      `json:"routes"`
	// Profile is the one whose gateway knows the id, with --all-profiles; Profiles has what each
	// said.
	Profile  string       `json:"profile,omitempty"`
	Profiles []profileOut `json:"profiles,omitempty"`
	// Events and Exchanges are those of the job: of a bundle's, or of the history's if one id is
	// looked up.
	Events    []jobs.Event    `json:"events,omitempty"`
	Exchanges []jobs.Exchange `json:"exchanges,omitempty"`
	// Watch is what was seen of the task, with --watch.
	Watch *watched `json:"watch,omitempty"`
	// HistoryError says why the history was not looked at.
	HistoryError string `json:"history_error,omitempty"`
	// Problem says why there is no task to show.
	Problem string `json:"problem,omitempty"`

	body   []byte // for --raw: of the task, else of the only path that was asked
	result lookup.Result
}

// routeRow is one query path, asked or not.
type routeRow struct {
	Profile   string `json:"profile,omitempty"` // whose gateway it is, with --all-profiles
	Format    string `json:"format"`
	Path      string `json:"path,omitempty"`
	HTTP      int    `json:"http_status"`
	LatencyMS int64  `json:"latency_ms"`
	RequestID string `json:"request_id,omitempty"`
	Status    string `json:"status,omitempty"`
	Error     string `json:"error,omitempty"`
	// Page is the title of a web page that came in place of an answer.
	Page string `json:"web_page,omitempty"`
	// Skipped says why it was not asked.
	Skipped string `json:"skipped,omitempty"`
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

// newFound returns what came of one id. The error is the one to end with: that of the most telling
// route if none knew the id.
func newFound(cat *catalog.Catalog, profile string, r lookup.Result) (found, error) {
	f := found{ID: r.Subject.Value, From: r.Subject.From, Routes: []routeRow{}, result: r}
	if r.Subject.Kind != inspect.KindID {
		f.Kind = r.Subject.Kind
	}
	j := r.Findings.Job
	if j != nil {
		f.Job, f.Warnings = j.ID, j.Warnings
	}
	if r.Asked != r.Subject.Value {
		f.TaskID = r.Asked
	}
	absent := ""
	for i := range r.Findings.Routes {
		x := &r.Findings.Routes[i]
		f.Routes = append(f.Routes, newRow(x))
		if t := x.Result.Task; t != nil && t.Absent != "" {
			absent = "; " + x.Path + " says " + f.Routes[i].Error
		}
	}
	if best := r.Findings.Best(); best >= 0 {
		f.take(r.Findings.Routes[best].Result)
	} else if len(r.Findings.Routes) == 1 {
		f.body = r.Findings.Routes[0].Body
	}
	if r.HistoryErr != nil {
		f.HistoryError = client.CleanLine(r.HistoryErr.Error())
	}
	f.Facts = r.Findings.Facts()
	if l, err := drift.Embedded(); err == nil { // a test reads it
		f.Drift = r.Findings.Drift(l)
		if profile == config.Sandbox {
			f.Drift = l.Own(f.Drift)
		}
	}
	if e, ok := r.Findings.Explain(cat); ok {
		f.Explanation = newExplanation(e)
	}
	f.judge(cat, time.Now())
	err := f.failure(profile, r, absent)
	if err != nil {
		f.Problem = client.CleanLine(err.Error())
	}
	return f, err
}

func newRow(x *inspect.Route) routeRow {
	res := x.Result
	row := routeRow{Format: x.Format, Path: x.Path, HTTP: res.Meta.HTTPStatus, LatencyMS: res.Meta.Latency.Milliseconds(),
		RequestID: res.Meta.RequestID, Skipped: x.Skipped}
	if t := res.Task; t != nil {
		row.Status = t.RawStatus
		if t.Absent != "" {
			row.Error = client.CleanLine(t.RawStatus + ": " + t.Absent)
		}
	}
	if p, page := client.ReadPage(x.Body); page {
		row.Page = cmp.Or(p.Title, "without a title")
	}
	if res.Err != nil {
		row.Error = inspect.ErrorText(res.Err)
	}
	return row
}

// failure says why there is no task to show, nil if there is one.
func (f *found) failure(own string, r lookup.Result, absent string) error {
	j := r.Findings.Job
	switch {
	case errors.Is(r.Err, lookup.ErrNoTask) && j.State == jobs.Completed:
		return nil // the create's answer was the result
	case errors.Is(r.Err, lookup.ErrNoTask):
		return kit.NotFound("job %s is %s and has no task to ask for; `darkroom jobs show %s` tells what is known", jobs.ShortID(j.ID), j.State, jobs.ShortID(j.ID))
	case errors.Is(r.Err, lookup.ErrProfile):
		return kit.Usage("job %s is of the profile %s, and %s is in use: add --profile %s", jobs.ShortID(j.ID), j.Profile, own, j.Profile)
	case errors.Is(r.Err, lookup.ErrSeveral):
		return kit.Usage("%q: %w", client.CleanLine(f.ID), r.Err)
	case r.Err != nil:
		return kit.NotFound("%q: %w", client.CleanLine(f.ID), r.Err)
	}
	results := make([]client.RouteResult, 0, len(r.Findings.Routes))
	for i := range r.Findings.Routes {
		results = append(results, r.Findings.Routes[i].Result)
	}
	switch v, at := client.Telling(results); {
	case v == client.VerdictTask || at < 0:
		return nil
	case v != client.VerdictUnknown:
		return results[at].Err
	case r.Findings.Mute() != "":
		return kit.NotFound("no query path knows %q, as far as they answered: %s, the likely one, sent a web page%s", client.CleanLine(f.ID), r.Findings.Mute(), absent)
	case f.Job != "":
		return kit.NotFound("no query path knows %q (any more); `darkroom jobs show %s` tells what was seen of it%s", client.CleanLine(f.ID), jobs.ShortID(f.Job), absent)
	default:
		return kit.NotFound("no query path knows %q; is it complete, and is it of this profile's gateway?%s", client.CleanLine(f.ID), absent)
	}
}

func (f *found) take(r client.RouteResult) {
	f.Format, f.Task, f.body = r.Format, newTaskOut(r.Task), r.Task.Raw
	if json.Valid(r.Task.Raw) {
		f.Raw = r.Task.Raw
	} else {
		f.RawText = string(r.Task.Raw)
	}
}

// worst joins errors under the exit code that says the most: any other goes before "not found",
// that before a state that stays unknown, and that before a timeout.
func worst(all []error) error {
	if len(all) == 0 {
		return nil
	}
	mild := []int{kit.ExitTimeout, kit.ExitUnknown, kit.ExitNotFound}
	code := mild[0]
	for _, err := range all {
		c := kit.Code(err)
		if !slices.Contains(mild, c) {
			code = c
			break
		}
		if slices.Index(mild, c) > slices.Index(mild, code) {
			code = c
		}
	}
	return kit.Exit(code, errors.Join(all...))
}

// resultOut is the check of a result as machines get it.
type resultOut struct {
	URL       string     `json:"url"`
	Alive     bool       `json:"alive"`
	Status    int        `json:"status,omitempty"`
	MediaType string     `json:"media_type,omitempty"`
	Bytes     *int64     `json:"bytes,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	Error     string     `json:"error,omitempty"`

	words string
}

// check takes in what the addresses of the results answered.
func (f *found) check(all []inspect.ResultCheck) {
	for _, c := range all {
		out := resultOut{URL: c.URL, Alive: c.Alive(), Status: c.Head.StatusCode, MediaType: c.Head.MediaType, words: c.Words(time.Now())}
		if c.Err != nil {
			out.Error = client.CleanLine(c.Err.Error())
		} else if c.Head.Bytes >= 0 {
			out.Bytes = &c.Head.Bytes
		}
		if !c.Expires.IsZero() {
			out.ExpiresAt = &c.Expires
		}
		f.Results = append(f.Results, out)
	}
}

// explanationOut is an explanation as machines get it.
type explanationOut struct {
	Listed  bool          `json:"listed"`
	Source  string        `json:"source"`
	Meaning string        `json:"meaning,omitempty"`
	Fault   catalog.Fault `json:"fault,omitempty"`
	Retry   catalog.Retry `json:"retry,omitempty"`
	Field   string        `json:"field,omitempty"`
	Next    string        `json:"next,omitempty"`

	whose, again string
}

func newExplanation(e inspect.Explanation) *explanationOut {
	return &explanationOut{Listed: e.Listed, Source: e.Source(), Meaning: e.Rule.Meaning, Fault: e.Rule.Fault, Retry: e.Rule.Retry,
		Field: e.Rule.Field, Next: e.Rule.Next, whose: e.Whose(), again: e.Again()}
}
