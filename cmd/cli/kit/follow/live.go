package follow

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// live shows the progress of a few jobs.
type live struct {
	io    *kit.IO
	order []string
	byID  map[string]jobs.Job
	said  map[string]string // last line per job, where there is no terminal
	drawn int               // lines on the screen
	start time.Time
	// stand is how a job stands; told is what was last said about pauses on a terminal, where the
	// lines have no room for it.
	stand func(jobs.Job) stand
	told  string
	away  AwayNote
	// speeds are the download speeds by job, and under "" that of all jobs.
	speeds map[string]*speed
}

func newLive(s *kit.IO, ids []string, of func(jobs.Job) stand) *live {
	return &live{io: s, order: ids, byID: map[string]jobs.Job{}, said: map[string]string{}, start: time.Now(), stand: of, speeds: map[string]*speed{}}
}

func (l *live) put(j jobs.Job) {
	if slices.Contains(l.order, j.ID) {
		l.byID[j.ID] = j
	}
}

// changes takes in and shows what is new since seq, and returns the new seq.
func (l *live) changes(e *jobs.Engine, seq uint64) uint64 {
	changed, seq := e.Changes(seq)
	for _, j := range changed {
		l.put(j)
	}
	l.history(e.Counts().Flow)
	l.sayAll()
	return seq
}

// ended takes in jobs as returned by a wait for all of them. If the wait ended before a job was
// read, that job stays as it was last seen.
func (l *live) ended(all []jobs.Job) {
	for i, j := range all {
		if j.ID != "" {
			l.put(j)
		} else if known, ok := l.byID[l.order[i]]; ok {
			all[i] = known
		}
	}
	l.sayAll()
}

// sayAll says what is new about jobs and pauses.
func (l *live) sayAll() {
	var held []string
	for _, id := range l.order {
		j, known := l.byID[id]
		if !known {
			continue
		}
		l.say(j)
		for _, h := range l.stand(j).held {
			if text := h.String(); !slices.Contains(held, text) {
				held = append(held, text)
			}
		}
	}
	text := strings.Join(held, "; ")
	if l.io.TtyErr == nil || text == l.told {
		return
	}
	l.told = text
	if text != "" {
		l.end()
		l.drawn = 0
		l.io.Tell(text)
	}
}

// history says above the live lines that the history stopped answering, or answers again.
func (l *live) history(f jobs.Flow) {
	if line := l.away.News(f); line != "" {
		l.end()
		l.drawn = 0
		l.io.Notef("%s\n", line)
	}
}

// stuck reports whether a pause holds every create that has no answer.
func (l *live) stuck() bool {
	held := 0
	for _, id := range l.order {
		j, known := l.byID[id]
		switch {
		case !known || j.State == jobs.Submitting:
			return false
		case j.State != jobs.Planned:
		case len(l.stand(j).held) == 0:
			return false
		default:
			held++
		}
	}
	return held > 0
}

// unreached reports whether waiting longer is of no use because creates wait for a person: see
// jobs.ForPerson.
func (l *live) unreached() bool {
	held := 0
	for _, id := range l.order {
		j, known := l.byID[id]
		switch {
		case known && jobs.ForPerson(j):
			held++
		case !known || !jobs.Settled(j):
			return false
		}
	}
	return held > 0
}

// say writes a line when a job's state changed, if there is no terminal to draw on.
func (l *live) say(j jobs.Job) {
	if l.io.TtyErr != nil {
		return
	}
	line := fmt.Sprintf("%s %s %s", jobs.ShortID(j.ID), j.Draft.Model, stateText(j)+l.waiting(j))
	if l.said[j.ID] != line {
		l.said[j.ID] = line
		l.io.Notef("%s\n", client.CleanLine(line))
	}
}

// draw paints one line per job over the lines drawn before.
func (l *live) draw() {
	if l.io.TtyErr == nil {
		return
	}
	var b strings.Builder
	l.up(&b)
	w, h := l.io.Size()
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
	l.io.Notef("%s", b.String())
}

// lines are one per job, jobs at work first, as many as fit.
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

// end clears the live lines from the screen.
func (l *live) end() {
	if l.drawn == 0 {
		return
	}
	var b strings.Builder
	l.up(&b)
	b.WriteString("\x1b[J")
	l.io.Notef("%s", b.String())
}

func (l *live) line(j jobs.Job) string {
	head := fmt.Sprintf("%-6s %-22s", j.Draft.Modality, j.Draft.Model)
	if t := jobs.TransferOf(j.Files); t.Left > 0 {
		text := transferText(t, l.speed(j.ID, t))
		if t.Why != "" {
			text = transferText(t, 0) + ", waiting: " + t.Why
		}
		return fmt.Sprintf("%s %s %-12s %s", head, barOf(t), "downloading", text)
	}
	fraction := min(max(j.Progress/100, 0), 1)
	if !j.State.Active() {
		fraction = 1
	}
	state, why := stateText(j), l.waiting(j)
	at := l.stand(j)
	if len(at.held) > 0 { // the notes above the lines say it
		state, why = state+", paused", ""
	}
	return fmt.Sprintf("%s %s %-12s %s", head, bar(fraction), state, human.Dur(time.Since(l.start))+mark(at.Forecast)+why)
}

// waiting says why a job is at a standstill: a pause, or what kept it from being sent; "" while
// it proceeds.
func (l *live) waiting(j jobs.Job) string {
	if held := l.stand(j).held; len(held) > 0 {
		return ": " + whyHeld(j, held)
	}
	if j.State != jobs.Planned || j.Note == "" {
		return ""
	}
	return ": " + j.Note
}
