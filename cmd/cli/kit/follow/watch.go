// Package follow follows jobs on the command line to their end, and says what came of them, what
// holds them up, and what can be done about it.
package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

const liveEvery = 100 * time.Millisecond

// Watch follows jobs until each create has its answer or, with toEnd, until each job has ended
// and its files are on the disk. Progress goes to standard error: live lines on a terminal, a
// line per change elsewhere. The result is in the order of ids.
//
// Watch says what a pause holds up, and waits for it with toEnd. Without toEnd it does not wait for
// jobs whose create a pause keeps from being sent, but returns them as they are. In the end it also
// returns as they are those that could not be sent because the gateway could not be reached, and
// those that the history could not take, which closing the desk reports.
func Watch(ctx context.Context, k *kit.Kit, d *app.Desk, ids []string, toEnd bool) ([]jobs.Job, error) {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	done := await(waiting, d, ids, toEnd)
	l := newLive(k.IO, ids, func(j jobs.Job) stand { return now(k, d, j) })
	defer l.end()
	var tick <-chan time.Time
	if k.IO.TtyErr != nil {
		t := time.NewTicker(liveEvery)
		defer t.Stop()
		tick = t.C
	}
	for _, id := range ids { // a job that another installation is to send does not change here
		if j, err := d.Engine.Get(ctx, id); err == nil && jobs.ForPerson(j) {
			l.put(j)
		}
	}
	for seq := uint64(0); ; {
		seq = l.changes(d.Engine, seq)
		if !toEnd && l.stuck() || l.unreached() || d.Hopeless() {
			cancel()
		}
		select {
		case r := <-done:
			l.ended(r.jobs)
			switch {
			case r.err != nil && ctx.Err() != nil:
				return r.jobs, stoppedWatching(ids, toEnd)
			case waiting.Err() != nil:
				return r.jobs, nil // held by a pause, see Outcome
			}
			return r.jobs, r.err
		case <-d.Ended():
			return nil, Ended(d)
		case <-d.Engine.Dirty():
		case <-tick:
			l.draw()
		}
	}
}

type waited struct {
	jobs []jobs.Job
	err  error
}

// await waits for the answers to jobs' creates or, with toEnd, for the jobs to end.
func await(ctx context.Context, d *app.Desk, ids []string, toEnd bool) <-chan waited {
	wait := d.Engine.Answered
	if toEnd {
		wait = d.Engine.Wait
	}
	done := make(chan waited, 1)
	go func() {
		all, err := wait(ctx, ids)
		done <- waited{all, err}
	}()
	return done
}

// Ended is why no engine works on jobs any more.
func Ended(d *app.Desk) error {
	return fmt.Errorf("the jobs cannot be worked on: %w", cmp.Or(d.Err(), errors.New("the history was closed")))
}

// stoppedWatching tells a person who interrupted a command where the jobs are.
func stoppedWatching(ids []string, toEnd bool) error {
	var short []string
	for _, id := range ids[:min(len(ids), maxNamed)] {
		short = append(short, jobs.ShortID(id))
	}
	names := strings.Join(short, " ")
	if len(ids) > maxNamed {
		names = ""
	}
	if !toEnd {
		return kit.Stopped("stopped waiting for the gateway's answer; nothing is lost, and nothing is sent twice: `darkroom jobs list` shows what became of " + cmp.Or(names, "the jobs"))
	}
	return kit.Stopped("stopped watching; nothing is lost: `" + strings.TrimSpace("darkroom jobs watch "+names) + "` goes on")
}

// Warnings prints what was asked for and did not come, and what else there is to know about jobs.
func Warnings(k *kit.Kit, all []jobs.Job) {
	for _, j := range all {
		for _, text := range j.Warnings {
			k.IO.Notef("darkroom: job %s: %s\n", jobs.ShortID(j.ID), client.CleanLine(text))
		}
	}
}

// maxNamed is how many jobs a message names.
const maxNamed = 8

// stateText is a job's state for people: with the raw term if that says more, and with what came
// of its files while they are not all on the disk.
func stateText(j jobs.Job) string {
	text := string(j.State)
	if j.RawStatus != "" && !strings.EqualFold(j.RawStatus, text) {
		text += " (" + j.RawStatus + ")"
	}
	if t := jobs.TransferOf(j.Files); t.Left > 0 {
		text = "downloading"
		if t.Why != "" {
			text += ": " + t.Why
		}
	} else if n := unsaved(j); n > 0 {
		text += ", " + notSaved(n)
		if why := FileTroubles(j); len(why) > 0 {
			text += ": " + why[0] // the others usually failed for the same reason
		}
	}
	return text
}
