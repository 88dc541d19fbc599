package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
)

// Submission is what Engine.Submit takes: one draft through one format.
type Submission struct {
	Draft  client.Draft
	Format string // "" for the first one that the catalog lists for the model
	Group  string
	// Run is the id of a run of a comparison, a UUID in lower case, and Cell names the slot in it that
	// the job is for: up to [MaxCell] printing characters of ASCII, which mean nothing here. Both or
	// none.
	Run, Cell string
}

// MaxCell bounds the name of a slot in a run, in bytes.
const MaxCell = 64

// checkRun says what makes a run and a slot in it unfit for a job.
func checkRun(run, cell string) error {
	if run == "" && cell == "" {
		return nil
	}
	id, err := uuid.Parse(run)
	switch {
	case err != nil || id.String() != run:
		return fmt.Errorf("run %.80q: a UUID in lower case is needed", run)
	case cell == "" || len(cell) > MaxCell:
		return fmt.Errorf("run %s: the name of a cell has 1 to %d bytes, and %.80q has %d", run, MaxCell, cell, len(cell))
	case strings.ContainsFunc(cell, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("run %s: the cell %q has characters other than the printing ones of ASCII", run, cell)
	}
	return nil
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

// Check says what makes a submission unfit for a job, whatever the history and the gateway say.
func (s Submission) Check() error {
	if err := checkRun(s.Run, s.Cell); err != nil {
		return err
	}
	d := s.Draft
	d.Parents = d.Descent()
	switch {
	case d.Cut:
		return client.ErrCut
	case d.Model == "":
		return errors.New("model: a model is required")
	case d.Modality == "":
		return errors.New("modality: one of video, image, music, speech, chat is required")
	}
	if err := client.CheckPrompt(d.Prompt); err != nil {
		return err
	}
	return checkDraft(d, MaxDraft)
}

// newJob makes a job of a submission that is fit for one.
func (e *Engine) newJob(now time.Time, s Submission) (Job, error) {
	if err := s.Check(); err != nil {
		return Job{}, err
	}
	d := s.Draft.Clone()
	d.Wire, d.Parents = nil, d.Descent()
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
		ID: id.String(), Profile: e.o.Profile, Group: s.Group, Run: s.Run, Cell: s.Cell, Draft: d, Format: format,
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

// Observation is somebody else's task, found by its id, that a person takes into the history.
type Observation struct {
	TaskID string
	// Draft has what is known of the request: the modality, and the model as the answer names it.
	Draft client.Draft
	// Task is what the gateway answered, Task.Format the route that did.
	Task client.Task
	// Began is when it was asked.
	Began  time.Time
	Tags   []string
	Remark string
}

// observed says why an observed job is not sent.
const observed = "this is somebody else's task, taken over by its id: it is watched and never sent"

// Observe implements Observer.
func (e *Engine) Observe(ctx context.Context, o Observation) (id string, fresh bool, err error) {
	if err := client.CheckTaskID(o.TaskID); err != nil {
		return "", false, err
	}
	tags, err := CleanTags(o.Tags)
	if err != nil {
		return "", false, err
	}
	remark, err := cleanRemark(o.Remark)
	if err != nil {
		return "", false, err
	}
	known, err := e.o.Store.List(ctx, Query{Profile: e.o.Profile, TaskID: o.TaskID, Limit: 1})
	if err != nil {
		return "", false, err
	}
	if len(known.Jobs) > 0 {
		return known.Jobs[0].ID, false, e.noteOn(ctx, known.Jobs[0].ID, tags, remark)
	}
	key, err := uuid.NewV7()
	if err != nil {
		return "", false, fmt.Errorf("making a job id: %w", err)
	}
	now := e.now()
	c := observe(key.String(), e.o.Profile, now, o, e.o.Curve.First, e.o.AutoDownload && e.o.Saver != nil)
	c.Job.Tags, c.Job.Remark = tags, remark
	if !c.Due.IsZero() {
		c.Take, c.Owner, c.Until = true, e.o.Owner, now.Add(e.o.Lease)
	}
	if err := e.o.Store.Insert(ctx, []Change{c}); err != nil {
		return "", false, fmt.Errorf("the history could not be written: %w", err)
	}
	e.board.post(&c.Job, 0, firstToken, e.o.Profile)
	if c.Take {
		e.inbox.hand(handed{Work: Work{Job: c.Job, Due: c.Due, Owner: c.Owner, Token: firstToken}})
	}
	return c.Job.ID, true, nil
}

// noteOn adds tags to a job, and replaces its remark where there is another one.
func (e *Engine) noteOn(ctx context.Context, id string, tags []string, remark string) error {
	if err := e.Tag(ctx, id, tags, nil); err != nil || remark == "" {
		return err
	}
	return e.Remark(ctx, id, remark)
}

// observe makes the job of an observation: polled while the task is under way, after first for the
// first time, and its files are to be fetched where that is wanted.
func observe(id, profile string, now time.Time, o Observation, first time.Duration, fetch bool) Change {
	t, j := o.Task, Job{
		ID: id, Profile: profile, Draft: o.Draft, Format: o.Task.Format, Observed: true, Progress: -1,
		TaskID: o.TaskID, QueryFormat: o.Task.Format, CreatedAt: now,
	}
	takeTask(&j, t)
	addIDs(&j, t)
	j.Seen.look(o.Began, now, fromStatus(t.Status))
	c := Change{Job: j}
	ev := taskEvent(EventPerson, t)
	ev.Message = "taken into the history to be watched; it was not sent from here"
	if len(t.Raw) > 0 {
		body := bounded(t.Raw, maxKeptBody)
		c.Payloads = []Payload{{Kind: PayloadAnswer, Body: body}}
		ev.PayloadSHA = PayloadSHA(body)
	}
	move(&c, now, fromStatus(t.Status), ev)
	if c.Job.State.Ended() && !t.EndedAt.IsZero() && t.EndedAt.Before(now) {
		c.Job.EndedAt = t.EndedAt
	}
	c.Exchanges = []Exchange{{
		At: o.Began, Kind: ExchangePoll, Format: t.Format, Path: t.Meta.Path, HTTPStatus: t.Meta.HTTPStatus,
		Latency: t.Meta.Latency, RequestID: client.CleanLine(t.Meta.RequestID), RawStatus: client.CleanLine(t.RawStatus),
	}}
	pending := false
	for i := range c.Job.Assets {
		a := &c.Job.Assets[i]
		if c.Job.State != Completed || len(a.Inline) == 0 && !fetch {
			continue
		}
		if len(a.Inline) > 0 {
			c.Payloads = append(c.Payloads, Payload{Kind: inlineKind(i), Body: a.Inline})
		}
		c.Job.Files = append(c.Job.Files, File{Index: i, Kind: a.Kind, State: FileWanted, Total: -1, MediaType: a.MediaType})
		pending = true
	}
	for i := range c.Job.Assets {
		c.Job.Assets[i].Inline = nil // in a payload of its own
	}
	switch {
	case c.Job.State.Polled():
		plan(&c, now.Add(first))
	case pending:
		plan(&c, now)
	}
	return c
}
