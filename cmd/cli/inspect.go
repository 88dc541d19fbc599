package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
)

type inspectOptions struct {
	g      *globals
	out    output
	format string
	raw    bool
}

// found is what is known about one id.
type found struct {
	ID     string       `json:"id"`
	Format string       `json:"format,omitempty"` // the one that answered
	Task   *client.Task `json:"task,omitempty"`
	// Raw is the body of the answer as it came, when it is JSON; RawText otherwise.
	Raw     json.RawMessage `json:"raw,omitempty"`
	RawText string          `json:"raw_text,omitempty"`
	Routes  []routeRow      `json:"routes"`
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

func newInspect(g *globals) *cobra.Command {
	o := &inspectOptions{g: g}
	cmd := &cobra.Command{
		Use:   "inspect ID...",
		Short: "say what happened to a task, from its id alone",
		Long: `Asks every query path that could know the id, at once, and shows what each answered, the
normalised state and the body as it came. --format asks one path only.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.out.flag(cmd)
	cmd.Flags().StringVar(&o.format, "format", "", "ask this format only")
	cmd.Flags().BoolVar(&o.raw, "raw", false, "print the body of the answer and nothing else")
	return cmd
}

func (o *inspectOptions) run(ctx context.Context, ids []string) error {
	if err := o.out.check(); err != nil {
		return err
	}
	gw, err := o.g.gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	var formats []string
	if o.format != "" {
		if _, ok := gw.Client.Format(o.format); !ok {
			var names []string
			for _, f := range gw.Client.Formats() {
				names = append(names, f.Name())
			}
			return usage("--format %s: allowed are %s", o.format, strings.Join(names, ", "))
		}
		formats = []string{o.format}
	}
	var (
		all    []found
		failed error
	)
	for _, id := range ids {
		f, err := lookUp(ctx, gw.Client, id, formats)
		if err != nil {
			failed = err
		}
		all = append(all, f)
	}
	if err := o.print(all); err != nil {
		return err
	}
	return failed
}

// lookUp asks the routes and picks the answer to show. The error is the one to end
// with: that of the most telling route when none knew the id.
func lookUp(ctx context.Context, c *client.Client, id string, formats []string) (found, error) {
	f := found{ID: id}
	var worst error
	for _, r := range c.Lookup(ctx, id, formats...) {
		row := routeRow{Format: r.Format, Path: r.Path, HTTP: r.Meta.HTTPStatus, LatencyMS: r.Meta.Latency.Milliseconds(), RequestID: r.Meta.RequestID}
		if r.Task != nil {
			row.Status = r.Task.RawStatus
			if f.Task == nil {
				f.Format, f.Task = r.Format, r.Task
				if json.Valid(r.Task.Raw) {
					f.Raw = r.Task.Raw
				} else {
					f.RawText = client.Clean(string(r.Task.Raw))
				}
			}
		}
		if r.Err != nil {
			row.Error = client.CleanLine(r.Err.Error())
			var api *client.APIError
			if worst == nil || errors.As(r.Err, &api) && api.HTTPStatus != 404 {
				worst = r.Err
			}
		}
		f.Routes = append(f.Routes, row)
	}
	if f.Task != nil {
		return f, nil
	}
	var api *client.APIError
	if worst == nil || errors.As(worst, &api) && api.HTTPStatus == 404 {
		return f, notFound("no query path knows %q; is it complete, and is it of this profile's gateway?", client.CleanLine(id))
	}
	return f, worst
}

func (o *inspectOptions) print(all []found) error {
	s := o.g.io
	if o.raw {
		for _, f := range all {
			if f.Task != nil {
				if _, err := s.Out.Write(append(f.Task.Raw, '\n')); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if !o.out.table() {
		if len(all) == 1 && o.out.format != outNDJSON {
			return o.out.one(s.Out, all[0])
		}
		return list(&o.out, s.Out, all)
	}
	for i, f := range all {
		if i > 0 {
			s.printf("\n")
		}
		if err := o.printOne(f); err != nil {
			return err
		}
	}
	return nil
}

func (o *inspectOptions) printOne(f found) error {
	s := o.g.io
	s.printf("%s\n", client.CleanLine(f.ID))
	if t := f.Task; t != nil {
		line := func(name, value string) {
			if value != "" {
				s.printf("  %-9s %s\n", name, client.CleanLine(value))
			}
		}
		line("state", fmt.Sprintf("%s (raw: %s)", t.Status, t.RawStatus))
		line("format", f.Format)
		line("model", t.Model)
		if t.Progress >= 0 {
			line("progress", fmt.Sprintf("%.0f %%", t.Progress))
		}
		if t.Error != nil {
			line("error", strings.TrimSpace(t.Error.Code+" "+t.Error.Message))
		}
		if !t.CreatedAt.IsZero() {
			line("created", t.CreatedAt.UTC().Format("2006-01-02 15:04:05Z"))
		}
		for _, a := range t.Assets {
			where := a.URL
			if where == "" {
				where = "at the content path"
			}
			line(string(a.Kind), where)
		}
	}
	s.printf("\n")
	var cells [][]string
	for _, r := range f.Routes {
		said := r.Status
		if r.Error != "" {
			said = r.Error
		}
		cells = append(cells, []string{"  " + r.Format, r.Path, fmt.Sprint(r.HTTP), fmt.Sprintf("%d ms", r.LatencyMS), said})
	}
	if err := rows(s.Out, []string{"  ROUTE", "PATH", "HTTP", "TOOK", "SAID"}, cells); err != nil {
		return err
	}
	if f.Task != nil {
		s.printf("\n%s\n", pretty(f.Task.Raw))
	}
	return nil
}

// pretty indents JSON and leaves its numbers and the order of its keys alone; other
// text is cleaned.
func pretty(b []byte) string {
	var out strings.Builder
	var v json.RawMessage = b
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if !json.Valid(b) || enc.Encode(v) != nil {
		return client.Clean(string(b))
	}
	return client.Clean(strings.TrimRight(out.String(), "\n"))
}
