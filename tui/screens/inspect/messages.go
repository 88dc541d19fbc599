package inspect

import (
	"darkroom/client"
	"darkroom/client/drift"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/tui/widgets/jsonview"
)

// routeMsg is the answer of one query route.
type routeMsg struct {
	gen int
	at  int // index of the route
	res client.RouteResult
	doc jsonview.Doc    // of the body
	odd []drift.Finding // what the answer has that the interface does not name
}

// historyMsg is what the history on this machine knows.
type historyMsg struct {
	gen    int
	job    *jobs.Job // nil when it knows none
	more   int       // further jobs with that id
	text   string    // what that answer says in words, as it came
	answer []byte    // the newest body of the gateway that was kept
	doc    jsonview.Doc
	err    error
	// events and exchanges are the timeline of the job.
	events    []jobs.Event
	exchanges []jobs.Exchange
}

// detailMsg is the timeline of a job as it is now.
type detailMsg struct {
	job       string
	events    []jobs.Event
	exchanges []jobs.Exchange
}

// resultMsg is what the address of a result answers.
type resultMsg struct {
	gen   int
	check inspect.ResultCheck
}

// pastedMsg are the subjects of a large text that was pasted.
type pastedMsg []inspect.Subject
