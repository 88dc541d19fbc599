package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/spool"
	"darkroom/jobs/store/postgres"
)

// historyName names the history of a profile in the spool. A file is named by its path relative to
// the spool: a home that is moved or mounted elsewhere keeps its names.
func historyName(c config.Config) string {
	if dsn := c.Profile.History; dsn != "" {
		return postgres.Name(dsn)
	}
	return fileName(c.Paths)
}

// fileName names the history of this machine, whichever one the profile uses.
func fileName(p config.Paths) string {
	if rel, err := filepath.Rel(p.Spool, p.History); err == nil {
		return "file " + rel
	}
	return "file " + p.History
}

// TakeOverToMove writes the outcomes of creates from when this machine's history could not be
// written into it, before its jobs are copied to another one, and into that one for the jobs it
// already has. It fails if an outcome could not be written: the copy would never get it, since the
// file in the spool names the history that it came from.
func TakeOverToMove(ctx context.Context, p config.Paths, from, to jobs.Store, tell func(string)) error {
	taken, err := spool.TakeOver(ctx, p.Spool, fileName(p), from, settleTime(), to)
	for _, t := range taken {
		tell(takenText(t))
		if t.Err != nil && t.Record.Outcome.Job.ID != "" && !errors.Is(t.Err, jobs.ErrNotFound) {
			err = errors.Join(err, fmt.Errorf("the outcome of the create of job %s is in no history yet: %w", jobs.ShortID(t.Record.Outcome.Job.ID), t.Err))
		}
	}
	return err
}

// settleTime is now, in the precision of the history.
func settleTime() time.Time { return time.Now().Round(0).Truncate(time.Millisecond) }

// takeOver writes the outcomes of creates into a history that could not be written then, and
// tells about it.
func takeOver(ctx context.Context, c config.Config, st jobs.Store, tell func(string)) {
	taken, err := spool.TakeOver(ctx, c.Paths.Spool, historyName(c), st, settleTime())
	if tell == nil {
		return
	}
	for _, t := range taken {
		tell(takenText(t))
	}
	if err != nil {
		tell(fmt.Sprintf("could not look for task ids to take into the history: %v", err))
	}
}

func takenText(t spool.Taken) string {
	o := &t.Record.Outcome
	if o.Job.ID == "" {
		return fmt.Sprintf("%s cannot be read, and may hold what the gateway answered to a create: %v", t.Path, t.Err)
	}
	u := jobs.Unsaved{Job: o.Job.ID, TaskID: o.Job.TaskID, State: o.Job.State}
	at := human.Times{Now: time.Now()}.Stamp(o.Job.UpdatedAt)
	switch {
	case errors.Is(t.Err, jobs.ErrNotFound):
		return fmt.Sprintf("the history has no job %s: %s at %s. That stays in %s", o.Job.ID, cameText(u), at, t.Path)
	case t.Err != nil:
		return fmt.Sprintf("job %s: %s at %s, and the history cannot be written: %v. It stays in %s", jobs.ShortID(u.Job), cameText(u), at, t.Err, t.Path)
	case t.Decided:
		text := fmt.Sprintf("job %s: %s after all, at %s. The job stays %s, as a person decided meanwhile%s; %s is noted with it",
			jobs.ShortID(u.Job), cameText(u), at, t.Now.State, noteOf(t.Now), whatCame(u))
		if jobs.Billed(t.Now.Profile) {
			text += ", and may have been paid for"
		}
		return text
	case !o.Paid():
		return fmt.Sprintf("job %s: the outcome of its create at %s is known now: %s", jobs.ShortID(u.Job), at, o.Job.State)
	}
	return fmt.Sprintf("job %s: %s at %s; the history could not be written then, and has it now", jobs.ShortID(u.Job), cameText(u), at)
}

func noteOf(j jobs.Job) string {
	if j.Note == "" {
		return ""
	}
	return " (" + client.CleanLine(j.Note) + ")"
}
