package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"darkroom/client/secret"
	"darkroom/client/text"
)

// payload is a request body that net/http cannot rewind: http.NewRequest gives it no
// GetBody, so that no transport below ours can send a create a second time.
type payload struct {
	*bytes.Reader
	data []byte
}

func newPayload(b []byte) *payload { return &payload{bytes.NewReader(b), b} }

// Close implements io.Closer.
func (*payload) Close() error { return nil }

// Owns reports whether an address is of the gateway's own origin.
func (l *Link) Owns(u *url.URL) bool { return sameOrigin(u, l.base) }

// Shown is an address as it appears in errors and logs.
func (l *Link) Shown(u *url.URL) string {
	if l.Owns(u) {
		return u.RequestURI()
	}
	return secret.RedactURL(u, false)
}

// Resolve returns the address of a gateway path.
func (l *Link) Resolve(path string) (*url.URL, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, errors.New("client: a path must begin with /")
	}
	u, err := url.Parse(l.prefix + path)
	if err != nil || !l.Owns(u) {
		return nil, fmt.Errorf("client: %q is not a path of the gateway", text.CleanLine(path))
	}
	return u, nil
}

// Request makes a request; a body is JSON, and cannot be sent twice.
func (l *Link) Request(ctx context.Context, method string, u *url.URL, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, "/", nil)
	if err != nil {
		return nil, UnwrapURL(err)
	}
	r.URL, r.Host, r.Header = u, u.Host, maps.Clone(l.header)
	if body != nil {
		r.Body = newPayload(body)
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// Query is [Link.Request] for a GET. All queries share one header, which must not be changed; the
// authorising round tripper adds the key to a copy.
func (l *Link) Query(ctx context.Context, u *url.URL) *http.Request {
	return (&http.Request{
		Method: http.MethodGet, URL: u, Host: u.Host, Header: l.header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
}

// ReadBody reads a body, decompressed, up to limit bytes.
func ReadBody(resp *http.Response, limit int64) ([]byte, error) {
	var r io.Reader = resp.Body
	switch enc := strings.ToLower(resp.Header.Get("Content-Encoding")); enc {
	case "", "identity":
	case "gzip", "x-gzip": // net/http undoes only what it asked for itself
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("the answer says gzip and is not: %w", err)
		}
		r = z
	default:
		return nil, fmt.Errorf("the answer is packed as %q, which was not asked for", text.CleanLine(enc))
	}
	size := int64(bytes.MinRead)
	if resp.ContentLength > 0 && r == resp.Body {
		size = min(resp.ContentLength+1, limit+1, 1<<20) // one more, to see the end
	}
	body, err := readAll(io.LimitReader(r, limit+1), make([]byte, 0, size))
	if int64(len(body)) > limit {
		return body[:min(limit, logTake)], fmt.Errorf("the answer is larger than the limit of %d MiB", limit>>20)
	}
	return body, err
}

// readAll is io.ReadAll with a first buffer of the given size.
func readAll(r io.Reader, buf []byte) ([]byte, error) {
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, cap(buf))
		}
	}
}
