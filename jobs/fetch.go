package jobs

import (
	"context"
	"fmt"
	"time"

	"darkroom/client"
)

// progressStep is the time between two reports of one file's progress.
const progressStep = 100 * time.Millisecond

// save calls the saver and turns a panic into an error.
func (w *worker) save(ctx context.Context, r FileRequest, progress func(done, total int64)) (f File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &SaveError{Fault: SaveTemporary, Err: fmt.Errorf("internal error: %v", p)}
		}
	}()
	if progress == nil {
		progress = func(int64, int64) {}
	}
	began := w.e.now()
	r.Tried = func(from string, err error) {
		if ctx.Err() == nil || err == nil {
			w.fetched(from, began, err)
		}
		began = w.e.now()
	}
	f, err = w.e.o.Saver.Save(ctx, r, progress)
	if err == nil {
		f.Index, f.Kind, f.State, f.Error = r.Index, r.Asset.Kind, FileSaved, ""
		w.e.o.Installation.SignFile(r.Job.ID, &f)
	}
	return f, err
}

// fetch brings the wanted files of one job to the disk, one after the other, and records
// each as it is there.
func (w *worker) fetch(ctx context.Context) {
	if w.e.o.Saver == nil {
		w.work.Due = time.Time{}
		return
	}
	request, answer := w.body(PayloadRequest), w.body(PayloadAnswer)
	begun := false
	for i := range w.work.Job.Files {
		if s := w.work.Job.Files[i].State; s != FileWanted && s != FileFetching {
			continue
		}
		if begun && !w.mayFetch(w.work.Job.Files[i].Index) {
			return // what was in flight has ended
		}
		begun = true
		a := jobAsset(w.work.Job.Assets, w.work.Job.Files[i].Index)
		if !reachable(a) {
			a.Inline = w.body(inlineKind(w.work.Job.Files[i].Index))
		}
		if !reachable(a) {
			w.fetchFailed(ctx, i, &SaveError{Fault: SavePermanent, Err: errNowhere})
			return
		}
		r := FileRequest{Job: copyJob(w.work.Job), Index: w.work.Job.Files[i].Index, Asset: a, Request: request, Answer: answer}
		f, err := w.save(ctx, r, w.progress(i))
		if err != nil && ctx.Err() != nil {
			w.work.Job.Files[i].State, w.shown = FileWanted, nil
			return // it goes on with what it has next time
		}
		if err != nil {
			w.fetchFailed(ctx, i, err)
			return
		}
		w.record(ctx, i, f, answer)
		if w.lost || w.work.Job.Files[i].State != FileSaved {
			return
		}
	}
}

// progress reports a file's bytes to the board, at most every progressStep.
func (w *worker) progress(i int) func(done, total int64) {
	var last time.Time
	return func(done, total int64) {
		now := time.Now()
		if now.Sub(last) < progressStep {
			return
		}
		last = now
		f := &w.work.Job.Files[i]
		f.State, f.Bytes, f.Total = FileFetching, done, total
		w.show(0)
	}
}

// record writes that a file is on the disk.
func (w *worker) record(ctx context.Context, i int, f File, answer []byte) {
	now := w.e.now()
	c := change(&w.work)
	c.Job.Files[i] = f
	w.measure(ctx, &c.Job, f, answer)
	c.Job.UpdatedAt = now
	c.Events = []Event{fileEvent(now, f)}
	c.Forget = []PayloadKind{inlineKind(f.Index)}
	c.Attempts, c.Backoff = 0, 0
	if !filesPending(c.Job.Files) {
		c.Job.Note = ""
		schedule(&c, time.Time{})
	}
	w.work.Job.Files[i].State, w.shown = FileWanted, nil // until it is written
	w.commitSoft(ctx, c)
}

func fileEvent(now time.Time, f File) Event {
	msg := fmt.Sprintf("%s %d %s", f.Kind, f.Index+1, f.State)
	switch {
	case f.Error != "":
		msg += ": " + f.Error
	case f.Path != "":
		msg += fmt.Sprintf(": %s (%d bytes)", f.Path, f.Bytes)
	}
	return Event{At: now, Kind: EventFile, Message: client.CleanLine(msg)}
}
