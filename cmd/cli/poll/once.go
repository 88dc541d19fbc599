package poll

import (
	"context"
	"errors"
	"slices"
	"time"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

const (
	// onceLimit bounds `poll --once`, beside files that are on their way.
	onceLimit = 2 * time.Minute
	// onceFiles is how many of the newest completed jobs are searched for files that are still to
	// be fetched.
	onceFiles = 1000
)

// once is the work that was due when a poller began, which it finishes before it ends.
type once struct {
	d     *app.Desk
	start time.Time
	saves bool                 // results are saved here
	due   map[string]jobs.Work // as it was at the start
}

func newOnce(ctx context.Context, d *app.Desk, saves bool) (*once, error) {
	o := &once{d: d, start: time.Now(), saves: saves, due: map[string]jobs.Work{}}
	marks, _, err := d.Store.Marks(ctx, d.Config.Profile.Name)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(marks))
	for i, m := range marks {
		ids[i] = m.ID
	}
	if saves {
		p, err := d.Store.List(ctx, jobs.Query{Profile: d.Config.Profile.Name, States: []jobs.State{jobs.Completed}, Limit: onceFiles})
		if err != nil {
			return nil, err
		}
		for _, j := range p.Jobs {
			if !jobs.Settled(j) {
				ids = append(ids, j.ID)
			}
		}
	}
	for _, id := range ids {
		w, err := d.Store.Get(ctx, id)
		if errors.Is(err, jobs.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !w.Due.IsZero() && !w.Due.After(o.start) && !w.Job.Paused && !stays(d, w.Job.State) {
			o.due[id] = w
		}
	}
	return o, nil
}

// stays reports whether jobs in a state stay as they are: planned ones, where nothing is sent.
func stays(d *app.Desk, s jobs.State) bool { return s == jobs.Planned && d.Client.ReadOnly() != nil }

// ended reports whether everything that was due was done, was put off or is in the hands of another
// process; an error with true means that it took too long.
func (o *once) ended(ctx context.Context) (bool, error) {
	if o.d.Engine.Counts().Flow.Paused {
		return true, nil // a person paused it: nothing is done until they resume
	}
	loading := false
	for id, old := range o.due {
		j, done, err := o.look(ctx, old)
		if err != nil {
			return o.late(false), err
		}
		if done {
			delete(o.due, id)
		}
		loading = loading || !done && j.Fetching()
	}
	if len(o.due) > 0 && o.late(loading) {
		return true, kit.Exit(kit.ExitFailed, errors.New("not everything that was due could be done in time; the rest is for the next run"))
	}
	return len(o.due) == 0, nil
}

func (o *once) late(loading bool) bool { return !loading && time.Since(o.start) > onceLimit }

// look reports whether nothing more is to be awaited of a job.
func (o *once) look(ctx context.Context, old jobs.Work) (j jobs.Job, done bool, err error) {
	w, err := o.d.Store.Get(ctx, old.Job.ID)
	if errors.Is(err, jobs.ErrNotFound) {
		return j, true, nil
	}
	if err != nil {
		return j, false, err
	}
	if j, err = o.d.Engine.Get(ctx, old.Job.ID); err != nil { // what it knows is newer
		return j, errors.Is(err, jobs.ErrNotFound), nil
	}
	others := w.Owner != "" && w.Owner != o.d.Owner && w.Owner != old.Owner
	if others || w.Job.Paused || w.Due.IsZero() {
		return j, true, nil
	}
	if o.saves && j.State == jobs.Completed && !jobs.Settled(j) {
		// A file that failed once is tried again later.
		return j, slices.ContainsFunc(j.Files, func(f jobs.File) bool { return f.State == jobs.FileWanted && f.Error != "" }), nil
	}
	return j, j.Polls != old.Job.Polls || j.State != old.Job.State || j.NextPollAt.After(o.start), nil
}
