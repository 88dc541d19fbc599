package jobs

import (
	"context"
	"errors"
	"strconv"
	"time"

	"darkroom/client"
)

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

// errNowhere is about bytes that came in the answer itself and went to the disk.
var errNowhere = errors.New("the bytes came in the gateway's answer and were kept in the file alone: they can not be fetched again")

// reachable reports whether an asset's bytes can be had from somewhere.
func reachable(a client.Asset) bool { return a.URL != "" || a.Content || len(a.Inline) > 0 }
