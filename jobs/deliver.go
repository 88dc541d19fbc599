package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"darkroom/client"
	"darkroom/jobs/delivered"
	"darkroom/jobs/elide"
)

// FileRequest asks for one asset of a job to be saved.
type FileRequest struct {
	Job   Job
	Index int          // of the asset, and of the file
	Asset client.Asset // with Inline when the answer carried the bytes
	// Request and Answer are bodies for the sidecar file; base64 in them is elided.
	Request, Answer []byte
	// Tried, if not nil, is called after each place that was asked for the bytes, with the reason
	// they did not come. From is a path of the gateway, or a host and a path, without a query.
	// Save calls it in its own goroutine.
	Tried func(from string, err error)
}

// Saver brings assets to the disk; jobs/download has the one that the console uses.
// Save returns the file as it lies there (State FileSaved), or a *SaveError. It reports
// progress as often as it likes; the engine thins it out. A cancelled Save leaves what it
// has for the next one to go on with.
type Saver interface {
	Save(ctx context.Context, r FileRequest, progress func(done, total int64)) (File, error)
}

// SaveFault says what to do about a file that could not be saved.
type SaveFault string

// Faults of a save.
const (
	SaveTemporary SaveFault = "temporary" // worth trying again
	SaveExpired   SaveFault = "expired"   // an error or a page came: the address may be gone, and a fresh one is asked for
	SaveNoSpace   SaveFault = "no_space"  // the disk is full
	SavePermanent SaveFault = "permanent" // what came is not the asset
)

// SaveError is a failed save; its text names the cause and is cleaned.
type SaveError struct {
	Fault SaveFault
	Err   error
}

// Error implements error.
func (e *SaveError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *SaveError) Unwrap() error { return e.Err }

// inlineKind is the payload under which the bytes of an asset wait for a disk.
func inlineKind(index int) PayloadKind {
	return PayloadInline + PayloadKind(":"+strconv.Itoa(index))
}

// completed plans the files of a job that has just completed. Bytes carried by the answer go to
// the disk before the end is recorded; if the disk does not take them they wait in the history,
// since nobody can ask for them again.
func (w *worker) completed(ctx context.Context, c *Change) {
	want := w.e.o.AutoDownload && w.e.o.Saver != nil
	w.e.plans.Completed(kindOf(&c.Job))
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
	plan(c, time.Time{})
	if pending {
		plan(c, w.e.now())
		w.unfetched = true
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
			w.measure(ctx, &c.Job, saved, newest(c, PayloadAnswer))
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

// errNowhere: the bytes came in the answer itself, and have gone to the disk.
var errNowhere = errors.New("the bytes came in the gateway's answer and were kept in the file alone: they cannot be fetched again")

// reachable reports whether an asset's bytes can be had from somewhere.
func reachable(a client.Asset) bool { return a.URL != "" || a.Content || len(a.Inline) > 0 }

// Delivery is what it takes to compare the result with the request; see [Job.Warnings].
type Delivery struct {
	// Mapped returns the durations, in seconds, to which the gateway maps all others for a draft;
	// nil if it maps none.
	Mapped func(d client.Draft) []float64
	// Measure reads what a saved file says about itself; nil measures nothing.
	Measure func(ctx context.Context, path string) (delivered.File, error)
}

// wish is what a job asks for. Its draft has to be whole.
func (d *Delivery) wish(j *Job) delivered.Wish {
	w := delivered.Wish{Draft: j.Draft}
	if d.Mapped != nil {
		w.Mapped = d.Mapped(j.Draft)
	}
	return w
}

// judge warns where an answer reports something other than what was asked for. A comparison that
// panics costs its warnings, and nothing else of the job.
func (w *worker) judge(j *Job, t client.Task) {
	defer func() { _ = recover() }()
	pictures := -1
	if j.State == Completed || t.Status == client.StatusCompleted {
		pictures = 0
		for _, a := range j.Assets {
			if a.Kind == client.AssetImage {
				pictures++
			}
		}
	}
	body := t.Raw
	if len(body) > 64<<10 { // pictures in it, which tell nothing here
		body = elide.JSON(body)
	}
	j.Warn(delivered.New(j.Warnings, delivered.Answer(w.e.o.Delivery.wish(j), body, pictures))...)
}

// measure warns where a saved file is not what was asked for; answer named it.
func (w *worker) measure(ctx context.Context, j *Job, f File, answer []byte) {
	defer func() { _ = recover() }()
	if w.e.o.Delivery.Measure == nil || f.Path == "" || f.Kind != client.AssetVideo && f.Kind != client.AssetImage {
		return
	}
	got, err := w.e.o.Delivery.Measure(ctx, f.Path)
	if err != nil {
		return // damaged or of no known kind: the preview tells
	}
	texts := delivered.Saved(w.e.o.Delivery.wish(j), got, answer)
	alike := 0
	for _, a := range j.Assets {
		if a.Kind == f.Kind {
			alike++
		}
	}
	for i := range texts {
		if alike > 1 {
			texts[i] += fmt.Sprintf(" (file %d)", f.Index+1)
		}
	}
	j.Warn(delivered.New(j.Warnings, texts)...)
}
