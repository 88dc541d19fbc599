package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"darkroom/client/secret"
	"darkroom/client/transport"
)

// RawAnswer is an answer as it came, of whatever status.
type RawAnswer struct {
	StatusCode int         `json:"status"`
	Header     http.Header `json:"header"` // without secrets
	Body       []byte      `json:"-"`
	Meta       Meta        `json:"meta"`
}

// rawMethods are the methods that Raw sends.
var rawMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// RawMethods are the methods that [Client.Raw] sends.
func RawMethods() []string { return slices.Clone(rawMethods) }

// Raw sends one request to any path of the gateway with the profile's key, for what no format
// covers. path begins with "/" and may carry a query; a body is sent as JSON. An answer of any
// status is no error; redirects are not followed. Only a GET or HEAD may be repeated after a reset
// connection.
func (c *Client) Raw(ctx context.Context, method, path string, body []byte) (RawAnswer, error) {
	method = strings.ToUpper(strings.TrimSpace(method))
	if !slices.Contains(rawMethods, method) {
		return RawAnswer{}, fmt.Errorf("method %q: one of %s", CleanLine(method), strings.Join(rawMethods, ", "))
	}
	if len(body) == 0 {
		body = nil
	}
	req := Request{Method: method, Path: path, Body: body}
	u, err := c.link.Resolve(path)
	if err != nil {
		return RawAnswer{}, err
	}
	ctx, a := transport.Begin(ctx, transport.Limits{Total: c.opts.SyncTimeout})
	r, err := c.link.Request(ctx, method, u, body)
	if err != nil {
		return RawAnswer{}, err
	}
	r.Header.Set("Accept", "*/*")
	via := c.link.Creates
	if method == http.MethodGet || method == http.MethodHead {
		via = c.link.Gateway
	}
	resp, err := via.Do(r)
	if err != nil {
		return RawAnswer{}, fmt.Errorf("%s: %w", pathOf(req), transport.UnwrapURL(err))
	}
	ans, err := c.read(resp, a, pathOf(req), c.opts.MaxBody)
	out := RawAnswer{StatusCode: ans.StatusCode, Header: secret.RedactHeader(ans.Header), Body: ans.Body, Meta: ans.meta}
	if err != nil {
		return out, fmt.Errorf("%s: HTTP %d, but the answer could not be read: %w", pathOf(req), ans.StatusCode, err)
	}
	return out, nil
}
