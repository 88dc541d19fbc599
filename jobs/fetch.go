package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// fetch saves the wanted files of one job, one after the other, and records each as soon as it is
// on the disk.
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
		if w.unfetched && len(a.Inline) == 0 && w.work.Job.Seen.FetchBegun.IsZero() {
			w.work.Job.Seen.FetchBegun, w.shown = w.e.now(), nil
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
	now, saved := w.e.now(), w.by()
	c := change(&w.work)
	c.Job.Files[i] = f
	c.Job.Seen.Fetched = saved
	w.measure(ctx, &c.Job, f, answer)
	c.Job.UpdatedAt = now
	c.Events = []Event{fileEvent(now, f)}
	c.Forget = []PayloadKind{inlineKind(f.Index)}
	c.Attempts, c.Backoff = 0, 0
	if !filesPending(c.Job.Files) {
		c.Job.Note = ""
		plan(&c, time.Time{})
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

// Limits of a fetch.
const (
	// maxRefused is how many tries of one job's files may end with an answer that is not the file:
	// a page, 401, 403, 404, 410. At the first and the third of them a fresh address is asked for.
	maxRefused  = 5
	maxFetches  = 8                // may end otherwise, one soon after the other
	laterFirst  = 10 * time.Minute // after maxFetches, and twice as long each time ...
	laterMost   = time.Hour        // ... up to this ...
	laterFor    = 24 * time.Hour   // ... for so long after the task's end
	noSpaceWait = 30 * time.Second // between tries while the disk is full
)

// refusal is what an answer that is not the file adds to the attempts of a fetch; any other
// failure adds 1. The history thus keeps both counts in one number, and neither uses up the
// other's tries.
const refusal = 1 << 16

func triesOf(attempts int) (refused, others int) { return attempts / refusal, attempts % refusal }

// noteNoSpace begins the note of a job whose files wait for space on the disk.
const noteNoSpace = "waiting for space on the disk: "

// noteLater begins the note of a job whose files could not be fetched for a while. Nothing
// waits for them, see [Settled], but they are tried again.
const noteLater = "not saved yet, tried again by itself for a day: "

func isLaterNote(note string) bool { return strings.HasPrefix(note, noteLater) }

func isDiskNote(note string) bool { return strings.HasPrefix(note, noteNoSpace) }

// fetchFailed decides what happens to a file that could not be saved. An answer that is not the
// file may be a passing fault or an expired address: both are retried within a budget, which the
// events show, before the file is given up.
func (w *worker) fetchFailed(ctx context.Context, i int, err error) {
	f := failedFetch{i: i, err: err, fault: SaveTemporary, asked: retryAfter(err)}
	if se, ok := errors.AsType[*SaveError](err); ok {
		f.fault = se.Fault
	}
	c := change(&w.work)
	if f.fault == SaveExpired {
		later := isLaterNote(c.Job.Note)
		refused, _ := triesOf(w.work.Attempts)
		if later {
			refused = 0
		}
		w.gone = w.gone && refused > 0
		if err := w.refresh(ctx, &c, &f, refused); err != nil {
			w.work.Job.Files[i].State, w.shown = FileWanted, nil
			return // the engine ends: it is asked for next time
		}
		if later && f.fault == SaveExpired { // the host is back: its answers are counted anew
			c.Job.Note, w.work.Attempts, w.work.Backoff = "", 0, 0
		}
	}
	w.putOff(&c, f)
	w.commitSoft(ctx, c)
}

// failedFetch is a try that brought no file.
type failedFetch struct {
	i     int // of the file
	err   error
	fault SaveFault
	asked time.Duration // what the answer asked to wait
	fresh bool          // there are fresh addresses in the change
}

// putOff plans the next try, or none.
func (w *worker) putOff(c *Change, t failedFetch) {
	now, f, reason := w.e.now(), &c.Job.Files[t.i], client.CleanLine(t.err.Error())
	before, backoff := f.Error, w.work.Backoff
	w.retryLater(t.asked)
	if t.fault == SaveExpired {
		w.work.Attempts += refusal - 1
	}
	refused, others := triesOf(w.work.Attempts)
	c.Attempts, c.Backoff = w.work.Attempts, w.work.Backoff
	plan(c, w.work.Due)
	f.State, f.Error = FileWanted, reason
	note := ""
	switch {
	case t.fault == SaveNoSpace:
		plan(c, now.Add(noSpaceWait))
		c.Attempts, c.Backoff = 0, 0 // space may come back at any time
		note = noteNoSpace + reason
	case t.fresh:
		plan(c, now)
		c.Backoff = backoff
		f.Error = fmt.Sprintf("try %d of %d, the next at a fresh address: %s", refused+others, maxRefused+others, reason)
	case t.fault == SavePermanent:
		f.State = FileFailed
	case t.fault == SaveExpired:
		f.State, f.Error = tried(reason, refused, maxRefused, others)
	case others < maxFetches:
		_, f.Error = tried(reason, others, maxFetches, refused)
	case now.Sub(c.Job.EndedAt) < laterFor:
		plan(c, now.Add(min(laterFirst<<min(others-maxFetches, 8), laterMost)))
		note = noteLater + reason
	default:
		f.State, f.Error = tried(reason, others, maxFetches, refused)
	}
	if note != "" || isDiskNote(c.Job.Note) || isLaterNote(c.Job.Note) && f.State == FileFailed {
		c.Job.Note = note
	}
	if f.State == FileFailed {
		c.Attempts, c.Backoff = 0, 0
		plan(c, time.Time{})
		if filesPending(c.Job.Files) {
			plan(c, now)
		}
	}
	c.Job.UpdatedAt = now
	if before != f.Error || f.State == FileFailed {
		c.Events = append(c.Events, fileEvent(now, *f))
	}
}

// tried puts the number of the try first, since texts are cut, and gives up after the last one. It
// is the n-th of its kind, of which there are at most most; others are the tries of the other
// kind.
func tried(reason string, n, most, others int) (FileState, string) {
	if n >= most {
		return FileFailed, fmt.Sprintf("given up after %d tries: %s", n+others, reason)
	}
	return FileWanted, fmt.Sprintf("try %d of %d: %s", n+others, most+others, reason)
}

// refresh takes fresh addresses of the task into the change, if after so many refusals it is time
// to ask and the gateway has some. If the gateway did not answer, that becomes the reason why the
// try failed. An error is that of ctx.
func (w *worker) refresh(ctx context.Context, c *Change, f *failedFetch, refused int) error {
	if refused != 0 && refused != 2 || w.gone || w.work.Job.TaskID == "" {
		return nil
	}
	t, err := w.ask(ctx, w.work.Job.QueryFormat, w.work.Job.TaskID)
	switch {
	case ctx.Err() != nil && err != nil:
		return ctx.Err()
	case client.Unknown(err) || err == nil && (t.Status != client.StatusCompleted || len(t.Assets) == 0):
		w.gone = true // it is not asked again
		f.err = fmt.Errorf("%w; the gateway has no fresh address", f.err)
		return nil
	case err != nil:
		f.fault, f.asked = SaveTemporary, retryAfter(err)
		f.err = fmt.Errorf("%w; a fresh address could not be asked for: %w", f.err, err)
		return nil
	}
	f.fresh = true
	c.Job.Polls++
	c.Job.Assets = t.Assets
	for i := range c.Job.Files {
		if c.Job.Files[i].State == FileFetching {
			c.Job.Files[i].State = FileWanted
		}
	}
	if len(t.Raw) > 0 {
		c.Payloads = []Payload{{Kind: PayloadAnswer, Body: bounded(t.Raw, maxKeptBody)}}
	}
	return nil
}
