package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
)

// Limits of a fetch.
const (
	maxFetches   = 8                      // tries of one job's files, one soon after the other
	laterFirst   = 10 * time.Minute       // from there on, and twice as long each time ...
	laterMost    = time.Hour              // ... up to this ...
	laterFor     = 24 * time.Hour         // ... for so long after the task's end
	maxFresh     = 1                      // queries for a fresh address
	noSpaceWait  = 30 * time.Second       // between tries while the disk is full
	progressStep = 100 * time.Millisecond // between two reports of one file's progress
)

// noteNoSpace begins the note of a job whose files wait for space on the disk.
const noteNoSpace = "waiting for space on the disk: "

// noteLater begins the note of a job whose files could not be fetched for a while. Nothing
// waits for them, see [Settled], but they are tried again.
const noteLater = "not saved yet, tried again by itself for a day: "

func isLaterNote(note string) bool { return strings.HasPrefix(note, noteLater) }

func isDiskNote(note string) bool { return strings.HasPrefix(note, noteNoSpace) }

// inlineKind is the payload under which the bytes of an asset wait for a disk.
func inlineKind(index int) PayloadKind {
	return PayloadInline + PayloadKind(":"+strconv.Itoa(index))
}

// completed plans the files of a job that has just ended well. Bytes that the answer
// carried go to the disk before the end is recorded; where the disk will not take them
// they wait in the history, since nobody can ask for them again.
func (w *worker) completed(ctx context.Context, c *Change) {
	want := w.e.o.AutoDownload && w.e.o.Saver != nil
	w.e.plans.completed(keyOf(&c.Job))
	c.Job.Files = nil
	if len(c.Job.Assets) > 0 {
		c.Job.Progress = 100
	}
	pending := false
	for i, a := range c.Job.Assets {
		if len(a.Inline) == 0 && !want {
			continue
		}
		f := File{Index: i, Kind: a.Kind, State: FileWanted, Total: -1, MediaType: a.MediaType}
		if len(a.Inline) > 0 {
			f = w.saveInline(ctx, c, f, a)
		}
		pending = pending || f.State == FileWanted
		c.Job.Files = append(c.Job.Files, f)
	}
	schedule(c, time.Time{})
	if pending {
		schedule(c, w.e.now())
	}
}

func (w *worker) saveInline(ctx context.Context, c *Change, f File, a client.Asset) File {
	f.Total = int64(len(a.Inline))
	err := errors.New("there is nothing to save files with")
	if w.e.o.Saver != nil {
		var saved File
		saved, err = w.save(context.WithoutCancel(ctx), FileRequest{Job: copyJob(c.Job), Index: f.Index, Asset: a,
			Request: w.body(PayloadRequest), Answer: newest(c, PayloadAnswer)}, nil)
		if err == nil {
			c.Events = append(c.Events, fileEvent(w.e.now(), saved))
			return saved
		}
	}
	f.Error = client.CleanLine(err.Error())
	if se, ok := errors.AsType[*SaveError](err); ok && se.Fault == SavePermanent {
		f.State = FileFailed
	}
	if w.e.o.Saver == nil {
		f.State = FileFailed
	}
	c.Payloads = append(c.Payloads, Payload{Kind: inlineKind(f.Index), Body: a.Inline})
	c.Job.Note = client.CleanLine("not on the disk yet, kept in the history: " + f.Error)
	c.Events = append(c.Events, fileEvent(w.e.now(), f))
	return f
}

func newest(c *Change, k PayloadKind) []byte {
	for _, p := range c.Payloads {
		if p.Kind == k {
			return p.Body
		}
	}
	return nil
}

// body reads a kept body; nil when there is none.
func (w *worker) body(k PayloadKind) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	b, err := w.e.o.Store.Payload(ctx, w.work.Job.ID, k)
	if err != nil {
		return nil
	}
	return b
}

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
		w.record(ctx, i, f)
		if w.lost || w.work.Job.Files[i].State != FileSaved {
			return
		}
	}
}

