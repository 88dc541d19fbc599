package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

func newJobs(g *globals) *cobra.Command {
	return parent(&cobra.Command{Use: "jobs", Short: "what was submitted: list, show, watch, download",
		Long: `Jobs are what this machine submitted, from here or from the console, with everything that
was seen of them. A job is named by its id, by the last characters of it (as lists show
them), or by its task id. ` + "`darkroom exit-codes`" + ` tells how these commands end.`,
		Example: "  darkroom jobs list --state failed -o ndjson\n  darkroom jobs show 3f9a1c22",
	}, newJobsList(g), newJobsShow(g), newJobsChain(g), newJobsWatch(g), newJobsDownload(g), newJobsOpen(g),
		newJobsDrop(g), newJobsRepoll(g), newJobsResend(g), newJobsAdopt(g),
		newJobsPause(g), newJobsResume(g), newJobsPauses(g), newJobsTag(g), newJobsStar(g), newJobsUnstar(g), newJobsRemark(g), newJobsPrune(g))
}

// slow is told when closing takes a moment.
func (g *globals) slow() {
	g.io.note("darkroom: waiting a moment for what is under way…\n")
}

// tell passes on what a person has to know of the history.
func (g *globals) tell(text string) { g.io.note("darkroom: %s\n", client.CleanLine(text)) }

// desk opens gateway and history. The close function is to be called whatever happens.
func (g *globals) desk(ctx context.Context, o app.DeskOptions) (*app.Desk, func(), error) {
	gw, err := g.gateway(ctx)
	if err != nil {
		return nil, nil, err
	}
	return g.deskOf(ctx, gw, o)
}

// deskOf is desk for a gateway that is there, which is closed with it, or on a failure.
func (g *globals) deskOf(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, func(), error) {
	o.Slow, o.Tell, o.Retry, o.KeepTrying = g.slow, g.tell, g.io.retry, g.io.trying
	d, err := app.OpenDesk(ctx, gw, o)
	if err != nil {
		gw.Close()
		return nil, nil, err
	}
	return d, func() {
		err := d.Close()
		if errors.As(err, new(*app.UnsavedError)) {
			g.unsaved = err
		} else if err != nil {
			g.io.note("darkroom: closing the history: %s\n", client.CleanLine(err.Error()))
		}
		gw.Close()
	}, nil
}

// reader opens the history alone: no gateway, no engine.
func (g *globals) reader(ctx context.Context) (*jobs.Engine, func(), error) {
	c, err := g.config()
	if err != nil {
		return nil, nil, err
	}
	return app.OpenReader(ctx, c, g.tell)
}

// ofJob runs fn on the job that a word names, with the history that it was found in.
func (g *globals) ofJob(ctx context.Context, word string, fn func(*jobs.Engine, jobs.Job) error) error {
	r, done, err := g.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	j, err := find(ctx, r, word)
	if err != nil {
		return err
	}
	return fn(r, j)
}

// shortest is how much of an id's end is enough to look for it.
const shortest = 4

// find takes a job's id, the end of one, or a task id. The job has its whole draft.
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
	if len(page.Jobs) == 0 && len(word) >= shortest {
		if page, err = bySuffix(ctx, r, word); err != nil {
			return j, err
		}
	}
	switch len(page.Jobs) {
	case 0:
		return j, notFound("no job has the id %q; `darkroom jobs list` shows them, `darkroom inspect` asks the gateway", client.CleanLine(word))
	case 1:
		if j = page.Jobs[0]; j.Draft.Cut { // a list has the beginning only
			return r.Get(ctx, j.ID)
		}
		return j, nil
	default:
		return j, usage("more than one job has an id that ends with %q: give more of it", client.CleanLine(word))
	}
}

func bySuffix(ctx context.Context, r jobs.Reader, end string) (jobs.Page, error) {
	var found jobs.Page
	q := jobs.Query{Text: end, Limit: 200} // the search covers ids
	for range 25 {                         // 5,000 hits: a short id is for what one has just seen
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

// findOwn finds jobs of the profile in use, each once. Those of another profile are
// another gateway's: asking this one about them would only tell it their ids.
func findOwn(ctx context.Context, d *app.Desk, words []string) ([]jobs.Job, error) {
	var all []jobs.Job
	for _, w := range words {
		j, err := find(ctx, d.Engine, w)
		if err != nil {
			return nil, err
		}
		if own := d.Config.Profile.Name; j.Profile != own {
			return nil, usage("job %s is of the profile %s, and %s is in use: add --profile %s", shortID(j.ID), j.Profile, own, j.Profile)
		}
		if !slices.ContainsFunc(all, func(x jobs.Job) bool { return x.ID == j.ID }) {
			all = append(all, j)
		}
	}
	return all, nil
}

func idsOf(all []jobs.Job) []string {
	ids := make([]string, len(all))
	for i, j := range all {
		ids[i] = j.ID
	}
	return ids
}

// completeJobs offers the newest jobs of the history, in the given states or all.
func (g *globals) completeJobs(states ...jobs.State) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		if g.noHistory() {
			return nil, none
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), time.Second)
		defer cancel()
		r, done, err := g.reader(ctx)
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
			if id := shortID(j.ID); !slices.Contains(args, id) {
				out = append(out, cobra.CompletionWithDesc(id, client.CleanLine(fmt.Sprintf("%s %s %s", j.Draft.Model, j.State, firstLine(j.Draft.Prompt, 40)))))
			}
		}
		return out, none | cobra.ShellCompDirectiveKeepOrder
	}
}

// printJobs prints jobs; one alone, where one was asked for, is no array.
func (g *globals) printJobs(ctx context.Context, p planner, all []jobs.Job, single bool) error {
	outs := g.jobOuts(ctx, p, all)
	if !g.out.table() {
		if single && len(outs) == 1 {
			return g.one(outs[0])
		}
		return list(g, outs)
	}
	if len(all) == 0 {
		g.io.note("no jobs\n")
		return nil
	}
	var cells [][]string
	for _, o := range outs {
		j, state := o.Job, keptState(o.Job)+o.forecast.mark()
		if mark := heldMark(o.Held); mark != "" {
			state += ", " + mark
		}
		cells = append(cells, []string{shortID(j.ID), string(j.Draft.Modality), j.Draft.Model, state, format.Age(time.Since(j.CreatedAt)), taskOf(j), marksOf(j) + titled(j) + firstLine(j.Draft.Prompt, 40)})
		for _, f := range j.Files {
			if f.State == jobs.FileSaved {
				cells = append(cells, []string{"", "", "", "", "", f.Path, format.Bytes(f.Bytes)})
			}
		}
	}
	return rows(g.io.Out, []string{"JOB", "KIND", "MODEL", "STATE", "AGE", "TASK / FILE", "PROMPT"}, cells)
}

// titled is the title that a song was given, before its prompt.
func titled(j jobs.Job) string {
	if j.Title == "" {
		return ""
	}
	return "“" + firstLine(j.Title, 40) + "” "
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
