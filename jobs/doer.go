package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/client"
)

// Errors of the Doer's methods, wrapped with the job's id.
var (
	// ErrInFlight: the create waits for its answer; nothing may be decided before.
	ErrInFlight = errors.New("the create is waiting for its answer")
	// ErrState: the job is in a state in which this makes no sense.
	ErrState = errors.New("not possible in the job's state")
	// ErrUnknownTask: the gateway knows no task of the id that is to be adopted.
	ErrUnknownTask = errors.New("the gateway does not know the task")
)

// amend changes a job on a person's behalf and tells the loop.
func (e *Engine) amend(ctx context.Context, id string, fn func(now time.Time, w Work) (Change, error)) (Work, error) {
	w, err := e.o.Store.Amend(ctx, id, func(w Work) (Change, error) {
		now := e.now()
		e.board.recall(&w)
		c, err := fn(now, w)
		c.Job.UpdatedAt = now
		c.Owner, c.Until = e.o.Owner, now.Add(e.o.Lease)
		return c, err
	})
	if err != nil {
		return Work{}, fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	e.board.read(&w, e.o.Profile)
	e.inbox.hand(handed{Work: w})
	return w, nil
}

// Repoll implements Doer: a task that is polled is asked for now, a lost or parked one is
// polled again, and a planned one is sent now.
func (e *Engine) Repoll(ctx context.Context, id string) error {
	e.inbox.want(id)
	_, err := e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		s := w.Job.State
		if err := e.foreign(&w.Job); err != nil && s == Planned {
			return c, err
		}
		if err := (Flow{ReadOnly: e.o.ReadOnly}).MayCreate(); err != nil && s == Planned {
			return c, err
		}
		if err := Allowed(ActRepoll, &w.Job); err != nil {
			return c, err
		}
		if s == Lost {
			move(&c, now, Unknown, Event{Kind: EventPerson, Message: "asked to look for it again"})
			c.Take = true
		} else {
			c.Events = []Event{{At: now, Kind: EventPerson, From: s, To: s, Message: "asked for a look now"}}
			c.Take = w.Owner == ""
		}
		if !Unreached(w.Job) { // why it is paused stays true
			c.Job.Note = ""
		}
		c.Attempts, c.Backoff = 0, 0
		plan(&c, now)
		return c, nil
	})
	return err
}

// Drop implements Doer.
func (e *Engine) Drop(ctx context.Context, id string) error {
	e.settleOrphan(ctx, id)
	_, err := e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		if err := Allowed(ActDrop, &w.Job); err != nil {
			return c, err
		}
		switch s := w.Job.State; {
		case w.Job.Saving():
			c.Job.Files = stopFiles(c.Job.Files)
			c.Events = []Event{{At: now, Kind: EventPerson, From: s, To: s, Message: "stopped the download"}}
		default:
			move(&c, now, Dropped, Event{Kind: EventPerson, Message: "stopped tracking; the gateway was not told"})
		}
		c.Take = true
		c.Job.Note = ""
		plan(&c, time.Time{})
		return c, nil
	})
	return err
}

func stopFiles(files []File) []File {
	for i := range files {
		if files[i].State == FileWanted || files[i].State == FileFetching {
			files[i].State, files[i].Error = FileFailed, "stopped"
		}
	}
	return files
}

// Resend implements Doer: the old job is dropped first, so that it cannot be adopted
// while the new one is sent. A crash in between leaves the draft in the dropped job.
func (e *Engine) Resend(ctx context.Context, id string) (string, error) {
	if err := (Flow{ReadOnly: e.o.ReadOnly}).MayCreate(); err != nil {
		return "", err
	}
	e.settleOrphan(ctx, id)
	old, err := e.o.Store.Get(ctx, id)
	if err != nil {
		return "", fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	if err := Allowed(ActResend, &old.Job); err != nil {
		return "", fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	if err := e.foreign(&old.Job); err != nil {
		return "", fmt.Errorf("job %s: %w", client.CleanLine(id), err)
	}
	now := e.now()
	j, err := e.newJob(now, Submission{
		Draft: old.Job.Draft, Format: old.Job.Format, Group: old.Job.Group, Run: old.Job.Run, Cell: old.Job.Cell,
	})
	if err != nil {
		return "", err
	}
	_, err = e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		if err := Allowed(ActResend, &w.Job); err != nil {
			return c, err
		}
		move(&c, now, Dropped, Event{Kind: EventPerson, Message: "sent again as " + j.ID})
		c.Take = true
		c.Job.Note = "sent again as " + j.ID
		plan(&c, time.Time{})
		return c, nil
	})
	if err != nil {
		return "", err
	}
	c := e.planned(now, j)
	c.Events[0].Message = "sent again in place of " + id
	if err := e.journal(ctx, []Change{c}); err != nil {
		return "", fmt.Errorf("job %s was dropped, and in its place: %w", client.CleanLine(id), err)
	}
	e.board.post(&j, 0, firstToken, e.o.Profile)
	e.inbox.hand(handed{Work: Work{Job: j, Due: c.Due, Owner: c.Owner, Token: firstToken}})
	return j.ID, nil
}

// Download implements Doer.
func (e *Engine) Download(ctx context.Context, id string) error { return e.download(ctx, id, false) }

// DownloadAgain implements Doer: Download including files already on the disk. The Saver decides
// what becomes of those; files whose bytes came in the answer itself stay as they are.
func (e *Engine) DownloadAgain(ctx context.Context, id string) error {
	return e.download(ctx, id, true)
}

func (e *Engine) download(ctx context.Context, id string, again bool) error {
	if e.o.Saver == nil {
		return errors.New("there is nothing to save files with")
	}
	e.inbox.want(id)
	_, err := e.amend(ctx, id, func(now time.Time, w Work) (Change, error) {
		c := change(&w)
		if err := Allowed(ActDownload, &w.Job); err != nil {
			return c, err
		}
		if filesPending(w.Job.Files) {
			c.Take = w.Owner == ""
		} else {
			c.Take = true
			c.Job.Files = e.wantFiles(c.Job, again)
			c.Job.Seen.FetchBegun, c.Job.Seen.Fetched = time.Time{}, time.Time{}
		}
		if isLaterNote(c.Job.Note) {
			c.Job.Note = ""
		}
		said := "asked for the files"
		if !w.Job.Rejected.IsZero() { // they would be removed again
			c.Job.Rejected, c.Job.RejectedBy, said = time.Time{}, "", said+", and so took the reject back"
		}
		c.Events = []Event{{At: now, Kind: EventPerson, From: Completed, To: Completed, Message: said}}
		c.Attempts, c.Backoff = 0, 0
		plan(&c, time.Time{})
		if filesPending(c.Job.Files) {
			plan(&c, now)
		}
		return c, nil
	})
	return err
}

// wantFiles lists a file for each asset. Those on the disk stay as they are, unless they are
// wanted again and can be fetched. A file saved by another installation is not on this disk,
// whatever lies at its path here.
func (e *Engine) wantFiles(j Job, again bool) []File {
	have := map[int]File{}
	for _, f := range j.Files {
		have[f.Index] = f
	}
	files := make([]File, 0, len(j.Assets))
	for i, a := range j.Assets {
		f, ok := have[i]
		if !ok || !e.o.Installation.Saved(j.ID, f) || !fileThere(f) || again && reachable(a) {
			f = File{Index: i, Kind: a.Kind, State: FileWanted, Total: -1, MediaType: a.MediaType}
		}
		files = append(files, f)
	}
	return files
}
