package queue

import "darkroom/jobs"

// pageMsg is a page of the history. Gen tells which read it belongs to.
type pageMsg struct {
	gen   int
	query jobs.Query // Before is "" for the newest page, which replaces what is there
	page  jobs.Page
	err   error
}

// detailMsg is everything known about one job.
type detailMsg struct {
	id     string
	detail jobs.Detail
	err    error
}

// jobMsg is a job that was requested by its id, to be shown.
type jobMsg struct {
	job jobs.Job
	err error
}

// wholeMsg is a job that was read whole for an action.
type wholeMsg struct {
	id, action string
	job        jobs.Job
	err        error
}

// doneMsg is the outcome of an action.
type doneMsg struct {
	what   string // "downloading 3 jobs", "" when nothing could be done
	failed string // what could not be done and why, "" for nothing
	show   string // a job to select, "" for none
}

// rejectedMsg says that jobs were rejected, or that this was taken back.
type rejectedMsg struct {
	ids []string
	on  bool
	err error
}

// adoptMsg says that a task was not adopted, since the gateway does not know it, or could not be
// asked.
type adoptMsg struct {
	id, taskID string
	err        error
}

// childMsg is the newest job that was made from one, "" for none.
type childMsg struct {
	id  string
	err error
}
