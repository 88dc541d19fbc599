package compare

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
)

// progress tells of a run on standard error: on a terminal in one line that changes, else in a line
// for each trial that is over.
type progress struct {
	io      *kit.IO
	run     *compare.Run
	trials  map[string]compare.Trial // the newest attempts
	trouble string
	held    bool // nothing goes on before a person resumes something
	drawn   bool
}

func newProgress(s *kit.IO, r *compare.Run) *progress {
	p := &progress{io: s, run: r, trials: map[string]compare.Trial{}}
	for _, t := range r.Latest() {
		p.trials[t.Slot.String()] = *t
	}
	return p
}

// take takes in what is new.
func (p *progress) take(all []run.News) {
	for _, n := range all {
		if n.Run != p.run.ID {
			continue
		}
		for _, t := range n.Trials {
			old, known := p.trials[t.Slot.String()]
			if known && old.Attempt > t.Attempt {
				continue
			}
			p.trials[t.Slot.String()] = t
			told := known && old.Attempt == t.Attempt && old.Ended()
			if t.Ended() && !told {
				p.over(&t)
			}
		}
		if p.held = n.Held; n.Trouble != p.trouble {
			if p.trouble = n.Trouble; n.Trouble != "" && !n.Held { // which ends the waiting, and is said then
				p.end()
				p.io.Tell(n.Trouble)
			}
		}
	}
	p.draw()
}

// over tells of a trial that is over.
func (p *progress) over(t *compare.Trial) {
	failed := !t.OK()
	if p.io.TtyErr != nil && !failed {
		return
	}
	p.end()
	p.io.Notef("%s\n", client.CleanLine(fmt.Sprintf("%s  %s  (%s)", trialName(p.run, t), trialEnd(t), p.counts())))
}

// trialName is a trial as people name it: its slot, prompt and group.
func trialName(r *compare.Run, t *compare.Trial) string {
	c := r.Cell(t.Slot.Cell)
	if c == nil {
		return t.Slot.String()
	}
	return fmt.Sprintf("%s %s · %s", t.Slot, c.Prompt.ID, c.Group(r.Formats()))
}

// trialEnd is how a trial ended.
func trialEnd(t *compare.Trial) string {
	text := string(t.State)
	if t.TimedOut {
		text = "timed out"
	}
	if t.Latency.Total.Known() {
		text += " " + t.Latency.Total.String()
	}
	if !t.OK() && t.Code+t.Message != "" {
		text += ": " + strings.TrimSpace(t.Code+" "+t.Message)
	}
	return text
}

// counts are the trials in numbers; warm-ups are not counted.
func (p *progress) counts() string {
	planned, over, failed, open := 0, 0, 0, 0
	for _, s := range p.run.Order {
		if s.Warmup {
			continue
		}
		planned++
		t, sent := p.trials[s.String()]
		switch {
		case sent && t.Ended():
			over++
			if !t.OK() {
				failed++
			}
		case sent:
			open++
		}
	}
	text := fmt.Sprintf("%d of %d over", over, planned)
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	if open > 0 {
		text += fmt.Sprintf(", %d in flight", open)
	}
	return text
}

// draw paints the line of a terminal.
func (p *progress) draw() {
	if p.io.TtyErr == nil {
		return
	}
	width, _ := p.io.Size()
	p.io.Notef("\r%s\x1b[K", ansi.Truncate(client.CleanLine(p.counts()), max(1, width-1), "…"))
	p.drawn = true
}

// end clears the line.
func (p *progress) end() {
	if p.drawn {
		p.io.Notef("\r\x1b[K")
		p.drawn = false
	}
}
