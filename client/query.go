package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"darkroom/client/transport"
)

// IDGuesser is optional for formats: it says how likely an id is one of theirs.
type IDGuesser interface {
	// LikelyID is from 0 (nothing speaks for it) to 100 (certain), by the id's shape alone.
	LikelyID(id string) int
}

// LargeAnswerer is optional for formats whose query answers can carry media: they get the cap of
// creates instead of [QueryMaxBody].
type LargeAnswerer interface{ LargeAnswers() bool }

// RouteResult is what one query route said about an id.
type RouteResult struct {
	Format string `json:"format"`
	Label  string `json:"label"`
	Path   string `json:"path"` // method and path
	Task   *Task  `json:"task,omitempty"`
	Err    error  `json:"-"`
	Meta   Meta   `json:"meta,omitzero"`
	// Raw is the body as it came, also of an error answer and of one that was not understood; nil
	// when there was none.
	Raw []byte `json:"-"`
}

// Query asks a format's query path about a task, once (a GET may be repeated quickly after a reset
// connection or a 502, 503, 504). A refusal is an *APIError, an answer about another task an
// *OtherTaskError; with any error the task has only Raw and Meta.
func (c *Client) Query(ctx context.Context, format, id string) (Task, error) {
	f, err := c.format(format)
	if err != nil {
		return Task{}, err
	}
	t, _, err := c.query(ctx, f, id)
	return t, err
}

func (c *Client) query(ctx context.Context, f Format, id string) (Task, Meta, error) {
	if id == "" {
		return Task{}, Meta{}, errors.New("a task id is required")
	}
	req := c.paths.query(f, id)
	if req.Path == "" {
		return Task{}, Meta{}, fmt.Errorf("%s: %w", f.Label(), errNoQuery)
	}
	limit := min(int64(QueryMaxBody), c.opts.MaxBody)
	if l, ok := f.(LargeAnswerer); ok && l.LargeAnswers() {
		limit = c.opts.MaxBody
	}
	ans, err := c.get(ctx, req, limit)
	if err != nil {
		return Task{}, ans.meta, err
	}
	t, err := decoded(f.DecodeQuery, ans.Response)
	if err != nil {
		return Task{Raw: ans.Body, Meta: ans.meta}, ans.meta, fmt.Errorf("%s: HTTP %d, but the answer was not understood: %w", pathOf(req), ans.StatusCode, err)
	}
	if err := about(ctx, &t, id, ans.meta); err != nil {
		return Task{Raw: ans.Body, Meta: ans.meta}, ans.meta, err
	}
	if t.ID != id { // the id that was asked for is the one that works
		if t.ID != "" && !slices.Contains(t.AltIDs, t.ID) {
			t.AltIDs = append([]string{t.ID}, t.AltIDs...)
		}
		t.AltIDs = slices.DeleteFunc(t.AltIDs, func(s string) bool { return s == id })
		t.ID = id
	}
	return c.finish(t, f, ans, ""), ans.meta, nil
}

// Lookup asks the query routes of the given formats, or of all, concurrently. The results are in
// the order of formats, or in that of [Client.Guess]. A hold that is about one task alone does not
// stop the others, see [transport.Looking]; [Client.Hold] tells of one that does.
func (c *Client) Lookup(ctx context.Context, id string, formats ...string) []RouteResult {
	if len(formats) == 0 {
		formats = c.Guess(id)
	}
	ctx = transport.Looking(ctx, id)
	out := make([]RouteResult, len(formats))
	var wg sync.WaitGroup
	for i, name := range formats {
		f, err := c.format(name)
		if err != nil {
			out[i] = RouteResult{Format: name, Label: name, Err: err}
			continue
		}
		wg.Go(func() {
			out[i] = RouteResult{Format: name, Label: f.Label(), Path: pathOf(c.paths.query(f, id))}
			t, meta, err := c.query(ctx, f, id)
			out[i].Meta, out[i].Err, out[i].Raw = meta, err, t.Raw
			if api, ok := errors.AsType[*APIError](err); ok {
				out[i].Raw = api.Body
			}
			if err == nil {
				c.absolute(t.Assets) // to be looked at now, not kept
				out[i].Task = &t
			}
		})
	}
	wg.Wait()
	return out
}

// Guess orders all formats that can be queried by how likely the id is theirs, judged by its shape;
// equal ones keep the order of the options.
func (c *Client) Guess(id string) []string {
	type guess struct {
		name   string
		likely int
	}
	var all []guess
	for _, f := range c.formats {
		if _, r := f.(Reserved); r || f.Query("x").Path == "" {
			continue // asked by name only
		}
		g := guess{name: f.Name()}
		if l, ok := f.(IDGuesser); ok {
			g.likely = l.LikelyID(id)
		}
		all = append(all, g)
	}
	slices.SortStableFunc(all, func(a, b guess) int { return cmp.Compare(b.likely, a.likely) })
	out := make([]string, len(all))
	for i, g := range all {
		out[i] = g.name
	}
	return out
}
