// Package inspect is the command that says what happened to a task, from its id alone.
package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

type options struct {
	k      *kit.Kit
	format kit.Choice
	raw    bool
}

// found is what is known about one id.
type found struct {
	ID string `json:"id"` // as it was given
	// Job is the job of the history that the id belongs to, "" for none; TaskID is what
	// was asked for, when the id given is that of a job.
	Job    string   `json:"job,omitempty"`
	TaskID string   `json:"task_id,omitempty"`
	Format string   `json:"format,omitempty"` // the one that answered
	Task   *taskOut `json:"task,omitempty"`
	// Warnings are those of the job.
	Warnings []string `json:"warnings,omitempty"`
	// Raw is the body of the answer as it came, when it is JSON; RawText otherwise.
	Raw     json.RawMessage `json:"raw,omitempty"`
	RawText string          `json:"raw_text,omitempty"`
	Routes  []routeRow      `json:"routes"`

	body []byte // for --raw: of the task, else of the only path that was asked
}

// routeRow is one query path that was asked.
type routeRow struct {
	Format    string `json:"format"`
	Path      string `json:"path"`
	HTTP      int    `json:"http_status"`
	LatencyMS int64  `json:"latency_ms"`
	RequestID string `json:"request_id,omitempty"`
	Status    string `json:"status,omitempty"`
	Error     string `json:"error,omitempty"`
}

// New makes the command.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{
		Use:   "inspect ID...",
		Short: "say what happened to a task, from its id alone",
		Long: `Asks every query path that could know the id, at once, and shows what each answered, the
normalised state and the body as it came. --format asks one path only. The id of a job, as
` + "`darkroom jobs list`" + ` shows it, stands for its task.`,
		Example: `  darkroom inspect video_abc123
  darkroom inspect video_abc123 --raw | jq .status
  darkroom inspect video_abc123 task-9 -o ndjson`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.format.Format(cmd, "ask this format only: "+strings.Join(kit.FormatNames(), ", "))
	cmd.Flags().BoolVar(&o.raw, "raw", false, "print the body of the answer and nothing else (with --format also of one that names no task)")
	return cmd
}

func (o *options) run(ctx context.Context, ids []string) error {
	if err := o.format.Check(); err != nil {
		return err
	}
	var formats []string
	if o.format.Value != "" {
		formats = []string{o.format.Value}
	}
	gw, err := o.k.GatewayWithKey(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	history, done := o.history(ctx)
	defer done()
	var (
		all    []found
		failed []error
	)
	for _, id := range ids {
		f, err := ask(ctx, gw, history, id, formats)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
		}
		all = append(all, f)
	}
	if err := o.print(all, len(ids) == 1); err != nil {
		return err
	}
	return worst(failed)
}

// history is that of the jobs, nil when there is none or it can not be read: the gateway
// is the one to ask here.
func (o *options) history(ctx context.Context) (jobs.Reader, func()) {
	if o.k.NoHistory() {
		return nil, func() {}
	}
	r, done, err := o.k.Reader(ctx)
	if err != nil {
		o.k.IO.Notef("darkroom: the history is not looked at: %s\n", client.CleanLine(err.Error()))
		return nil, func() {}
	}
	return r, done
}

// worst joins errors under the code of the one that says most: any other before "not
// found".
func worst(all []error) error {
	if len(all) == 0 {
		return nil
	}
	code := kit.ExitNotFound
	for _, err := range all {
		if c := kit.Code(err); c != kit.ExitNotFound {
			code = c
			break
		}
	}
	return kit.Exit(code, errors.Join(all...))
}

// ask asks the gateway about one id, or about the task of the job that it names.
func ask(ctx context.Context, gw *app.Gateway, history jobs.Reader, id string, formats []string) (found, error) {
	f := found{ID: id, Routes: []routeRow{}}
	if history == nil {
		return f, f.lookUp(ctx, gw.Client, id, formats, nil)
	}
	j, err := kit.Find(ctx, history, id)
	if err != nil { // not ours, or the end of several ids: the gateway may know it all the same
		return f, f.lookUp(ctx, gw.Client, id, formats, nil)
	}
	f.Job, f.Warnings = j.ID, j.Warnings
	ctx = j.KnownAs(ctx)
	if j.TaskID == id || slices.Contains(j.AltIDs, id) {
		return f, f.lookUp(ctx, gw.Client, id, formats, &j)
	}
	switch own := gw.Config.Profile.Name; {
	case j.TaskID == "":
		return f, kit.NotFound("job %s is %s and has no task to ask for; `darkroom jobs show %s` tells what is known", jobs.ShortID(j.ID), j.State, jobs.ShortID(j.ID))
	case j.Profile != own:
		return f, kit.Usage("job %s is of the profile %s, and %s is in use: add --profile %s", jobs.ShortID(j.ID), j.Profile, own, j.Profile)
	}
	f.TaskID = j.TaskID
	return f, f.lookUp(ctx, gw.Client, j.TaskID, formats, &j)
}

// lookUp asks the routes and picks the answer to show. The error is the one to end
// with: that of the most telling route when none knew the id.
func (f *found) lookUp(ctx context.Context, c *client.Client, id string, formats []string, j *jobs.Job) error {
	results := c.Lookup(ctx, id, formats...)
	if len(results) == 1 {
		f.body = results[0].Raw
	}
	all := inspect.Findings{Job: j, Routes: make([]inspect.Route, len(results))}
	absent := ""
	for i, r := range results {
		all.Routes[i] = inspect.Route{Format: r.Format}
		all.Answer(i, r)
		row := routeRow{Format: r.Format, Path: r.Path, HTTP: r.Meta.HTTPStatus, LatencyMS: r.Meta.Latency.Milliseconds(), RequestID: r.Meta.RequestID}
		if r.Task != nil {
			row.Status = r.Task.RawStatus
			if r.Task.Absent != "" {
				row.Error = client.CleanLine(r.Task.RawStatus + ": " + r.Task.Absent)
				absent = "; " + r.Path + " says " + row.Error
			}
		}
		if r.Err != nil {
			row.Error = inspect.ErrorText(r.Err)
		}
		f.Routes = append(f.Routes, row)
	}
	if best := all.Best(); best >= 0 {
		f.take(results[best])
	}
	switch v, at := client.Telling(results); {
	case v == client.VerdictTask || at < 0:
		return nil
	case v != client.VerdictUnknown:
		return results[at].Err
	case f.Job != "":
		return kit.NotFound("no query path knows %q (any more); `darkroom jobs show %s` tells what was seen of it%s", client.CleanLine(id), jobs.ShortID(f.Job), absent)
	default:
		return kit.NotFound("no query path knows %q; is it complete, and is it of this profile's gateway?%s", client.CleanLine(id), absent)
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