// errNowhere is about bytes that came in the answer itself and went to the disk.
var errNowhere = errors.New("the bytes came in the gateway's answer and were kept in the file alone: they can not be fetched again")

// reachable reports whether an asset's bytes can be had from somewhere.
func reachable(a client.Asset) bool { return a.URL != "" || a.Content || len(a.Inline) > 0 }

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
func (w *worker) record(ctx context.Context, i int, f File) {
	now := w.e.now()
	c := change(&w.work)
	c.Job.Files[i] = f
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

// fetchFailed decides what becomes of a file that could not be saved.
func (w *worker) fetchFailed(ctx context.Context, i int, err error) {
	now := w.e.now()
	fault := SaveTemporary
	if se, ok := errors.AsType[*SaveError](err); ok {
		fault = se.Fault
	}
	var asked time.Duration
	if fault == SaveExpired && w.retries < maxFresh && w.work.Job.TaskID != "" {
		fresh, unsaid := w.refresh(ctx)
		switch {
		case fresh:
			w.retries++
			return
		case ctx.Err() != nil:
			w.work.Job.Files[i].State, w.shown = FileWanted, nil
			return // it is asked for next time
		case unsaid != nil:
			fault, asked = SaveTemporary, retryAfter(unsaid)
			err = fmt.Errorf("%w; a fresh address could not be asked for: %w", err, unsaid)
		}
	}
	c := change(&w.work)
	f := &c.Job.Files[i]
	f.State, f.Error = FileWanted, client.CleanLine(err.Error())
	w.retryLater(asked)
	c.Attempts, c.Backoff = w.work.Attempts, w.work.Backoff
	schedule(&c, w.work.Due)
	switch {
	case fault == SaveNoSpace:
		schedule(&c, now.Add(noSpaceWait))
		c.Attempts, c.Backoff = 0, 0 // space may come back at any time
		c.Job.Note = noteNoSpace + f.Error
	case fault == SaveTemporary && c.Attempts >= maxFetches && now.Sub(c.Job.EndedAt) < laterFor:
		schedule(&c, now.Add(min(laterFirst<<min(c.Attempts-maxFetches, 8), laterMost)))
		c.Job.Note = noteLater + f.Error
	case fault == SavePermanent || fault == SaveExpired || c.Attempts >= maxFetches:
		f.State = FileFailed
		c.Attempts, c.Backoff = 0, 0
		schedule(&c, time.Time{})
		if filesPending(c.Job.Files) {
			schedule(&c, now)
		}
	}
	if fault != SaveNoSpace && isDiskNote(c.Job.Note) || isLaterNote(c.Job.Note) && f.State == FileFailed {
		c.Job.Note = ""
	}
	c.Job.UpdatedAt = now
	if w.work.Job.Files[i].Error != f.Error || f.State == FileFailed {
		c.Events = []Event{fileEvent(now, *f)}
	}
	w.commitSoft(ctx, c)
}

// refresh queries the task for fresh addresses; true when the files are to be tried again.
// An error is why the gateway did not say whether there are some.
func (w *worker) refresh(ctx context.Context) (fresh bool, unsaid error) {
	t, err := w.ask(ctx, w.work.Job.QueryFormat, w.work.Job.TaskID)
	if api, ok := errors.AsType[*client.APIError](err); ok && client.Missing(err) && api.HTTPStatus >= 300 {
		return false, nil // a web page would be no word of a task
	}
	if err != nil || t.Status != client.StatusCompleted || len(t.Assets) == 0 {
		return false, err
	}
	c := change(&w.work)
	c.Job.Polls++
	c.Job.Assets = t.Assets
	for i := range c.Job.Files {
		if c.Job.Files[i].State == FileFetching {
			c.Job.Files[i].State = FileWanted
		}
	}
	if len(t.Raw) > 0 {
		c.Payloads = []Payload{{Kind: PayloadAnswer, Body: Elide(t.Raw)}}
	}
	schedule(&c, w.e.now())
	w.commitSoft(ctx, c)
	return true, nil
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
