package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

const maxRedirects = 5

// get sends a GET to the gateway, follows redirects inside the gateway's own origin
// only, and returns the whole 2xx answer; any other status is an *APIError.
func (c *Client) get(ctx context.Context, req Request, limit int64) (answer, error) {
	u, err := c.resolve(req.Path)
	if err != nil {
		return answer{}, err
	}
	a := &attempt{total: c.opts.Timeout}
	ctx, a.cancel = context.WithCancelCause(withAttempt(ctx, a))
	defer a.cancel(nil) // the answer is read by then
	for hop := 0; ; hop++ {
		// Straight to the chain: redirects are followed here, and there are no cookies.
		resp, err := c.gateway.Transport.RoundTrip(c.newQuery(ctx, u))
		if err != nil {
			return answer{}, fmt.Errorf("%s: %w", pathOf(req), unwrapURL(err))
		}
		if next, ok := redirect(resp); ok && hop < maxRedirects && sameOrigin(next, c.base) {
			drain(resp)
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

// redirect gives the target of a redirecting answer.
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

// refused turns an answer that is no success into an error: any status but 2xx, and a
// web page where JSON belongs.
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
		e.Message = "the gateway answered with a web page instead of JSON: check the base URL and the path"
		if req.Method == http.MethodPost { // it may have been accepted all the same: nobody knows what stands behind a page
			e.Message = "the gateway answered with a web page instead of JSON: most likely it has no such path, and nothing was made; " +
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
	return CleanLine(redactURL(u, false))
}

var errNoQuery = errors.New("this format has no query path")
