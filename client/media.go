package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"darkroom/client/secret"
	"darkroom/client/text"
	"darkroom/client/transport"
)

// Media is the content of an asset, ready to be read. The caller closes Body.
type Media struct {
	Body io.ReadCloser
	// From is the offset at which Body begins. It is 0 when the server sent the whole although a
	// later part was asked for (some announce ranges and ignore them, and a changed file starts
	// again).
	From int64
	// Total is the length of the whole in bytes, -1 when unknown.
	Total int64
	ETag  string
	// Modified is the Last-Modified date as the server wrote it, where it is a strong validator: a
	// minute or more before the answer's own date (RFC 9110, 8.8.2.2). Otherwise "".
	Modified  string
	MediaType string // without parameters, "" when the server named none
	FinalURL  string // after redirects, query values of other hosts elided
	// Quote returns what an error may quote from the beginning of a body that turns out not to be
	// media: the gateway's words without the key. It is nil where nothing may be quoted, since
	// another host sent the body.
	Quote func(head []byte) []byte
}

// OpenError says that an asset could not be read, and that no answer explains why.
type OpenError struct {
	URL string // the last one that was asked, as Media.FinalURL has it
	Err error
}

// Error implements error.
func (e *OpenError) Error() string { return "GET " + e.URL + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// Open begins to read an asset of a task at byte from. With from above 0 and a strong validator
// (Media.ETag with its quotes, or Media.Modified), the server is asked to send the whole when the
// file has changed.
//
// The bytes come from the answer itself, from the asset's URL, or from the format's content path
// (GATEWAY: GET /v1/videos/{id}/content). The key goes to that path of the task, and to no other
// address that an answer or a row of the history names, whether it is of the gateway's own origin
// or not. Redirects are followed to http and https only, five at most, and a request that went on
// without the key stays without it, even back to the gateway: nobody else may choose what is asked
// in the key's name. A refusal is an *APIError, a failure that no retry can mend a
// *transport.UnfetchableError or, where there is no address, a *NoContentError.
func (c *Client) Open(ctx context.Context, format, id string, a Asset, from int64, validator string) (*Media, error) {
	if len(a.Inline) > 0 {
		return inlineMedia(a, from), nil
	}
	u, err := c.assetURL(format, id, a)
	if err != nil {
		return nil, err
	}
	via := c.link.Plain
	if c.documented(u, format, id) {
		via = c.link.Gateway
	}
	for hop := 0; ; hop++ {
		if !c.link.Owns(u) {
			via = c.link.Plain
		}
		ctx, a := transport.Begin(transport.Yielding(ctx), transport.Limits{Stall: c.opts.Timeout})
		resp, err := c.ask(ctx, via, u, from, validator)
		if err != nil {
			return nil, &OpenError{c.link.Shown(u), transport.UnwrapURL(err)}
		}
		next, ok := redirect(resp)
		if !ok {
			return c.media(resp, a, u, from, via == c.link.Gateway)
		}
		transport.Drain(resp)
		if hop >= maxRedirects {
			return nil, &OpenError{c.link.Shown(u), fmt.Errorf("more than %d redirects", maxRedirects)}
		}
		u = next
	}
}

func inlineMedia(a Asset, from int64) *Media {
	if from < 0 || from > int64(len(a.Inline)) {
		from = 0
	}
	return &Media{
		Body: io.NopCloser(bytes.NewReader(a.Inline[from:])), From: from,
		Total: int64(len(a.Inline)), MediaType: a.MediaType, Quote: func(head []byte) []byte { return head },
	}
}

func (c *Client) assetURL(format, id string, a Asset) (*url.URL, error) {
	if a.URL != "" && !a.Content {
		if strings.HasPrefix(a.URL, "/") {
			u, err := c.link.Resolve(a.URL)
			if err != nil {
				return nil, &transport.UnfetchableError{Why: err.Error()}
			}
			return u, nil
		}
		u, err := url.Parse(a.URL)
		if err != nil || !webURL(u) || u.User != nil {
			return nil, &transport.UnfetchableError{Why: "the result's address is not an http or https URL with a host, and without a name and password"}
		}
		u.Fragment = ""
		return u, nil
	}
	f, err := c.format(format)
	if err != nil {
		return nil, err
	}
	req, ok := c.paths.content(f, id)
	if !ok {
		return nil, &NoContentError{f.Label()}
	}
	return c.link.Resolve(req.Path)
}

// NoContentError says that a format has no content path to get a result from.
type NoContentError struct{ Format string }

// Error implements error.
func (e *NoContentError) Error() string {
	return e.Format + ": the answer has no URL and the format has no content path"
}

// documented reports whether an address is the content path of the given task: the key may go
// there, however the address came here.
func (c *Client) documented(u *url.URL, format, id string) bool {
	f, ok := c.byName[format]
	if !ok || id == "" || !c.link.Owns(u) {
		return false
	}
	req, ok := f.Content(id)
	if !ok {
		return false
	}
	own, err := c.link.Resolve(req.Path)
	return err == nil && u.EscapedPath() == own.EscapedPath()
}

// ask sends one GET.
func (c *Client) ask(ctx context.Context, via *http.Client, u *url.URL, from int64, validator string) (*http.Response, error) {
	r, err := c.link.Request(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Accept-Encoding", "identity") // lengths and ranges are those of the file
	if from > 0 {
		r.Header.Set("Range", "bytes="+strconv.FormatInt(from, 10)+"-")
		if strongValidator(validator) {
			r.Header.Set("If-Range", validator)
		}
	}
	return via.Do(r)
}

// media judges the last answer.
func (c *Client) media(resp *http.Response, a *transport.Attempt, u *url.URL, from int64, keyed bool) (*Media, error) {
	mt, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		mt = ""
	}
	m := &Media{
		Body: resp.Body, Total: resp.ContentLength, MediaType: mt,
		ETag: resp.Header.Get("ETag"), Modified: strongDate(resp.Header), FinalURL: c.link.Shown(u),
	}
	own := c.link.Owns(u)
	if own {
		m.Quote = func(head []byte) []byte { return secret.Hide(head, a.Key()) }
	}
	switch {
	case resp.StatusCode == http.StatusPartialContent:
		m.From, m.Total, err = contentRange(resp.Header.Get("Content-Range"), resp.ContentLength)
		if err == nil && m.From != from {
			err = fmt.Errorf("asked for bytes from %d, got them from %d", from, m.From)
		}
	case resp.StatusCode != http.StatusOK:
		return nil, c.mediaRefused(resp, a, u, keyed)
	case mt == "text/html" || mt == "application/json" || mt == "application/xhtml+xml":
		e := c.mediaRefused(resp, a, u, keyed)
		if own {
			e.Message = "the server sent " + mt + " instead of media: " + e.Message
		}
		return nil, e
	}
	if enc := resp.Header.Get("Content-Encoding"); err == nil && enc != "" && enc != "identity" {
		err = &transport.UnfetchableError{Why: fmt.Sprintf("the media came packed as %q, and is not unpacked", CleanLine(text.Cap(enc, 40)))}
	}
	if err != nil {
		_ = resp.Body.Close()
		return nil, &OpenError{m.FinalURL, err}
	}
	return m, nil
}

func (c *Client) mediaRefused(resp *http.Response, a *transport.Attempt, u *url.URL, keyed bool) *APIError {
	body, _ := transport.ReadBody(resp, maxErrBody)
	_ = resp.Body.Close()
	r := Response{StatusCode: resp.StatusCode, Header: resp.Header, Body: secret.Hide(body, a.Key())}
	e := ParseError(r, http.MethodGet, c.link.Shown(u), c.opts.Now())
	if e.Keyless = !keyed; c.link.Owns(u) {
		return e
	}
	// Another host's words are not repeated: somebody may have used us to read them.
	return &APIError{HTTPStatus: e.HTTPStatus, Message: elsewhereSaid(r), RetryAfter: e.RetryAfter, Method: e.Method, Path: e.Path, Keyless: true}
}

// elsewhereSaid describes another host's answer in place of media, without quoting it: how much
// came, and whether it speaks of an expired address.
func elsewhereSaid(r Response) string {
	mt, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		mt = "something"
	}
	said := fmt.Sprintf("the host sent %s (%d bytes) instead of media", CleanLine(text.Cap(mt, 60)), len(r.Body))
	if len(r.Body) == 0 {
		said = "the host sent no media"
	}
	if bytes.Contains(bytes.ToLower(r.Body), []byte("expired")) {
		said += ", and says that the address has expired"
	}
	return said
}

