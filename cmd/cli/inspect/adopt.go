package inspect

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/lookup"
)

// keeping is --adopt: what is found goes into the history, to be watched there and never sent.
type keeping struct {
	adopt        bool
	ticket, note string
}

func (o *keeping) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.adopt, "adopt", false, "take what is found into the history as an observed job: followed to its end there, never sent")
	f.StringVar(&o.ticket, "ticket", "", "with --adopt: tag the job with the ticket, as ticket:77")
	f.StringVar(&o.note, "note", "", "with --adopt: keep a remark with the job")
}

// check refuses what does not go together; everywhere says that the gateways of all profiles are asked.
func (o *keeping) check(everywhere bool) error {
	if o.adopt && everywhere {
		return kit.Usage("--adopt is for one gateway: name its profile with --profile, and leave out --all-profiles")
	}
	if !o.adopt && (o.ticket != "" || o.note != "") {
		return kit.Usage("--ticket and --note are for --adopt; `darkroom jobs tag` and `darkroom jobs remark` note on a job of the history")
	}
	if _, err := jobs.CleanTags(jobs.Ticket(o.ticket)); err != nil {
		return kit.Usage("--ticket: %w", err)
	}
	return nil
}

// adopter takes tasks into the history of a desk. A nil one takes none. It is safe for concurrent use.
type adopter struct {
	o *options
	d *app.Desk

	mu  sync.Mutex
	own map[string]bool // the jobs that the desk's engine follows
}

// desk opens the history to be written for --adopt, nil without it. The caller must call the function,
// which closes the gateway, too.
func (o *options) desk(ctx context.Context, gw *app.Gateway) (*app.Desk, func(), error) {
	if !o.adopt {
		return nil, gw.Close, nil
	}
	return o.k.DeskOf(ctx, gw, app.DeskOptions{OwnOnly: true, NoDownloads: true})
}

func (o *options) adopter(d *app.Desk) *adopter {
	if d == nil {
		return nil
	}
	return &adopter{o: o, d: d, own: map[string]bool{}}
}

// follows reports whether the engine asks about a result's task, so that nobody else has to.
func (a *adopter) follows(r *lookup.Result) bool {
	if a == nil || r.Findings.Job == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.own[r.Findings.Job.ID]
}

// look updates a result with what the engine knows by now.
func (a *adopter) look(ctx context.Context, r *lookup.Result) {
	if j, err := a.d.Engine.Get(ctx, r.Findings.Job.ID); err == nil {
		r.Findings.Job = &j
	}
}

// take adds what was found to the history, once; a job that is there already gets the ticket and
// the note. From then on the result has the job.
func (a *adopter) take(ctx context.Context, r *lookup.Result) error {
	if a == nil || a.follows(r) {
		return nil
	}
	o, ok := lookup.Observation(&r.Findings, r.Asked, a.d.Catalog, time.Now())
	if !ok {
		return nil // what it ends with says so
	}
	o.Tags, o.Remark = jobs.Ticket(a.o.ticket), a.o.note
	id, fresh, err := a.d.Engine.Observe(ctx, o)
	if err != nil {
		return fmt.Errorf("%q is not in the history: %w", client.CleanLine(r.Asked), err)
	}
	j, err := a.d.Engine.Get(ctx, id)
	if err != nil {
		return err
	}
	if r.Findings.Job = &j; fresh {
		a.mu.Lock()
		a.own[id] = true
		a.mu.Unlock()
		a.o.k.IO.Tell("task " + r.Asked + " is job " + jobs.ShortID(id) + " now: it is watched and never sent")
	} else if len(o.Tags) > 0 || o.Remark != "" {
		a.o.k.IO.Tell("job " + jobs.ShortID(id) + " has the task " + r.Asked + " already; it was noted there")
	}
	return nil
}
