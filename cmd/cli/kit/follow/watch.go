// Package follow shows jobs on the command line: follows them to their end, and says what came
// of them, what holds them up, and what can be done about it.
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

// Watch follows jobs until each has the create's answer, or, with toEnd, until each has
// ended and its files are on the disk. Progress goes to standard error: live lines on a
// terminal, a line a change elsewhere. The result is in the order of ids.
//
// What a pause holds up is told, and waited for with toEnd. Without, jobs whose create a
// pause keeps from being sent are not waited for: they are returned as they are. So are, in
// the end, those that could not be sent, since the gateway could not be reached, and those that
// the history could not take, which closing the desk tells of.
func Watch(ctx context.Context, k *kit.Kit, d *app.Desk, ids []string, toEnd bool) ([]jobs.Job, error) {
	type result struct {
		jobs []jobs.Job
		err  error
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		wait := d.Engine.Answered
		if toEnd {
			wait = d.Engine.Wait
		}
		all, err := wait(waiting, ids)
		done <- result{all, err}
	}()
	s := k.IO
	l := newLive(s, ids)
	l.held = func(j jobs.Job) []HeldBy { return HeldNow(k, d, j) }
	l.forecast = func(j jobs.Job) forecast { return forecastOf(d.Engine, j, l.held(j), time.Now()) }
	defer l.end()
	var tick <-chan time.Time
	if s.TtyErr != nil {
		t := time.NewTicker(liveEvery)
		defer t.Stop()
		tick = t.C
	}
	for _, id := range ids { // nothing here changes one that another installation is to send
		if j, err := d.Engine.Get(ctx, id); err == nil && jobs.ForPerson(j) {
			l.put(j)
		}
	}
	for seq := uint64(0); ; {
		var changed []jobs.Job
		changed, seq = d.Engine.Changes(seq)
		for _, j := range changed {
			l.put(j)
		}
		l.history(d.Engine.Counts().Flow)
		l.sayAll()
		if !toEnd && l.stuck() || l.unreached() || d.Hopeless() {
			cancel()
		}
		select {
		case r := <-done:
			for i, j := range r.jobs {
				if j.ID != "" {
					l.put(j)
				} else if known, ok := l.byID[ids[i]]; ok { // the wait ended before it was read
					r.jobs[i] = known
				}
			}
			l.sayAll()
			if r.err != nil && ctx.Err() != nil {
				return r.jobs, stoppedWatching(ids, toEnd)
			}
			if r.err != nil && waiting.Err() != nil {
				return r.jobs, nil // held by a pause, see outcome
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

// Ended is why nothing works on jobs any more.
func Ended(d *app.Desk) error {
	return fmt.Errorf("the jobs can not be worked on: %w", cmp.Or(d.Err(), errors.New("the history was closed")))
}

// stoppedWatching tells somebody who interrupted a command where its jobs are.
func stoppedWatching(ids []string, toEnd bool) error {
	var short []string
	for _, id := range ids[:min(len(ids), maxNamed)] {
		short = append(short, kit.ShortID(id))
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

// Warnings says what was asked for and did not come, and what else there is to know of jobs.
func Warnings(k *kit.Kit, all []jobs.Job) {
	for _, j := range all {
		for _, text := range j.Warnings {
			k.IO.Notef("darkroom: job %s: %s\n", kit.ShortID(j.ID), client.CleanLine(text))
		}
	}
}

// maxNamed is how many jobs a message names.
const maxNamed = 8

// stateText is a job's state for people, with the raw term where it says more, and with what
// came of its files while they are not all on the disk.
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
			text += ": " + why[0] // the others failed alike, as a rule
		}
	}
	return text
}
