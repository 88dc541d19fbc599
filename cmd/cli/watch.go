package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

const liveEvery = 100 * time.Millisecond

// watch follows jobs until each has the create's answer, or, with toEnd, until each has
// ended and its files are on the disk. Progress goes to standard error: live lines on a
// terminal, a line a change elsewhere. The result is in the order of ids.
//
// What a pause holds up is told, and waited for with toEnd. Without, jobs whose create a
// pause keeps from being sent are not waited for: they are returned as they are.
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
	l.held = func(j jobs.Job) string { return heldText(g.heldNow(d, j)) }
	defer l.end()
	var tick <-chan time.Time
	if s.TtyErr != nil {
		t := time.NewTicker(liveEvery)
		defer t.Stop()
		tick = t.C
	}
	for seq := uint64(0); ; {
		var changed []jobs.Job
		changed, seq = d.Engine.Changes(seq)
		for _, j := range changed {
			l.put(j)
		}
		l.sayAll()
		if !toEnd && l.stuck() {
			cancel()
		}
		select {
		case r := <-done:
			for _, j := range r.jobs {
				if j.ID != "" {
					l.put(j)
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

// maxNamed is how many jobs a message names.
const maxNamed = 8

// live shows the progress of a few jobs.
type live struct {
	io    *IO
	order []string
	byID  map[string]jobs.Job
	said  map[string]string // last line per job, where there is no terminal
	drawn int               // lines on the screen
	start time.Time
	// held says what holds a job up, "" for nothing.
	held func(jobs.Job) string
	// speeds are those of jobs' downloads, and under "" that of all.
	speeds map[string]*speed
}

func newLive(s *IO, ids []string) *live {
	return &live{io: s, order: ids, byID: map[string]jobs.Job{}, said: map[string]string{}, start: time.Now(), held: func(jobs.Job) string { return "" }, speeds: map[string]*speed{}}
}

func (l *live) put(j jobs.Job) {
	for _, id := range l.order {
		if id == j.ID {
			l.byID[id] = j
			return
		}
	}
}

// sayAll says what is new, of jobs and of pauses.
func (l *live) sayAll() {
	for _, id := range l.order {
		if j, known := l.byID[id]; known {
			l.say(j)
		}
	}
}

// stuck reports whether every create that has no answer is held by a pause.
func (l *live) stuck() bool {
	held := 0
	for _, id := range l.order {
		j, known := l.byID[id]
		switch {
		case !known || j.State == jobs.Submitting:
			return false
		case j.State != jobs.Planned:
		case l.held(j) == "":
			return false
		default:
			held++
		}
	}
	return held > 0
}

// say writes a line when a job's state changed and there is no terminal to draw on.
func (l *live) say(j jobs.Job) {
	if l.io.TtyErr != nil {
		return
	}
	line := fmt.Sprintf("%s %s %s", shortID(j.ID), j.Draft.Model, stateText(j)+l.waiting(j))
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
	w, h := l.io.size()
	room := max(1, h-1)
	lines := l.lines(room)
	if sum := l.sum(); sum != "" && room > 1 {
		lines = append(l.lines(room-1), sum)
	}
	for _, line := range lines {
		b.WriteString(ansi.Truncate(client.CleanLine(line), w-1, "…") + "\x1b[K\n")
	}
	b.WriteString("\x1b[J") // a smaller terminal needs fewer lines than it had
	l.drawn = len(lines)
	l.io.note("%s", b.String())
}

// lines are one a job, those with work first, as many as fit.
func (l *live) lines(room int) []string {
	var active, ended []string
	extra := l.fileLines()
	for _, id := range l.order {
		j := l.byID[id]
		if line := l.line(j); jobs.Settled(j) && j.ID != "" {
			ended = append(ended, line)
		} else {
			active = append(active, line)
			if len(extra) > 0 && len(l.order)+len(extra) <= room {
				active = append(active, filesOf(j)...)
			}
		}
	}
	if n := len(active) + len(ended); n > len(l.order) {
		return append(active, ended...)
	}
	if len(l.order) <= room {
		room = len(l.order)
	}
	all := append(active, ended...)
	if hidden := len(all) - room; hidden > 0 {
		all = append(all[:room-1], fmt.Sprintf("and %d more", hidden+1))
	}
	return all
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
	head := fmt.Sprintf("%-6s %-22s", j.Draft.Modality, j.Draft.Model)
	if t := transferOf(j); t.left > 0 {
		text := t.text(l.speed(j.ID, t))
		if t.why != "" {
			text = t.text(0) + ", waiting: " + t.why
		}
		return fmt.Sprintf("%s %s %-12s %s", head, bar(t.fraction()), "downloading", text)
	}
	fraction := min(max(j.Progress/100, 0), 1)
	if !j.State.Active() {
		fraction = 1
	}
	return fmt.Sprintf("%s %s %-12s %s", head, bar(fraction), stateText(j), format.Dur(time.Since(l.start))+l.waiting(j))
}

// waiting tells why nothing goes on with a job: a pause, or what kept it from being sent; ""
// while it goes on.
func (l *live) waiting(j jobs.Job) string {
	if held := l.held(j); held != "" {
		return ": " + held
	}
	if j.State != jobs.Planned || j.Note == "" {
		return ""
	}
	return ": " + j.Note
}

// stateText is a job's state for people, with the raw term where it says more.
func stateText(j jobs.Job) string {
	text := string(j.State)
	if j.RawStatus != "" && !strings.EqualFold(j.RawStatus, text) {
		text += " (" + j.RawStatus + ")"
	}
	if t := transferOf(j); t.left > 0 {
		text = "downloading"
		if t.why != "" {
			text += ": " + t.why
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
			if files && f.State == jobs.FileFailed {
				failed = append(failed, fmt.Errorf("job %s file %d: %s", shortID(j.ID), f.Index, f.Error))
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

// reason is a job's state with what is known about why, and what to do about it.
func reason(j jobs.Job) string {
	var parts []string
	if j.Error != nil {
		parts = append(parts, strings.TrimSpace(j.Error.Code+" "+j.Error.Message))
	}
	parts = slices.DeleteFunc(append(parts, j.Note), func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return string(j.State)
	}
	return string(j.State) + ": " + strings.Join(parts, "; ")
}

// keyRefused reports whether a create was answered with 401 or 403.
func keyRefused(ctx context.Context, r jobs.Reader, id string) bool {
	d, err := r.Detail(ctx, id)
	return err == nil && slices.ContainsFunc(d.Events, func(e jobs.Event) bool {
		return e.Kind == jobs.EventRefused && codeOfHTTP(e.HTTPStatus) == ExitAuth
	})
}
