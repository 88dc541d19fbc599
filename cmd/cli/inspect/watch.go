package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/jobs/sighting"
)

// following is --watch: each id is looked at until its task has ended.
type following struct {
	watch   bool
	timeout time.Duration
}

func (w *following) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.watch, "watch", false, "look again until each task has ended: completed (exit code 0), failed (1), not found (3), unknown (8)")
	cmd.Flags().DurationVar(&w.timeout, "timeout", 0, "stop watching after this long (exit code 9), as 10m; else never")
}

// check refuses what does not go together; everywhere says that the gateways of all profiles are asked.
func (w *following) check(everywhere bool) error {
	if w.watch && everywhere {
		return kit.Usage("--watch asks one gateway: name its profile with --profile, and leave out --all-profiles")
	}
	if w.timeout != 0 && !w.watch {
		return kit.Usage("--timeout is for --watch")
	}
	if w.timeout < 0 {
		return kit.Usage("--timeout %s: give a time above 0, as 10m", w.timeout)
	}
	return nil
}

// watched is what was seen of an id under --watch.
type watched struct {
	Outcome sighting.Outcome `json:"outcome"`
	Seen    sighting.List    `json:"seen"`
}

// sightRow is a line of -o ndjson under --watch: something new was seen of an id, or it is over.
type sightRow struct {
	ID string `json:"id"`
	*sighting.Sight
	Outcome sighting.Outcome `json:"outcome,omitempty"`
	Found   *found           `json:"found,omitempty"` // at the end
}

// watcher watches ids, each in a goroutine of its own, within the pace of the host.
type watcher struct {
	o     *options
	gw    *app.Gateway
	d     lookup.Desk
	adopt *adopter      // nil takes nothing into the history
	slots chan struct{} // looks at once

	mu   sync.Mutex // guards the output
	many bool
}

// maxLooks is how many ids are looked at at once.
const maxLooks = 6

// all watches the subjects to their ends and hands over each as it ends, one after another.
func (w *watcher) all(ctx context.Context, subjects []inspect.Subject, end func(i int, f found, err error)) {
	w.slots, w.many = make(chan struct{}, maxLooks), len(subjects) > 1
	if t := w.o.timeout; t > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, t)
		defer stop()
	}
	var wg sync.WaitGroup
	for i, s := range subjects {
		wg.Go(func() {
			r, seen, err := w.one(ctx, s)
			f, told := newFound(w.gw.Catalog, w.gw.Config.Profile.Name, r)
			f.check(r.Checks)
			f.Watch = &watched{seen.Outcome, seen.Seen}
			if err = cmp.Or(err, w.failure(&f, told)); err != nil {
				f.Problem = client.CleanLine(err.Error())
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.o.streams() {
				_ = w.o.k.Out.One(sightRow{ID: f.ID, Outcome: seen.Outcome, Found: &f}) // the stream keeps its error
			}
			end(i, f, err)
		})
	}
	wg.Wait()
}

// one watches an id to its end, and returns what was found last. An error means that it could not
// be added to the history.
func (w *watcher) one(ctx context.Context, s inspect.Subject) (r lookup.Result, seen sighting.Watch, err error) {
	r = lookup.Result{Subject: s}
	for route, first := "", true; ; first = false {
		next, ok := w.look(ctx, r, route, first)
		if !ok {
			if seen.Outcome = sighting.Stopped; errors.Is(ctx.Err(), context.DeadlineExceeded) {
				seen.Outcome = sighting.TimedOut
			}
			return r, seen, err
		}
		r, route = next, cmp.Or(next.Format(), route)
		if err == nil {
			err = w.adopt.take(ctx, &r)
		}
		wait, news := seen.Saw(w.shows(&r), rand.Float64()) //nolint:gosec // a delay
		if news {
			w.tell(s.Value, seen.Seen)
		}
		if r.Err != nil && r.State() == string(client.StatusCompleted) {
			seen.Outcome = sighting.Completed // the create's answer was the result
		}
		if seen.Outcome != sighting.Going {
			if w.adopt.follows(&r) {
				r = w.d.Again(ctx, r, route)
			}
			w.d.Results(ctx, &r)
			return r, seen, err
		}
		pause := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// look looks an id up, for the first time or again. ok is false if watching has to end before that.
func (w *watcher) look(ctx context.Context, r lookup.Result, route string, first bool) (lookup.Result, bool) {
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return r, false
	}
	d := w.d
	d.Check = nil // at the end
	switch {
	case first:
		r = d.One(ctx, r.Subject)
	case w.adopt.follows(&r):
		w.adopt.look(ctx, &r)
	default:
		r = d.Again(ctx, r, route)
	}
	return r, ctx.Err() == nil
}

// shows returns what a look showed: the job, if the engine follows the task.
func (w *watcher) shows(r *lookup.Result) sighting.Look {
	if w.adopt.follows(r) {
		return sighting.OfJob(r.Findings.Job, time.Now())
	}
	return sighting.Of(&r.Findings, time.Now())
}

// tell prints what is new of an id, as it comes.
func (w *watcher) tell(id string, seen sighting.List) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := seen[len(seen)-1]
	if w.o.streams() {
		_ = w.o.k.Out.One(sightRow{ID: id, Sight: &last}) // the stream keeps its error
		return
	}
	lines := seen.Lines(w.o.times.Clock())
	text := lines[len(lines)-1]
	if w.many {
		text = id + ": " + text
	}
	w.o.k.IO.Notef("%s\n", client.CleanLine(text))
}

// streams reports whether lines go to the output as something is seen.
func (o *options) streams() bool { return o.watch && o.k.Out.Format == kit.NDJSON }

// failure returns the error that the end of a watch stands for, nil for a completed task; told is
// what a look without a watch would end with.
func (w *watcher) failure(f *found, told error) error {
	id := client.CleanLine(f.ID)
	switch f.Watch.Outcome {
	case sighting.Completed:
		return nil
	case sighting.Failed:
		return kit.Exit(kit.ExitFailed, fmt.Errorf("%q failed: %s", id, cmp.Or(strings.TrimSpace(f.result.Said(inspect.KeyCode)+" "+f.result.Said(inspect.KeyMessage)), "no reason is given")))
	case sighting.Unknown:
		return kit.Exit(kit.ExitUnknown, fmt.Errorf("%q is in a state that nobody lists: %s", id, lastOf(f.Watch.Seen)))
	case sighting.TimedOut:
		return kit.Exit(kit.ExitTimeout, fmt.Errorf("%q has not ended within %s: %s", id, w.o.timeout, lastOf(f.Watch.Seen)))
	case sighting.Stopped:
		return kit.Stopped("stopped watching " + id + ": " + lastOf(f.Watch.Seen))
	default:
		return cmp.Or(told, kit.NotFound("%q: nobody knows it", id))
	}
}

// lastOf says what was seen last.
func lastOf(seen sighting.List) string {
	if len(seen) == 0 {
		return "nothing was seen of it"
	}
	last := seen[len(seen)-1]
	return "it was seen " + cmp.Or(last.Raw, last.State) + " last"
}
