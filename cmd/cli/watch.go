package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

const liveEvery = 100 * time.Millisecond

// watch follows jobs until each has the create's answer, or, with toEnd, until each has
// ended and its files are on the disk. Progress goes to standard error: live lines on a
// terminal, a line a change elsewhere. The result is in the order of ids.
func watch(ctx context.Context, s *IO, e *jobs.Engine, ids []string, toEnd bool) ([]jobs.Job, error) {
	type result struct {
		jobs []jobs.Job
		err  error
	}
	done := make(chan result, 1)
	go func() {
		wait := e.Answered
		if toEnd {
			wait = e.Wait
		}
		all, err := wait(ctx, ids)
		done <- result{all, err}
	}()
	l := newLive(s, ids)
	defer l.end()
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for seq := uint64(0); ; {
		var changed []jobs.Job
		changed, seq = e.Changes(seq)
		for _, j := range changed {
			l.put(j)
		}
		select {
		case r := <-done:
			for _, j := range r.jobs {
				l.put(j)
			}
			if r.err != nil && ctx.Err() != nil {
				return r.jobs, fmt.Errorf("stopped watching; nothing is lost, `darkroom jobs watch` goes on: %w", ctx.Err())
			}
			return r.jobs, r.err
		case <-e.Dirty():
		case <-tick.C:
			l.draw()
		}
	}
}

// live shows the progress of a few jobs.
type live struct {
	io    *IO
	order []string
	byID  map[string]jobs.Job
	said  map[string]string // last line per job, where there is no terminal
	drawn int               // lines on the screen
	start time.Time
}

func newLive(s *IO, ids []string) *live {
	return &live{io: s, order: ids, byID: map[string]jobs.Job{}, said: map[string]string{}, start: time.Now()}
}

func (l *live) put(j jobs.Job) {
	for _, id := range l.order {
		if id == j.ID {
			l.byID[id] = j
			l.say(j)
			return
		}
	}
}

// say writes a line when a job's state changed and there is no terminal to draw on.
func (l *live) say(j jobs.Job) {
	if l.io.TtyErr != nil {
		return
	}
	line := fmt.Sprintf("%s %s %s", shortID(j.ID), j.Draft.Model, stateText(j))
	if l.said[j.ID] != line {
		l.said[j.ID] = line
		l.io.note("%s\n", client.CleanLine(line))
	}
}

// draw paints one line a job over those drawn before.
func (l *live) draw() {
	if l.io.TtyErr == nil {
		return
	}
	var b strings.Builder
	l.up(&b)
	for _, id := range l.order {
		b.WriteString(ansi.Truncate(client.CleanLine(l.line(l.byID[id])), l.io.width()-1, "…") + "\x1b[K\n")
	}
	l.drawn = len(l.order)
	l.io.note("%s", b.String())
}

func (l *live) up(b *strings.Builder) {
	if l.drawn > 0 {
		fmt.Fprintf(b, "\x1b[%dA\r", l.drawn)
	}
}

// end takes the live lines off the screen.
func (l *live) end() {
	if l.drawn == 0 {
		return
	}
	var b strings.Builder
	l.up(&b)
	b.WriteString("\x1b[J")
	l.io.note("%s", b.String())
}

func (l *live) line(j jobs.Job) string {
	fraction := j.Progress / 100
	switch {
	case !j.State.Active():
		fraction = 1
	case fraction < 0:
		fraction = 0
	}
	const w = 20
	full := int(fraction*w + 0.5)
	bar := strings.Repeat("█", full) + strings.Repeat("░", w-full)
	return fmt.Sprintf("%-6s %-22s %s %-12s %s", j.Draft.Modality, j.Draft.Model, bar, stateText(j), format.Dur(time.Since(l.start)))
}

// stateText is a job's state for people, with the raw term where it says more.
func stateText(j jobs.Job) string {
	text := string(j.State)
	if j.RawStatus != "" && !strings.EqualFold(j.RawStatus, text) {
		text += " (" + j.RawStatus + ")"
	}
	for _, f := range j.Files {
		if f.State == jobs.FileFetching || f.State == jobs.FileWanted {
			return "downloading"
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
// well.
func outcome(all []jobs.Job, files bool) error {
	var failed []error
	code := ExitFailed
	for _, j := range all {
		switch j.State {
		case jobs.Refused, jobs.Failed, jobs.Lost, jobs.Dropped:
			why := string(j.State)
			if j.Error != nil {
				why += ": " + strings.TrimSpace(j.Error.Code+" "+j.Error.Message)
			} else if j.Note != "" {
				why += ": " + j.Note
			}
			failed = append(failed, fmt.Errorf("job %s %s", j.ID, why))
		case jobs.Ambiguous:
			code = ExitAmbiguous
			failed = append(failed, fmt.Errorf("job %s: the create may or may not have been accepted; it was not sent again: %s", j.ID, j.Note))
		}
		for _, f := range j.Files {
			if files && f.State == jobs.FileFailed {
				failed = append(failed, fmt.Errorf("job %s file %d: %s", j.ID, f.Index, f.Error))
			}
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return &exitError{code, errors.Join(failed...)}
}
