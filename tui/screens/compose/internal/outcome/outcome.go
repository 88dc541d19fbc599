// Package outcome follows up the submissions made on Compose: which of them the gateway refused,
// whose answers were lost, and how far the last batch is.
package outcome

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/widgets"
)

// Changes is the part of [jobs.Reader] that costs nothing to ask.
type Changes interface {
	Changes(seq uint64) ([]jobs.Job, uint64)
}

// maxReason bounds how much of the gateway's words a toast shows, in cells.
const maxReason = 100

// Outcomes knows the submissions whose create has had no answer yet. Make it with [New].
type Outcomes struct {
	jobs Changes // nil: nobody tells
	key  string
	open map[string]bool // by the IDs of their jobs
	seq  uint64
	run  batch
}

// batch is how far the last batch is.
type batch struct {
	group  string // "" for none
	total  int
	open   map[string]bool
	bad    int // refused
	lost   int // whose answer was lost
	master *uint64
}

// New follows submissions by the changes of jobs. The last batch is shown with key, "" for none.
func New(c Changes, key string) Outcomes {
	return Outcomes{jobs: c, key: key, open: map[string]bool{}}
}

// Sent notes the jobs that were journalled, or may have been.
func (o *Outcomes) Sent(msg sending.SentMsg) {
	if msg.Err == nil {
		for _, id := range msg.IDs {
			o.open[id] = true
		}
	}
	if msg.Group == "" {
		return
	}
	o.run = batch{group: msg.Group, total: len(msg.IDs), open: make(map[string]bool, len(msg.IDs)), master: msg.Master}
	for _, id := range msg.IDs {
		o.run.open[id] = true
	}
}

// Look checks which create requests were answered since. Refuse takes a refused job, and says why
// in one line.
func (o *Outcomes) Look(refuse func(*jobs.Job) string) tea.Cmd {
	if o.jobs == nil || len(o.open) == 0 {
		return nil
	}
	list, seq := o.jobs.Changes(o.seq)
	o.seq = seq
	refused, lost, why := 0, 0, ""
	for i := range list {
		j := &list[i]
		if !o.open[j.ID] || j.State == jobs.Planned || j.State == jobs.Submitting {
			continue
		}
		delete(o.open, j.ID)
		o.run.note(j)
		switch j.State {
		case jobs.Refused:
			refused++
			why = refuse(j)
		case jobs.Ambiguous:
			lost++
		}
	}
	var cmds []tea.Cmd
	if lost > 0 {
		cmds = append(cmds, screen.Toast(screen.Warn, several(lost)+
			"the answer was lost: the task may exist, and nothing was sent again; Queue offers what to do; the form is kept"))
	}
	if refused > 0 {
		cmds = append(cmds, screen.Toast(screen.Bad, several(refused)+widgets.Truncate(why, maxReason)+"; the form is kept"))
	}
	return tea.Batch(cmds...)
}

func several(n int) string {
	if n == 1 {
		return ""
	}
	return strconv.Itoa(n) + " jobs: "
}

// note counts a job whose create request was decided.
func (b *batch) note(j *jobs.Job) {
	if !b.open[j.ID] {
		return
	}
	delete(b.open, j.ID)
	switch j.State {
	case jobs.Refused:
		b.bad++
	case jobs.Ambiguous:
		b.lost++
	}
}

// Hint is the line about the last batch under Checks, "" for none.
func (o *Outcomes) Hint() string {
	b := &o.run
	if b.group == "" {
		return ""
	}
	parts := []string{fmt.Sprintf("last batch: %s, %d answered", human.Plural(b.total, "job"), b.total-len(b.open))}
	if b.bad > 0 {
		parts = append(parts, fmt.Sprintf("%d refused", b.bad))
	}
	if b.lost > 0 {
		parts = append(parts, fmt.Sprintf("%d with the answer lost", b.lost))
	}
	if n := len(b.open); n > 0 {
		parts = append(parts, fmt.Sprintf("%d to go", n))
	}
	s := strings.Join(parts, ", ")
	if b.master != nil {
		s += fmt.Sprintf("; drawn with %d", *b.master)
	}
	if o.key != "" {
		s += "; " + o.key + " shows it in Queue"
	}
	return s
}

// OffBatch says why no batch can be shown, "" when one can.
func (o *Outcomes) OffBatch() string {
	if o.run.group == "" {
		return "no batch was submitted yet"
	}
	return ""
}

// ShowBatch shows the jobs of the last batch in Queue.
func (o *Outcomes) ShowBatch() tea.Cmd {
	return screen.Open(screen.Queue, screen.ShowGroup{Group: o.run.group})
}
