package inspect

import (
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

// From these ages on, a task that waits or works is worth a remark. The gateway names
// no times of its own.
const (
	longQueued  = 10 * time.Minute
	longRunning = 30 * time.Minute
)

// verdict is what is to be said about the id in a few words, and what to do next.
type verdict struct {
	status string // for the sign: a client.Status, "" for none
	text   string
	next   string
}

// judge sums up what has come so far.
func (m *Model) judge() verdict {
	if i := m.best(); i >= 0 {
		return m.judgeTask(*m.routes[i].res.Task)
	}
	busy := m.busy()
	if busy > 0 || m.histDue {
		return verdict{text: m.progress()}
	}
	return m.judgeErrors()
}

// progress says who has not answered yet.
func (m *Model) progress() string {
	n, all := m.busy(), 0
	for _, r := range m.routes {
		if !r.local {
			all++
		}
	}
	text := ""
	switch {
	case n == 0:
	case all == 1:
		text = "asking 1 route"
	case n == all:
		text = fmt.Sprintf("asking %d routes", all)
	default:
		text = fmt.Sprintf("asking %d of %d routes", n, all)
	}
	switch {
	case m.histDue && text == "":
		text = "asking the history"
	case m.histDue:
		text += " and the history"
	}
	return text + " …"
}

// judgeTask says what a task's state means.
func (m *Model) judgeTask(t client.Task) verdict {
	v := verdict{status: string(t.Status), text: string(t.Status)}
	again := m.deps.Keys.Keys("inspect.again")
	switch t.Status {
	case client.StatusCompleted:
		v.next = "It is finished."
		switch {
		case len(t.Assets) == 0:
			v.next += " The answer names no result that is known here: see the answer as it came."
		case m.job != nil:
			v.next += " " + m.deps.Keys.Keys("inspect.to-queue") + " shows its job, and its files, in Queue."
		}
	case client.StatusFailed:
		v.next = "It failed at the gateway, which is final."
		if t.Error == nil || t.Error.Code+t.Error.Message == "" {
			v.next += " The answer gives no reason that is known here: see the answer as it came."
		} else {
			v.next += " The error says why: change the request accordingly and submit it again."
		}
	case client.StatusQueued, client.StatusRunning:
		limit, what, since := longQueued, "It waits for its turn", "Waiting"
		if t.Status == client.StatusRunning {
			limit, what, since = longRunning, "It is being made", "Running"
		}
		v.next = fmt.Sprintf("%s; %s asks again.", what, again)
		if born := m.born(t); !born.IsZero() && m.deps.Now().Sub(born) >= limit {
			v.next = fmt.Sprintf("%s for %s, which is long; %s asks again. If it stays so, give the id and the request id to the gateway's support.",
				since, format.Dur(m.deps.Now().Sub(born).Truncate(time.Second)), again)
		}
	default:
		v.next = fmt.Sprintf("The gateway uses a term that nobody listed. It is taken for no end and no success; %s asks again.", again)
	}
	return v
}

// born is when a task began, as far as anybody says.
func (m *Model) born(t client.Task) time.Time {
	if t.CreatedAt.IsZero() && m.job != nil {
		return m.job.SubmittedAt
	}
	return t.CreatedAt
}

// tally is how the routes failed.
type tally struct {
	all, away, stopped int
	said               client.Verdict // together
	wait               time.Duration
}

func (m *Model) tally() tally {
	var (
		c   tally
		all []client.RouteResult
	)
	for _, r := range m.routes {
		if r.local {
			continue
		}
		c.all++
		if r.stopped {
			c.stopped++
			continue
		}
		all = append(all, r.res)
		if r.res.Verdict() == client.VerdictAway {
			c.away++
		}
		if api := apiError(r.res.Err); api != nil {
			c.wait = max(c.wait, api.RetryAfter)
		}
	}
	c.said, _ = client.Telling(all)
	return c
}

// judgeErrors says what it means that no route had a task.
func (m *Model) judgeErrors() verdict {
	c := m.tally()
	again := m.deps.Keys.Keys("inspect.again")
	switch {
	case c.all == 0 && m.job != nil && m.job.State == jobs.Completed:
		return verdict{status: m.job.State.Coarse(), text: "completed, without a task",
			next: "The answer to the create was the result itself, so there is nothing to ask the gateway about. " + m.deps.Keys.Keys("inspect.to-queue") + " shows the job in Queue."}
	case c.all == 0 && m.job != nil:
		return verdict{status: m.job.State.Coarse(), text: "no task yet",
			next: "This is a job of the history that has no task id, so there is nothing to ask the gateway about. " + m.deps.Keys.Keys("inspect.to-queue") + " shows it in Queue."}
	case c.said == client.VerdictRefused:
		return verdict{status: "failed", text: "the key was refused",
			next: "The gateway refused the key: check it with `darkroom auth status`. It may also be the gateway's own key for its upstream."}
	case c.away > 0 && c.away == c.all-c.stopped:
		return verdict{status: "failed", text: "the gateway was not reached",
			next: "No route could be asked: check the network and the address of the profile (`darkroom auth status`). " + again + " asks again."}
	case c.said == client.VerdictLimited:
		wait := "in a moment"
		if c.wait > 0 {
			wait = "in " + format.Dur(c.wait)
		}
		return verdict{text: "too many requests", next: "The gateway limits requests. Ask again " + wait + " with " + again + "."}
	case c.said == client.VerdictBroken:
		return verdict{status: "failed", text: "the gateway failed",
			next: "A route answered with a server error, so it is not known whether the task exists. " + again + " asks again; if it stays so, give the request id to the gateway's support."}
	case c.said == client.VerdictAway:
		return verdict{status: "failed", text: "a route was not reached",
			next: "A route did not answer, so it is not known whether the task exists. " + again + " asks again."}
	case c.said == client.VerdictOdd || c.said == client.VerdictUnserved:
		return verdict{text: "no answer was understood",
			next: "Something answered that is not what the route promises, as a login page or a proxy in between. The answer as it came shows what."}
	case c.stopped > 0:
		return verdict{text: "stopped", next: again + " asks again."}
	case c.said == client.VerdictUnknown:
		return m.judgeUnknown()
	default:
		return verdict{text: "no answer", next: again + " asks again."}
	}
}

// judgeUnknown says what to try when every route that was asked said not found.
func (m *Model) judgeUnknown() verdict {
	v := m.unknown()
	for _, r := range m.routes {
		if t := r.res.Task; t != nil && t.Absent != "" {
			v.next += " " + client.CleanLine(r.format+" says "+t.RawStatus+": "+t.Absent) + "."
		}
	}
	return v
}

func (m *Model) unknown() verdict {
	v := verdict{status: "failed", text: "no route knows this id"}
	if m.job != nil {
		v.text = "the gateway does not know it (any more)"
		v.next = "The history does: what was last seen is below, and its newest answer is the row “history”."
		return v
	}
	v.next = "Is the id complete? Is it of this profile's gateway, or of another one? The gateway may also have forgotten an old task."
	if m.format != "" {
		v.text = "this route does not know the id"
		v.next = fmt.Sprintf("Only %s was asked: %s, then guess, asks all routes.", m.format, m.deps.Keys.Keys("inspect.format"))
	}
	return v
}
