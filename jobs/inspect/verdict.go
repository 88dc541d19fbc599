package inspect

import (
	"errors"
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// From these ages on, a task that waits or works is worth a remark. The gateway names
// no times of its own.
const (
	longQueued  = 10 * time.Minute
	longRunning = 30 * time.Minute
)

// Verdict is what is to be said about the id in a few words, and what to do next.
type Verdict struct {
	Status string // for the sign: a client.Status, "" for none
	Text   string
	Next   string
}

// Ways are how a person who reads the verdict does what it proposes, as the key of an action.
type Ways struct {
	Again  string // asks again
	Queue  string // shows the job in Queue
	Format string // chooses the format that is asked
	// Dur writes a time span.
	Dur func(time.Duration) string
	// Catalog says what errors mean, nil for nobody.
	Catalog *catalog.Catalog
	// PlanOf says how long tasks like a job's take, see [jobs.Engine.PlanOf]; nil for nothing.
	PlanOf func(*jobs.Job) *schedule.Plan
}

// Verdict sums up what has come until now.
func (f *Findings) Verdict(w Ways, now time.Time) Verdict {
	switch t := f.Task(); {
	case t != nil:
		return f.ofTask(t, w, now)
	case f.Busy() > 0 || f.Pending:
		return Verdict{Text: f.Progress()}
	default:
		return f.ofErrors(w)
	}
}

// ofTask says what a task's state means.
func (f *Findings) ofTask(t *client.Task, w Ways, now time.Time) Verdict {
	v := Verdict{Status: string(t.Status), Text: string(t.Status)}
	switch t.Status {
	case client.StatusCompleted:
		v.Next = "It is finished."
		switch {
		case len(t.Assets) == 0:
			v.Next += " The answer names no result that is known here: see the answer as it came."
		case f.Job != nil:
			v.Next += " " + w.Queue + " shows its job, and its files, in Queue."
		}
	case client.StatusFailed:
		v.Next = "It failed at the gateway, which is final. " + f.afterFailure(t, w)
	case client.StatusQueued:
		v.Next = f.waiting(t, w, now, longQueued, "It waits for its turn", "Waiting")
	case client.StatusRunning:
		v.Next = f.waiting(t, w, now, longRunning, "It is being made", "Running")
	default:
		v.Next = fmt.Sprintf("The gateway uses an unlisted term. It is taken for neither an end nor a success; %s asks again.", w.Again)
	}
	return v
}

// afterFailure says what to do about a task that failed.
func (f *Findings) afterFailure(t *client.Task, w Ways) string {
	if t.Error == nil || t.Error.Code+t.Error.Message == "" {
		return "The answer gives no reason that is known here: see the answer as it came."
	}
	if w.Catalog != nil {
		if e, _ := f.Explain(w.Catalog); e.Listed {
			return "Next: " + e.Rule.Next + "."
		}
	}
	return "The error says why: change the request accordingly and submit it again."
}

// waiting says that a task is under way, and since when where that is long.
func (f *Findings) waiting(t *client.Task, w Ways, now time.Time, limit time.Duration, what, since string) string {
	if p := f.Pace(w.PlanOf, now); p != nil {
		return p.Text(since, w.Dur) + " " + w.Again + " asks again." + p.advice()
	}
	began := t.CreatedAt
	if began.IsZero() && f.Job != nil {
		began = f.Job.SubmittedAt
	}
	if began.IsZero() || now.Sub(began) < limit {
		return fmt.Sprintf("%s; %s asks again.", what, w.Again)
	}
	return fmt.Sprintf("%s for %s, which is long; %s asks again. If it stays so, give the id and the request id to the gateway's support.",
		since, w.Dur(now.Sub(began).Truncate(time.Second)), w.Again)
}

// tally is how the routes failed.
type tally struct {
	all, away, stopped int
	together           client.Verdict
	wait               time.Duration
}

func (f *Findings) tally() tally {
	var (
		c   tally
		all []client.RouteResult
	)
	for i := range f.Routes {
		r := &f.Routes[i]
		if r.Local || r.Skipped != "" {
			continue
		}
		c.all++
		if r.Stopped {
			c.stopped++
			continue
		}
		all = append(all, r.Result)
		if r.Result.Verdict() == client.VerdictAway {
			c.away++
		}
		if api, ok := errors.AsType[*client.APIError](r.Result.Err); ok {
			c.wait = max(c.wait, api.RetryAfter)
		}
	}
	c.together, _ = client.Telling(all)
	return c
}

// ofErrors says what it means that no route had a task.
func (f *Findings) ofErrors(w Ways) Verdict {
	c := f.tally()
	switch {
	case f.Job == nil && f.Kind == KindRequest:
		return Verdict{Status: "failed", Text: "the history has no such request",
			Next: "A gateway cannot be asked by the id of a request, and no job of the history has one with this id. Give it to the gateway's support, or paste the task's id."}
	case f.Job == nil && f.Kind == KindResult:
		return Verdict{Status: "failed", Text: "the history has no such result",
			Next: "No job of the history has a result at this address. Paste the task's id; `darkroom head` tells whether the address still answers."}
	case c.all == 0 && f.Job != nil:
		return ofJob(f.Job, w)
	case c.together == client.VerdictRefused:
		return Verdict{Status: "failed", Text: "the key was refused",
			Next: "The gateway refused the key: check it with `darkroom auth status`. It may also be the gateway's own key for its upstream."}
	case c.away > 0 && c.away == c.all-c.stopped:
		return Verdict{Status: "failed", Text: "the gateway was not reached",
			Next: "No route could be asked: check the network and the address of the profile (`darkroom auth status`). " + w.Again + " asks again."}
	case c.together == client.VerdictLimited:
		wait := "in a moment"
		if c.wait > 0 {
			wait = "in " + w.Dur(c.wait)
		}
		return Verdict{Text: "too many requests", Next: "The gateway limits requests. Ask again " + wait + " with " + w.Again + "."}
	case c.together == client.VerdictBroken:
		return Verdict{Status: "failed", Text: "the gateway failed",
			Next: "A route answered with a server error, so it is not known whether the task exists. " + w.Again + " asks again; if it stays so, give the request id to the gateway's support."}
	case c.together == client.VerdictAway:
		return Verdict{Status: "failed", Text: "a route was not reached",
			Next: "A route did not answer, so it is not known whether the task exists. " + w.Again + " asks again."}
	case c.together == client.VerdictOdd || c.together == client.VerdictUnserved:
		return Verdict{Text: "no answer was understood",
			Next: "Something answered that is not what the route promises, as a login page or a proxy in between. The answer as it came shows what."}
	case c.stopped > 0:
		return Verdict{Text: "stopped", Next: w.Again + " asks again."}
	case c.together == client.VerdictUnknown:
		return f.unknown(w)
	default:
		return Verdict{Text: "no answer", Next: w.Again + " asks again."}
	}
}

// ofJob is about a job of the history that the gateway cannot be asked about.
func ofJob(j *jobs.Job, w Ways) Verdict {
	if j.State == jobs.Completed {
		return Verdict{Status: j.State.Coarse(), Text: "completed, without a task",
			Next: "The answer to the create was the result itself, so there is nothing to ask the gateway about. " + w.Queue + " shows the job in Queue."}
	}
	return Verdict{Status: j.State.Coarse(), Text: "no task yet",
		Next: "This is a job of the history that has no task id, so there is nothing to ask the gateway about. " + w.Queue + " shows it in Queue."}
}

// unknown says what to try when every route that was asked did not know the id.
func (f *Findings) unknown(w Ways) Verdict {
	v := Verdict{Status: "failed", Text: "no route knows this id"}
	switch {
	case f.Job != nil:
		v.Text = "the gateway does not know it (any more)"
		v.Next = "The history does: what was last seen is below, and its newest answer is the row “history”."
	case f.Only != "":
		v.Text = "this route does not know the id"
		v.Next = fmt.Sprintf("Only %s was asked: %s, then guess, asks all routes.", f.Only, w.Format)
	default:
		v.Next = "Is the id complete? Is it of this profile's gateway, or of another one? The gateway may also have forgotten an old task."
	}
	for i := range f.Routes {
		if t := f.Routes[i].Result.Task; t != nil && t.Absent != "" {
			v.Next += " " + client.CleanLine(f.Routes[i].Format+" says "+t.RawStatus+": "+t.Absent) + "."
		}
	}
	return v
}
