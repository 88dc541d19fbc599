package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/jobs"
)

const liveEvery = 100 * time.Millisecond

// watch follows jobs until each has the create's answer, or, with toEnd, until each has
// ended and its files are on the disk. Progress goes to standard error: live lines on a
// terminal, a line a change elsewhere. The result is in the order of ids.
//
// What a pause holds up is told, and waited for with toEnd. Without, jobs whose create a
// pause keeps from being sent are not waited for: they are returned as they are. So are, in
// the end, those that could not be sent, since the gateway could not be reached, and those that
// the history could not take, which closing the desk tells of.
func (g *globals) watch(ctx context.Context, d *app.Desk, ids []string, toEnd bool) ([]jobs.Job, error) {
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
	s := g.io
	l := newLive(s, ids)
	l.held = func(j jobs.Job) []heldBy { return g.heldNow(d, j) }
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
			return nil, errEnded(d)
		case <-d.Engine.Dirty():
		case <-tick:
			l.draw()
		}
	}
}

// errEnded is why nothing works on jobs any more.
func errEnded(d *app.Desk) error {
	return fmt.Errorf("the jobs can not be worked on: %w", cmp.Or(d.Err(), errors.New("the history was closed")))
}

// stoppedWatching tells somebody who interrupted a command where its jobs are.
func stoppedWatching(ids []string, toEnd bool) error {
	var short []string
	for _, id := range ids[:min(len(ids), maxNamed)] {
		short = append(short, shortID(id))
	}
	names := strings.Join(short, " ")
	if len(ids) > maxNamed {
		names = ""
	}
	if !toEnd {
		return stopped{"stopped waiting for the gateway's answer; nothing is lost, and nothing is sent twice: `darkroom jobs list` shows what became of " + cmp.Or(names, "the jobs")}
	}
	return stopped{"stopped watching; nothing is lost: `" + strings.TrimSpace("darkroom jobs watch "+names) + "` goes on"}
}

// warnings says what was asked for and did not come, and what else there is to know of jobs.
func (g *globals) warnings(all []jobs.Job) {
	for _, j := range all {
		for _, text := range j.Warnings {
			g.io.note("darkroom: job %s: %s\n", shortID(j.ID), client.CleanLine(text))
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
		if why := fileTroubles(j); len(why) > 0 {
			text += ": " + why[0] // the others failed alike, as a rule
		}
	}
	return text
}

func shortID(id string) string {
	if len(id) > 8 {
		return id[len(id)-8:] // the beginning of a UUIDv7 is the time: alike for all of a day
	}
	return id
}

// outcome is the error that a command about these jobs ends with, nil when all went
// well. An answer that was lost outweighs a refused key, which outweighs other failures.
func outcome(ctx context.Context, r jobs.Reader, all []jobs.Job, files bool) error {
	var failed []error
	code := ExitFailed
	for _, j := range all {
		switch j.State {
		case jobs.Refused, jobs.Failed, jobs.Lost, jobs.Dropped:
			failed = append(failed, fmt.Errorf("job %s %s", shortID(j.ID), reason(j)))
			if j.State == jobs.Refused && code == ExitFailed && keyRefused(ctx, r, j.ID) {
				code = ExitAuth
			}
		case jobs.Ambiguous:
			code = ExitAmbiguous
			failed = append(failed, ambiguous(ctx, r, j))
		}
		for _, f := range j.Files {
			switch {
			case files && f.State == jobs.FileFailed:
				failed = append(failed, fmt.Errorf("job %s file %d is not saved: %s; `darkroom jobs download %s` tries again", shortID(j.ID), f.Index, f.Error, shortID(j.ID)))
			case files && f.State == jobs.FileWanted && f.Error != "": // nobody waits for it any more
				failed = append(failed, fmt.Errorf("job %s file %d is not saved yet: %s; a console or poller goes on with it", shortID(j.ID), f.Index, f.Error))
			}
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return &exitError{code, errors.Join(failed...)}
}

// ambiguous is what came of a create without an answer to go by, and the commands that decide.
func ambiguous(ctx context.Context, r jobs.Reader, j jobs.Job) error {
	why := j.Note
	if d, err := r.Detail(ctx, j.ID); err == nil {
		for _, e := range d.Events {
			if e.Kind == jobs.EventAmbiguous {
				why = cmp.Or(e.Message, why)
			}
		}
	}
	return fmt.Errorf("job %s: the create may or may not have been accepted, and was not sent again: %s; %s", shortID(j.ID), why, nextText(j))
}

// reason is a job's state with what is known about why, and what to do about it, in one line:
// the gateway's words may have line ends.
func reason(j jobs.Job) string {
	var parts []string
	if j.Error != nil {
		parts = append(parts, strings.TrimSpace(j.Error.Code+" "+j.Error.Message))
	}
	parts = slices.DeleteFunc(append(parts, j.Note), func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return string(j.State)
	}
	return client.CleanLine(string(j.State) + ": " + strings.Join(parts, "; "))
}

// keyRefused reports whether a create was answered with 401 or 403.
func keyRefused(ctx context.Context, r jobs.Reader, id string) bool {
	d, err := r.Detail(ctx, id)
	return err == nil && slices.ContainsFunc(d.Events, func(e jobs.Event) bool {
		return e.Kind == jobs.EventRefused && codeOfHTTP(e.HTTPStatus) == ExitAuth
	})
}
