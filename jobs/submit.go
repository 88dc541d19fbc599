package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
)

// Submission is what Engine.Submit takes: one draft through one format.
type Submission struct {
	Draft  client.Draft
	Format string // "" for the first one that the catalog lists for the model
	Group  string
}

// Group ties submissions together and returns the group's id: that of the first submission if it
// has one, else a new one for several, or "" for one alone.
func Group(subs []Submission) (string, error) {
	switch {
	case len(subs) > 0 && subs[0].Group != "":
		return subs[0].Group, nil
	case len(subs) < 2:
		return "", nil
	}
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("making the id of the group: %w", err)
	}
	for i := range subs {
		subs[i].Group = id.String()
	}
	return id.String(), nil
}

// SubmitGroup submits jobs that belong together, in one transaction: see [Group], and
// [Doer.Submit] for what an error means. The ids are in the order of the submissions.
func SubmitGroup(ctx context.Context, d Doer, subs []Submission) (group string, ids []string, err error) {
	if group, err = Group(subs); err != nil {
		return "", nil, err
	}
	if ids, err = d.Submit(ctx, subs); err != nil {
		return "", nil, err
	}
	if len(ids) != len(subs) {
		return "", nil, fmt.Errorf("%d jobs were asked for, %d came back", len(subs), len(ids))
	}
	return group, ids, nil
}

// Submit implements Doer: all submissions are journalled in one transaction.
func (e *Engine) Submit(ctx context.Context, subs []Submission) ([]string, error) {
	if err := (Flow{ReadOnly: e.o.ReadOnly}).MayCreate(); err != nil {
		return nil, err
	}
	now := e.now()
	changes := make([]Change, 0, len(subs))
	ids := make([]string, 0, len(subs))
	for i, s := range subs {
		j, err := e.newJob(now, s)
		if err != nil {
			if len(subs) > 1 {
				err = fmt.Errorf("submission %d: %w", i+1, err)
			}
			return nil, err
		}
		changes = append(changes, e.planned(now, j))
		ids = append(ids, j.ID)
	}
	if len(subs) == 0 {
		return nil, nil
	}
	if err := e.journal(ctx, changes); err != nil {
		return nil, err
	}
	works := make([]handed, len(changes))
	for i, c := range changes {
		works[i].Work = Work{Job: c.Job, Due: c.Due, Owner: c.Owner, Token: firstToken}
		e.board.post(&c.Job, 0, firstToken, e.o.Profile)
	}
	e.inbox.hand(works...)
	return ids, nil
}

// firstToken is the lease token of an inserted job.
const firstToken = 1

// newJob checks a submission as far as the engine has to, and makes a job of it.
func (e *Engine) newJob(now time.Time, s Submission) (Job, error) {
	d := s.Draft.Clone()
	d.Wire, d.Parents = nil, d.Descent()
	switch {
	case d.Cut:
		return Job{}, client.ErrCut
	case d.Model == "":
		return Job{}, errors.New("model: a model is required")
	case d.Modality == "":
		return Job{}, errors.New("modality: one of video, image, music, speech, chat is required")
	}
	if err := client.CheckPrompt(d.Prompt); err != nil {
		return Job{}, err
	}
	if err := checkDraft(d, MaxDraft); err != nil {
		return Job{}, err
	}
	format := s.Format
	if format == "" && e.o.FormatFor != nil {
		format = e.o.FormatFor(d)
	}
	if format == "" {
		return Job{}, fmt.Errorf("format: no wire format is known for model %q; name one", client.CleanLine(d.Model))
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Job{}, fmt.Errorf("making a job id: %w", err)
	}
	j := Job{
		ID: id.String(), Profile: e.o.Profile, Group: s.Group, Draft: d, Format: format,
		State: Planned, Progress: -1, CreatedAt: now, UpdatedAt: now,
	}
	e.o.Installation.Sign(&j)
	return j, nil
}

func (e *Engine) planned(now time.Time, j Job) Change {
	return Change{
		Job: j, Due: now, Take: true, Owner: e.o.Owner, Until: now.Add(e.o.Lease),
		Events: []Event{{At: now, Kind: EventPlanned, To: Planned}},
	}
}

// ErrUnclear means that nobody knows whether the jobs are in the history: if they are, they will
// be sent.
var ErrUnclear = errors.New("it may be in the history, from where it is sent: look into the queue before you submit it again")

// journalWait bounds the check after an error that leaves this open.
const journalWait = 5 * time.Second

// journal inserts jobs. An error may come although they are in the history, as when the connection
// broke at the commit: whoever takes them over would send them later. If that cannot be found out
// the error wraps [ErrUnclear]; after any other error they are not there.
func (e *Engine) journal(ctx context.Context, c []Change) error {
	err := e.o.Store.Insert(ctx, c)
	if err == nil {
		return nil
	}
	look, cancel := context.WithTimeout(context.WithoutCancel(ctx), journalWait)
	defer cancel()
	switch _, missing := e.o.Store.Get(look, c[0].Job.ID); { // all of them, or none
	case missing == nil:
		return nil
	case errors.Is(missing, ErrNotFound):
		return fmt.Errorf("nothing was sent: the history could not be written: %w", err)
	}
	return fmt.Errorf("%w: the history could not be written, and does not tell: %w", ErrUnclear, err)
}
