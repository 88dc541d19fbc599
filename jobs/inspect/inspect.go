// Package inspect says what an id means: what the gateway's query routes and the history on
// this machine have answered about it, which answer tells the most, and what a person may do
// next. It is pure: the caller hands in the answers.
package inspect

import (
	"errors"
	"fmt"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// Route is one query route of the gateway that is asked, or the history on this machine.
type Route struct {
	Format, Label, Path string
	// Local marks the history's row: the newest answer that was kept.
	Local bool
	// Done says that nothing more will come; Stopped that the route was given up before it
	// answered.
	Done, Stopped bool
	// Skipped says why it was not asked, "" where it was.
	Skipped string
	Result  client.RouteResult
	// Body is what came, as it came.
	Body []byte
}

// Findings are what is known about an id so far.
type Findings struct {
	// Kind says what the id names; "" for a task or a job.
	Kind   Kind
	Routes []Route
	// Only is the one format that is asked, "" for all.
	Only string
	// Job is that of the history, nil for none; Plan says how long tasks like it take, nil where too
	// little is known.
	Job  *jobs.Job
	Plan *schedule.Plan
	// Text is what the kept answer says in words, as it came.
	Text string
	// Pending says that the history has not answered yet.
	Pending bool
}

// Answer takes the answer of a route.
func (f *Findings) Answer(i int, res client.RouteResult) {
	r := &f.Routes[i]
	r.Done, r.Result, r.Body = true, res, Body(res)
	if res.Label != "" {
		r.Label = res.Label
	}
	if res.Path != "" {
		r.Path = res.Path
	}
}

// Keep adds the history's row, with the newest answer that was kept.
func (f *Findings) Keep(body []byte) {
	f.Routes = append(f.Routes, Route{Format: "history", Label: "kept on this machine", Path: "no request", Local: true, Done: true, Body: body})
}

// Stop gives up what has not answered yet.
func (f *Findings) Stop() {
	f.Pending = false
	for i := range f.Routes {
		if r := &f.Routes[i]; !r.Done {
			r.Done, r.Stopped = true, true
		}
	}
}

// Busy returns how many of the routes have not answered yet.
func (f *Findings) Busy() int {
	n := 0
	for i := range f.Routes {
		if !f.Routes[i].Done {
			n++
		}
	}
	return n
}

// Best returns the route whose answer is the task: that of the job's own format before others, a
// known state before an unknown one, the first of equals. -1 when none has a task.
func (f *Findings) Best() int {
	at := -1
	for i := range f.Routes {
		if n := f.score(i); n > 0 && (at < 0 || n > f.score(at)) {
			at = i
		}
	}
	return at
}

// Task returns what the best route answered, nil for none.
func (f *Findings) Task() *client.Task {
	if i := f.Best(); i >= 0 {
		return f.Routes[i].Result.Task
	}
	return nil
}

// Telling returns the route to look at first: the best one, else the history, else the one whose
// error says the most.
func (f *Findings) Telling() int {
	if i := f.Best(); i >= 0 {
		return i
	}
	at, score := 0, -1
	for i := range f.Routes {
		r, n := &f.Routes[i], 0
		switch v := r.Result.Verdict(); {
		case r.Local:
			n = 4
		case !r.Done || r.Stopped:
		case v == client.VerdictUnserved:
			n = 1
		case v == client.VerdictUnknown:
			n = 2
		default:
			n = 3
		}
		if n > score {
			at, score = i, n
		}
	}
	return at
}

// Words returns what the task says in words, else what the kept answer says.
func (f *Findings) Words() string {
	if t := f.Task(); t != nil && t.Words() != "" {
		return t.Words()
	}
	return f.Text
}

// Progress says how many routes have not answered yet.
func (f *Findings) Progress() string {
	n, all := f.Busy(), 0
	for i := range f.Routes {
		if !f.Routes[i].Local {
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
	case f.Pending && text == "":
		text = "asking the history"
	case f.Pending:
		text += " and the history"
	}
	return text + " …"
}

// Body returns an answer's body as it came, whether or not it could be read.
func Body(r client.RouteResult) []byte {
	if r.Task != nil && len(r.Task.Raw) > 0 {
		return r.Task.Raw
	}
	if len(r.Raw) > 0 {
		return r.Raw
	}
	if api, ok := errors.AsType[*client.APIError](r.Err); ok {
		return api.Body
	}
	return nil
}
