package lookup

import (
	"cmp"
	"context"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// Again asks once more about what was looked up: on the route that knew it, or on all that are
// asked about an id if none did (""). The history is not read again.
func (d *Desk) Again(ctx context.Context, r Result, route string) Result {
	next := Result{Subject: r.Subject, Asked: r.Asked, Err: r.Err}
	next.Findings.Job, next.Findings.Kind = r.Findings.Job, r.Findings.Kind
	if r.Err != nil {
		return next
	}
	one := *d
	if route != "" {
		one.Only = []string{route}
	}
	one.ask(ctx, &next, &tally{n: map[string]int{}})
	return next
}

// Observation returns what the history keeps of a task that it takes in, from what was found under
// an id; ok is false if no route knows the id. What is not known of the request is left empty: it
// is never sent.
func Observation(f *inspect.Findings, id string, c *catalog.Catalog, now time.Time) (o jobs.Observation, ok bool) {
	i := f.Best()
	if i < 0 {
		return o, false
	}
	res := &f.Routes[i].Result
	t := *res.Task
	t.Format = res.Format
	if t.Meta.Path == "" {
		t.Meta = res.Meta
	}
	o = jobs.Observation{TaskID: id, Task: t, Began: now.Add(-t.Meta.Latency)}
	o.Draft.Model = text.Cap(client.CleanLine(cmp.Or(t.Model, said(f, inspect.KeyModel))), maxModel)
	o.Draft.Modality = modality(c, o.Draft.Model, &t)
	return o, true
}

// maxModel bounds what is kept of a model's name, in bytes.
const maxModel = 200

func said(f *inspect.Findings, k inspect.Key) string {
	for _, x := range f.Facts() {
		if x.Key == k {
			return x.Said[0].Text
		}
	}
	return ""
}

// modality returns what a task makes: by its model, else by its result, else by its route.
func modality(c *catalog.Catalog, model string, t *client.Task) client.Modality {
	if m, ok := c.Model(model); ok {
		return m.Modality
	}
	for _, a := range t.Assets {
		switch a.Kind {
		case client.AssetVideo:
			return client.Video
		case client.AssetImage:
			return client.Image
		case client.AssetAudio:
			return client.Music
		}
	}
	if f, ok := c.Format(t.Format); ok && len(f.Modalities) > 0 {
		return f.Modalities[0]
	}
	return client.Video
}