// strongValidator reports a strong entity tag, or a date.
func strongValidator(v string) bool {
	if strings.HasPrefix(v, `"`) {
		return true
	}
	_, err := http.ParseTime(v)
	return err == nil
}

// strongDate is the Last-Modified date where it cannot hide a second change, else "".
func strongDate(h http.Header) string {
	v := h.Get("Last-Modified")
	modified, err := http.ParseTime(v)
	if err != nil {
		return ""
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || date.Sub(modified) < time.Minute {
		return ""
	}
	return v
}

// contentRange reads "bytes 5-9/10"; a total of "*" is -1. The range must have the length of the
// body, unless that is unknown (-1).
func contentRange(v string, length int64) (from, total int64, err error) {
	bad := fmt.Errorf("the part that came is not described: Content-Range %q", CleanLine(v))
	unit, rest, ok := strings.Cut(strings.TrimSpace(v), " ")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return 0, 0, bad
	}
	span, size, ok := strings.Cut(rest, "/")
	first, end, ok2 := strings.Cut(span, "-")
	if !ok || !ok2 {
		return 0, 0, bad
	}
	if from, err = strconv.ParseInt(first, 10, 64); err != nil || from < 0 {
		return 0, 0, bad
	}
	last, err := strconv.ParseInt(end, 10, 64)
	if err != nil || last < from || length >= 0 && last-from+1 != length {
		return 0, 0, fmt.Errorf("the part that came has %d bytes, and is described as Content-Range %q", length, CleanLine(v))
	}
	if size == "*" {
		return from, -1, nil
	}
	if total, err = strconv.ParseInt(size, 10, 64); err != nil || total <= last {
		return 0, 0, bad
	}
	return from, total, nil
}
