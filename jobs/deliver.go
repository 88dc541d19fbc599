package jobs

import (
	"context"
	"fmt"

	"darkroom/client"
	"darkroom/jobs/delivered"
)

// Delivery is what the comparison of what was asked for with what came needs to know; see
// [Job.Warnings].
type Delivery struct {
	// Mapped gives the durations, in seconds, to one of which the gateway maps others for a
	// draft; nil for none.
	Mapped func(d client.Draft) []float64
	// Measure reads what a saved file says of itself; nil measures nothing.
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

// judge warns of what an answer reports that is not what was asked for. A comparison that breaks
// costs its warnings, and nothing else of the job.
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
		body = Elide(body)
	}
	j.Warn(delivered.New(j.Warnings, delivered.Answer(w.e.o.Delivery.wish(j), body, pictures))...)
}

// measure warns of what a saved file is that is not what was asked for; answer named it.
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
