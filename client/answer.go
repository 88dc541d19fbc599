package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"darkroom/client/secret"
	"darkroom/client/transport"
)

const maxRedirects = 5

// get sends a GET to the gateway, follows redirects inside the gateway's own origin
// only, and returns the whole 2xx answer; any other status is an *APIError.
func (c *Client) get(ctx context.Context, req Request, limit int64) (answer, error) {
	u, err := c.link.Resolve(req.Path)
	if err != nil {
		return answer{}, err
	}
	ctx, a := transport.BeginQuery(ctx, c.opts.Timeout)
	defer a.End() // the answer is read by then
	for hop := 0; ; hop++ {
		// Straight to the chain: redirects are followed here, and there are no cookies.
		resp, err := c.link.Gateway.Transport.RoundTrip(c.link.Query(ctx, u))
		if err != nil {
			return answer{}, fmt.Errorf("%s: %w", pathOf(req), transport.UnwrapURL(err))
		}
		if next, ok := redirect(resp); ok && hop < maxRedirects && c.link.Owns(next) {
			transport.Drain(resp)
			u = next
			continue
		}
		ans, err := c.read(resp, a, pathOf(req), limit)
		if err != nil {
			return ans, fmt.Errorf("%s: %w", pathOf(req), err)
		}
		return ans, c.refused(ans, req)
	}
}

// redirect returns the target of a redirecting answer.
func redirect(resp *http.Response) (*url.URL, bool) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	u, err := resp.Location()
	if err != nil || !webURL(u) {
		return nil, false
	}
	u.User, u.Fragment = nil, ""
	return u, true
}

func webURL(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// refused turns an answer that is not a success into an error: any status but 2xx, and a web page
// in place of JSON.
func (c *Client) refused(ans answer, req Request) error {
	switch {
	case ans.StatusCode >= 300 && ans.StatusCode < 400:
		e := ParseError(ans.Response, req.Method, req.Path, c.opts.Now())
		e.Message = "the gateway redirects to " + location(ans.Header) + ", which is not followed: check the base URL"
		return e
	case ans.StatusCode < 200 || ans.StatusCode >= 300:
		return ParseError(ans.Response, req.Method, req.Path, c.opts.Now())
	case IsWebPage(ans.Response):
		e := ParseError(ans.Response, req.Method, req.Path, c.opts.Now())
		what := "a web page"
		if p, ok := ReadPage(ans.Body); ok && p.Title != "" {
			what += " titled “" + p.Title + "”"
		}
		e.Message = "the gateway answered with " + what + " instead of JSON: check the base URL and the path"
		if req.Method == http.MethodPost { // it may have been accepted: nobody knows what stands behind a page
			e.Message = "the gateway answered with " + what + " instead of JSON: most likely it has no such path, and nothing was made; " +
				"`darkroom gateway probe` tells which paths it has, and a dialect names others"
		}
		return e
	default:
		return nil
	}
}

func location(h http.Header) string {
	u, err := url.Parse(h.Get("Location"))
	if err != nil || h.Get("Location") == "" {
		return "an unnamed place"
	}
	return CleanLine(secret.RedactURL(u, false))
}

var errNoQuery = errors.New("this format has no query path")

// answer is one whole exchange.
type answer struct {
	Response
	meta Meta
}

// read reads a response whole, closes it, and returns it with what the exchange recorded.
func (c *Client) read(resp *http.Response, a *transport.Attempt, path string, limit int64) (answer, error) {
	body, err := transport.ReadBody(resp, limit)
	if cerr := resp.Body.Close(); err == nil && cerr != nil {
		err = cerr
	}
	now := c.opts.Now()
	out := answer{
		Response: Response{StatusCode: resp.StatusCode, Header: resp.Header, Body: secret.Hide(body, a.Key())},
		meta: Meta{
			HTTPStatus: resp.StatusCode, RequestID: transport.RequestID(resp.Header),
			Path: path, At: now, Latency: a.Since(now),
		},
	}
	return out, err
}

// pathOf is a method and path as errors and Meta show it: no host, no key.
func pathOf(r Request) string { return r.Method + " " + r.Path }
