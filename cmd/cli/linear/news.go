package linear

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

// quarter is by how much a job goes on before that is told again, in percent.
const quarter = 25

// news knows what was told of each job.
type news struct {
	seq  uint64
	last map[string]told
}

// told is what was said of a job last.
type told struct {
	state   jobs.State
	quarter int
	saved   uint64 // a bit a file, by its place; of those beyond 64 nothing is told
	open    bool   // more is to come by itself
}

func toldOf(j *jobs.Job) told {
	t := told{state: j.State, open: !jobs.Settled(*j)}
	if share, ok := j.Done(); ok {
		t.quarter = int(share*100) / quarter
	}
	for i, f := range j.Files {
		if f.State == jobs.FileSaved {
			t.saved |= 1 << i
		}
	}
	return t
}

// begin takes what is there as told.
func (n *news) begin(e *jobs.Engine) {
	n.last = map[string]told{}
	n.since(e)
}

// since is what has happened since it was asked last, a sentence each.
func (n *news) since(e *jobs.Engine) []string {
	changed, seq := e.Changes(n.seq)
	n.seq = seq
	var out []string
	for i := range changed {
		j := &changed[i]
		was, known := n.last[j.ID]
		is := toldOf(j)
		n.last[j.ID] = is
		if known || j.State.Active() {
			out = append(out, happened(j, was, is)...)
		}
	}
	return out
}

// awaits reports whether something is still to come of a job that was seen here, as its file.
func (n *news) awaits() bool {
	for _, t := range n.last {
		if t.open {
			return true
		}
	}
	return false
}

// happened are the sentences about a job that is not as it was.
func happened(j *jobs.Job, was, is told) []string {
	var out []string
	if is.state != was.state || is.state == jobs.Running && is.quarter > was.quarter {
		if text := progress(j); text != "" {
			out = append(out, fmt.Sprintf("%s: %s, %s.", jobs.ShortID(j.ID), text, called(j)))
		}
	}
	for i, f := range j.Files {
		if (is.saved&^was.saved)>>i&1 == 1 {
			out = append(out, fmt.Sprintf("%s: saved as %s.", jobs.ShortID(j.ID), f.Path))
		}
	}
	return out
}

// progress says how far a job is; "" for what nobody has to hear.
func progress(j *jobs.Job) string {
	switch j.State {
	case jobs.Planned, jobs.Submitting:
		return ""
	case jobs.Running:
		if share, ok := j.Done(); ok && share > 0 {
			return "running, " + human.Percent(share)
		}
		return "running"
	case jobs.Completed:
		if d, ok := j.Took(); ok {
			return "completed after " + human.Dur(d)
		}
		return "completed"
	case jobs.Ambiguous:
		return "nobody knows whether the gateway accepted it; inspect " + jobs.ShortID(j.ID) + " tells what to do"
	}
	if why := reason(j); why != "" {
		return string(j.State) + ", " + why
	}
	return string(j.State)
}

// reason is why a job did not complete, "" where nothing says.
func reason(j *jobs.Job) string {
	if j.Error == nil {
		return client.CleanLine(j.Note)
	}
	return strings.TrimSpace(client.CleanLine(j.Error.Code + " " + j.Error.Message))
}

// called is what a job is known by: its prompt, shortened.
func called(j *jobs.Job) string {
	const most = 60
	if name := text.Clip(client.CleanLine(j.Label()), most); name != "" {
		return name
	}
	return "without a prompt"
}

// sentence is a job in a list.
func sentence(j *jobs.Job, now time.Time) string {
	state := progress(j)
	if state == "" {
		state = follow.State(*j)
	}
	said := fmt.Sprintf("%s, %s, %s, %s", state, called(j), client.CleanLine(j.Draft.Model), human.Ago(j.Age(now)))
	if j.Starred() {
		said += ", starred"
	}
	return said
}
