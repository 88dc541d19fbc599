package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"darkroom/client/places"
	"darkroom/client/text"
	"darkroom/client/transport"
)

// Create sends a draft through a format and reads the gateway's answer. It sends at most one
// request that the gateway may have accepted: a failure is always a *CreateError, whose Outcome
// says whether sending again is safe. Create itself sends nothing again, not even after a 429.
//
// "file://" values are read now and become data URIs.
func (c *Client) Create(ctx context.Context, d Draft, format string) (Task, error) {
	if err := c.ReadOnly(); err != nil { // before files are read
		return Task{}, &CreateError{Outcome: OutcomeNotSent, Err: err}
	}
	f, req, err := c.encode(ctx, d, format, inlineFiles)
	if err == nil && !c.insists(ctx) {
		err = reserved(f)
	}
	if err != nil {
		return Task{}, &CreateError{Outcome: OutcomeNotSent, Err: err}
	}
	if int64(len(req.Body)) > c.opts.MaxBody {
		return Task{}, &CreateError{Outcome: OutcomeNotSent, Err: fmt.Errorf(
			"the request would be %d MiB, the limit is %d MiB: use smaller files or URLs", len(req.Body)>>20, c.opts.MaxBody>>20)}
	}
	ans, err := c.post(ctx, req, f.Synchronous())
	if err != nil {
		return Task{}, err
	}
	t, err := decoded(f.DecodeCreate, ans.Response)
	switch {
	case err != nil:
	case t.ID == "" && !t.Status.Terminal():
		err = errors.New("it holds neither a task id nor a result")
	case t.ID != "" && !PlausibleID(t.ID):
		err = fmt.Errorf("%q is not a task id", CleanLine(text.Cap(t.ID, maxTerm)))
	case len(t.ID) > maxTaskID:
		err = fmt.Errorf("its task id has %d bytes, no path carries more than %d", len(t.ID), maxTaskID)
	}
	if err != nil {
		return Task{}, &CreateError{
			Outcome: OutcomeAmbiguous, Meta: ans.meta, Raw: ans.Body,
			Err: fmt.Errorf("%s: HTTP %d, but the answer was not understood: %w", pathOf(req), ans.StatusCode, err),
		}
	}
	return c.finish(t, f, ans, d.Model), nil
}

// decoded reads an answer with a codec. A codec that panics counts as one that does not understand
// the answer: it returns an error, the body is kept, and the program goes on.
func decoded(decode func(Response) (Task, error), r Response) (t Task, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, err = Task{}, fmt.Errorf("internal error: %v", p)
		}
	}()
	return decode(r)
}

// finish fills in what the client knows better than a codec, and gives the model its catalog name;
// sent is the model that was asked for, "" where that is not known.
func (c *Client) finish(t Task, f Format, ans answer, sent string) Task {
	if t.Model = c.opts.Dialect.catalogModel(t.Model, sent); t.Model == "" {
		t.Model = sent
	}
	if t.Format == "" {
		t.Format = f.Name()
	}
	if t.Status == "" {
		t.Status = StatusUnknown
	}
	t.Raw, t.Meta = ans.Body, ans.meta
	if t.Meta.RequestID == "" {
		t.Meta.RequestID = requestIDIn(ans.Body)
	}
	bound(&t)
	for i := range t.Assets {
		t.Assets[i].URL = c.assetAddress(t.Assets[i].URL)
	}
	return t
}

// Bounds of a task's own texts, in bytes: far above what any gateway sends, and low enough for a
// list to hold many. Raw has them whole.
const (
	maxTaskID = 4 << 10
	maxTerm   = 256
	maxTitle  = 1 << 10
	maxLyrics = 64 << 10
)

// bound cuts texts of an answer that are too long, and drops ids that no path can carry.
func bound(t *Task) {
	t.RawStatus, t.Model = text.Cap(t.RawStatus, maxTerm), text.Cap(t.Model, maxTerm)
	t.Title, t.Lyrics = text.Cap(t.Title, maxTitle), text.Cap(t.Lyrics, maxLyrics)
	t.AltIDs = slices.DeleteFunc(t.AltIDs, func(id string) bool { return len(id) > maxTaskID })
	if t.Error != nil {
		e := boundError(*t.Error)
		t.Error = &e
	}
	for i := range t.Assets {
		t.Assets[i].Title = text.Cap(t.Assets[i].Title, maxTitle)
		t.Assets[i].MediaType = text.Cap(t.Assets[i].MediaType, maxTerm)
	}
}

func boundError(e TaskError) TaskError {
	return TaskError{
		Code: text.Cap(e.Code, maxTerm), Type: text.Cap(e.Type, maxTerm), Param: text.Cap(e.Param, maxTerm),
		Message: text.Cap(e.Message, maxMessage),
	}
}

