package client

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"time"

	"darkroom/client/secret"
	"darkroom/client/text"
	"darkroom/client/transport"
)

// headWait bounds a [Client.Head], redirects included.
const headWait = 15 * time.Second

// Head is what a server says about an address without sending its content. All texts are clean.
type Head struct {
	StatusCode int
	// MediaType has no parameters and is "" when the server named none; Bytes is -1 when unknown.
	MediaType string
	Bytes     int64
	// Hops are the addresses of the redirects, in order; query values are elided.
	Hops []string
	Took time.Duration
}

// Status is the answer's status in words, as "200 OK".
func (h Head) Status() string {
	text := http.StatusText(h.StatusCode)
	if text == "" {
		return fmt.Sprint(h.StatusCode)
	}
	return fmt.Sprintf("%d %s", h.StatusCode, text)
}

// Head asks a server about an address by HEAD. The key is never sent, not even to the gateway's own
// origin; redirects are followed to http and https only, five at most. An error means that no
// answer came: any status is an answer.
func (c *Client) Head(ctx context.Context, address string) (Head, error) {
	u, err := url.Parse(address)
	if err != nil || !webURL(u) || u.User != nil {
		return Head{}, errors.New("it is not an http or https URL with a host, and without a name and password")
	}
	u.Fragment = ""
	ctx, cancel := context.WithTimeout(ctx, headWait)
	defer cancel()
	var h Head
	begin := c.opts.Now()
	for hop := 0; ; hop++ {
		r, err := c.link.Request(ctx, http.MethodHead, u, nil)
		if err != nil {
			return h, err
		}
		r.Header.Set("Accept", "*/*")
		r.Header.Set("Accept-Encoding", "identity") // the length is that of the file
		resp, err := c.link.Plain.Do(r)
		if err != nil {
			return h, fmt.Errorf("HEAD %s: %s", CleanLine(secret.RedactURL(u, false)), CleanLine(transport.UnwrapURL(err).Error()))
		}
		_ = resp.Body.Close()
		next, ok := redirect(resp)
		if !ok {
			h.StatusCode, h.Bytes, h.Took = resp.StatusCode, resp.ContentLength, c.opts.Now().Sub(begin)
			if mt, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err == nil {
				h.MediaType = CleanLine(text.Cap(mt, 100))
			}
			return h, nil
		}
		if hop >= maxRedirects {
			return h, fmt.Errorf("HEAD %s: more than %d redirects", CleanLine(secret.RedactURL(u, false)), maxRedirects)
		}
		h.Hops = append(h.Hops, CleanLine(text.Cap(secret.RedactURL(next, false), 400)))
		u = next
	}
}
