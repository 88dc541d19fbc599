package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/client"
)

// maxAltIDs bounds the other ids of one task.
const maxAltIDs = 64

// Outcome is the outcome of one create, as the history is to record it.
type Outcome struct {
	// Began is the job's SubmittedAt when the POST began; it tells this create from other creates
	// of the same job.
	Began time.Time `json:"began"`
	// Job is the job since then, without its draft, which the history has.
	Job       Job           `json:"job"`
	Events    []Event       `json:"events,omitempty"`
	Exchanges []Exchange    `json:"exchanges,omitempty"`
	Payloads  []Payload     `json:"payloads,omitempty"`
	Due       time.Time     `json:"due,omitzero"`
	Attempts  int           `json:"attempts,omitempty"`
	Backoff   time.Duration `json:"backoff,omitempty"`
}

// outcomeOf is the outcome, by a change, of a create that began at the given time.
func outcomeOf(began time.Time, c *Change) Outcome {
	j := shareJob(c.Job)
	j.Draft = client.Draft{}
	for i := range j.Assets {
		j.Assets[i].Inline = nil // in a file, or in a payload
	}
	return Outcome{
		Began: began, Job: j, Events: c.Events, Exchanges: c.Exchanges, Payloads: c.Payloads,
		Due: c.Due, Attempts: c.Attempts, Backoff: c.Backoff,
	}
}

// Paid reports whether the create brought something that may have been paid for.
func (o *Outcome) Paid() bool { return o.Job.TaskID != "" || o.Job.State == Completed }

// Check says what makes an outcome unfit for a history, such as one read from a file.
func (o *Outcome) Check() error {
	j := &o.Job
	r := Record{Job: *j, Exchanges: o.Exchanges}
	switch err := r.Check(); {
	case err != nil:
		return err
	case o.Began.IsZero():
		return fmt.Errorf("job %s: the time of the create is missing", j.ID)
	case j.State == Submitting || j.State == Lost || j.State == Dropped:
		return fmt.Errorf("job %s: no create makes it %s", j.ID, j.State)
	case j.State.Polled() && j.TaskID == "":
		return fmt.Errorf("job %s is %s without a task id", j.ID, j.State)
	case len(j.AltIDs) > maxAltIDs:
		return fmt.Errorf("job %s: %d other ids; at most %d are kept", j.ID, len(j.AltIDs), maxAltIDs)
	case o.Attempts < 0 || o.Backoff < 0:
		return fmt.Errorf("job %s: negative numbers", j.ID)
	}
	for _, p := range o.Payloads {
		if p.Kind == "" {
			return fmt.Errorf("job %s: a body without a kind", j.ID)
		}
	}
	return nil
}

// Settle writes an outcome that its sender could not write into the history; settling it again
// changes nothing. What a person has decided about the job meanwhile stays: decided reports that,
// and the job then only notes the id that the answer brought. The work is left to whoever claims
// it. The error is ErrNotFound if the history has no such job.
func (o *Outcome) Settle(ctx context.Context, s Store, now time.Time) (w Work, decided bool, err error) {
	var before Work
	w, err = s.Amend(ctx, o.Job.ID, func(cur Work) (Change, error) {
		before = cur
		c, open, err := o.on(&cur, now)
		decided = !open
		c.Take = true
		return c, err
	})
	if errors.Is(err, ErrLeaseLost) { // there is nothing to add
		return before, false, nil
	}
	return w, decided, err
}

// on is the change that an outcome makes to a job as the history has it; open says that nobody had
// decided about it yet. ErrLeaseLost says that there is nothing to add.
func (o *Outcome) on(cur *Work, now time.Time) (c Change, open bool, err error) {
	s := cur.Job.State
	if s != Ambiguous && s != Submitting || cur.Job.TaskID != "" || !cur.Job.SubmittedAt.Equal(o.Began) {
		c, err = o.late(cur, now)
		return c, false, err
	}
	c = change(cur)
	j, n := &c.Job, shareJob(o.Job)
	j.State, j.TaskID, j.AltIDs, j.QueryFormat = n.State, n.TaskID, n.AltIDs, n.QueryFormat
	j.RawStatus, j.Progress, j.Error, j.Assets, j.Files = n.RawStatus, n.Progress, n.Error, n.Assets, n.Files
	j.Title, j.Note, j.CreateTook, j.Warnings = n.Title, n.Note, n.CreateTook, n.Warnings
	j.SubmittedAt, j.AcceptedAt, j.EndedAt, j.UpdatedAt = n.SubmittedAt, n.AcceptedAt, n.EndedAt, now
	j.Seen = n.Seen
	c.Due, c.Attempts, c.Backoff = o.Due, o.Attempts, o.Backoff
	c.Events, c.Exchanges, c.Payloads = slices.Clone(o.Events), o.Exchanges, o.Payloads
	for i := range c.Events {
		c.Events[i].From = s
	}
	return c, true, nil
}

// late notes what an answer brought after a person had decided about the job: it was paid for, and
// can so be found and queried. Nothing else changes.
func (o *Outcome) late(cur *Work, now time.Time) (Change, error) {
	id := o.Job.TaskID
	known := id != "" && (id == cur.Job.TaskID || slices.Contains(cur.Job.AltIDs, id))
	if known || id == "" && (cur.Job.State != Dropped || o.Job.State != Completed) {
		return Change{}, ErrLeaseLost
	}
	c := change(cur)
	text := "the answer to the create came after all, with its result"
	if id != "" {
		c.Job.AltIDs = append(slices.Clone(c.Job.AltIDs), id)
		text = "the answer to the create came after all, with the task " + id
	} else {
		c.Payloads = o.Payloads
	}
	c.Events = []Event{{At: now, Kind: EventAccepted, From: cur.Job.State, To: cur.Job.State, RawStatus: o.Job.RawStatus,
		Message: client.CleanLine(text)}}
	return c, nil
}

// Spool keeps the outcomes of creates outside the history until the history has them;
// [darkroom/jobs/spool] keeps them in files.
type Spool interface {
	// Reserve takes the room for one outcome before the POST begins, so that keeping it later
	// needs nothing that may be lacking then. Without it nothing is sent.
	Reserve() (Slot, error)
}

// Slot is the room for one outcome. It is safe for concurrent use.
type Slot interface {
	// Fill keeps an outcome, so that it outlives the process. It reports whether all of it
	// was kept, or only what tells of the task, without bodies that had no room.
	Fill(o Outcome) (whole bool, err error)
	// Sync flushes what was kept to the disk, so that it outlives a crash of the machine, too.
	Sync() error
	// Path is the file that holds it.
	Path() string
	// Free gives the room back: there is nothing left to keep.
	Free()
	// Leave leaves what is kept to whoever opens the history next.
	Leave()
}

// Unsaved is the outcome of a create that may have been paid for, while the history cannot be
// written.
type Unsaved struct {
	Job    string    `json:"job"`
	TaskID string    `json:"task_id,omitempty"` // "" for an answer that is the result itself
	State  State     `json:"state"`
	Since  time.Time `json:"since"`
	Why    string    `json:"why"` // the last failure
	// Kept is the file from which whoever opens the history next takes it over; "" if there is
	// none. Whole says that it holds everything, including the bodies of a result.
	Kept  string `json:"kept,omitempty"`
	Whole bool   `json:"whole"`
}