// encodeCreate makes the create request of a draft and puts its raw additions in their places.
func encodeCreate(f Format, d Draft) (Request, []Dropped, error) {
	if d.Cut {
		return Request{}, nil, ErrCut
	}
	members, deep, err := places.Split(d.Extra)
	if err != nil {
		return Request{}, nil, err
	}
	d.Extra = members
	req, dropped, err := f.EncodeCreate(d)
	if err != nil {
		return Request{}, nil, err
	}
	if req.Body, err = places.PutAll(req.Body, deep); err != nil {
		return Request{}, nil, err
	}
	return req, dropped, nil
}

// encode makes the request of a draft; files says what becomes of "file://" values.
func (c *Client) encode(ctx context.Context, d Draft, format string, files fileMode) (Format, Request, error) {
	f, err := c.format(format)
	if err != nil {
		return nil, Request{}, err
	}
	d, err = mapFiles(ctx, d, files)
	if err != nil {
		return nil, Request{}, err
	}
	out, err := c.request(f, d)
	return f, out.Request, err
}

// outgoing is the request of a draft, in the gateway's own words.
type outgoing struct {
	Request
	dropped []Dropped
	// configured says that the interface does not show the path.
	configured bool
}

// request makes the request of a draft. Only here is a dialect applied to what is sent.
func (c *Client) request(f Format, d Draft) (outgoing, error) {
	d, omitted := c.opts.Dialect.omit(c.named(d, f.Name()))
	req, dropped, err := encodeCreate(f, d)
	if err != nil {
		return outgoing{}, err
	}
	if req.Body, err = c.opts.Dialect.body(f, d, req.Body); err != nil {
		return outgoing{}, err
	}
	req, configured, err := c.paths.create(f, d.Model, req)
	return outgoing{req, append(dropped, omitted...), configured}, err
}

// named gives the draft the wire names that its model wants.
func (c *Client) named(d Draft, format string) Draft {
	if c.opts.WireNames != nil {
		d.Wire = c.opts.WireNames(d.Model, format)
	}
	d.Wire = c.opts.Dialect.wireNames(format, d.Wire)
	return d
}

// post does the one exchange of a create and judges how it ended.
func (c *Client) post(ctx context.Context, req Request, long bool) (answer, error) {
	u, err := c.link.Resolve(req.Path)
	if err != nil {
		return answer{}, &CreateError{Outcome: OutcomeNotSent, Err: err}
	}
	limits := transport.Limits{Total: c.opts.Timeout}
	if long {
		limits.Total = c.opts.SyncTimeout
	}
	ctx, a := transport.Begin(ctx, limits)
	r, err := c.link.Request(ctx, req.Method, u, req.Body)
	if err != nil {
		return answer{}, &CreateError{Outcome: OutcomeNotSent, Err: err}
	}
	resp, err := c.link.Creates.Do(r)
	if err != nil {
		out := OutcomeAmbiguous
		if transport.NotSent(err) {
			out = OutcomeNotSent
		}
		return answer{}, &CreateError{
			Outcome: out, Err: fmt.Errorf("%s: %w", pathOf(req), transport.UnwrapURL(err)),
			Meta: Meta{Path: pathOf(req), At: c.opts.Now(), Latency: a.Since(c.opts.Now())},
		}
	}
	ans, err := c.read(resp, a, pathOf(req), c.opts.MaxBody)
	if api := c.refused(ans, req); api != nil {
		return ans, &CreateError{Outcome: outcome(ans.StatusCode), Err: api, Meta: ans.meta, Raw: ans.Body}
	}
	if err != nil {
		return ans, &CreateError{
			Outcome: OutcomeAmbiguous, Meta: ans.meta, Raw: ans.Body,
			Err: fmt.Errorf("%s: HTTP %d, but the answer could not be read: %w", pathOf(req), ans.StatusCode, err),
		}
	}
	return ans, nil
}

// outcome judges a create by the status of an answer that is not a task.
func outcome(status int) Outcome {
	switch {
	case status == http.StatusRequestTimeout || status == http.StatusConflict:
		return OutcomeAmbiguous
	case status >= 300 && status < 500:
		return OutcomeRefused
	default: // 5xx, and a 2xx that is a web page
		return OutcomeAmbiguous
	}
}

// assetAddress is the address by which a task names an asset: absolute, unless the gateway's own
// address moves.
func (c *Client) assetAddress(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || raw == "" {
		return raw
	}
	relative := raw[0] == '/'
	if relative {
		if u, err = c.link.Resolve(raw); err != nil {
			return raw
		}
	}
	switch {
	case c.opts.Moving && c.base.Path == "" && c.link.Owns(u):
		return u.RequestURI()
	case relative:
		return u.String()
	default:
		return raw
	}
}

// absolute gives assets addresses that are valid now.
func (c *Client) absolute(assets []Asset) {
	for i, a := range assets {
		if u, err := c.link.Resolve(a.URL); err == nil {
			assets[i].URL = u.String()
		}
	}
}
