package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
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

// wire builds the chains: retry, pace, log, time limit and authorisation around one
// transport. Creates get connections of their own, so that a keep-alive connection
// that died unnoticed can never make the fate of a create unclear.
func (c *Client) wire() {
	base, fresh, plain := c.opts.Transport, c.opts.Transport, c.opts.Transport
	c.close = func() {}
	if base == nil {
		t := tuned()
		f := tuned()
		f.DisableKeepAlives = true
		polls, elsewhere := direct(t, c.base), newGuard(newAddressRule(c.base, c.opts.PrivateResults))
		base, fresh, plain = polls, f, elsewhere
		c.close = func() {
			(&http.Client{Transport: polls}).CloseIdleConnections()
			elsewhere.CloseIdleConnections()
		}
	}
	b := newBucket(c.opts.Pace)
	c.bucket = b
	chain := func(rt http.RoundTripper, b *bucket) *http.Client {
		_, traced := rt.(*http.Transport)
		auth := &authTransport{next: rt, base: c.base, key: c.opts.Key}
		log := &logTransport{next: &limitTransport{auth}, log: c.log, own: c.owns, now: c.opts.Now}
		pace := &paceTransport{next: log, bucket: b, now: c.opts.Now}
		return noRedirects(&retryTransport{next: pace, traced: traced})
	}
	c.gateway, c.creates = chain(base, b), chain(fresh, b)

	keyless := &authTransport{next: plain, base: c.base, key: c.opts.Key, withhold: true}
	log := &logTransport{next: &limitTransport{keyless}, log: c.log, own: c.owns, now: c.opts.Now}
	c.plain = noRedirects(&retryTransport{next: log})
}

func (c *Client) owns(r *http.Request) bool { return sameOrigin(r.URL, c.base) }

func noRedirects(rt http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     rt,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

const (
	dialFor   = 10 * time.Second
	keepAlive = 30 * time.Second
)

func tuned() *http.Transport {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialFor, KeepAlive: keepAlive}).DialContext,
		TLSHandshakeTimeout:    handshakeFor,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    64,
		MaxResponseHeaderBytes: 1 << 20,
		IdleConnTimeout:        50 * time.Second, // below the 60 s at which many servers close
		Protocols:              p,
	}
}

// resolve makes the address of a gateway path.
func (c *Client) resolve(path string) (*url.URL, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, errors.New("client: a path must begin with /")
	}
	u, err := url.Parse(c.prefix + path)
	if err != nil || !sameOrigin(u, c.base) {
		return nil, fmt.Errorf("client: %q is not a path of the gateway", CleanLine(path))
	}
	return u, nil
}

func (c *Client) newRequest(ctx context.Context, method string, u *url.URL, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, "/", nil)
	if err != nil {
		return nil, unwrapURL(err)
	}
	r.URL, r.Host, r.Header = u, u.Host, maps.Clone(c.header)
	if body != nil {
		r.Body = newPayload(body)
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// newQuery is newRequest for a GET whose header is that of all others: it is not to be
// changed. The authorising round tripper adds the key to a copy.
func (c *Client) newQuery(ctx context.Context, u *url.URL) *http.Request {
	return (&http.Request{
		Method: http.MethodGet, URL: u, Host: u.Host, Header: c.header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
}

// answer is one whole exchange.
type answer struct {
	Response
	meta Meta
}

// read takes a response in whole, closes it, and tells what the exchange told.
func (c *Client) read(resp *http.Response, a *attempt, path string, limit int64) (answer, error) {
	body, err := readCapped(resp, limit)
	if cerr := resp.Body.Close(); err == nil && cerr != nil {
		err = cerr
	}
	now := c.opts.Now()
	out := answer{
		Response: Response{StatusCode: resp.StatusCode, Header: resp.Header, Body: hideKey(body, a.secret())},
		meta: Meta{
			HTTPStatus: resp.StatusCode, RequestID: requestID(resp.Header),
			Path: path, At: now, Latency: a.since(now),
		},
	}
	return out, err
}

// readCapped reads a body, decompressed, up to limit bytes.
func readCapped(resp *http.Response, limit int64) ([]byte, error) {
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
		return nil, fmt.Errorf("the answer is packed as %q, which was not asked for", CleanLine(enc))
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

// readAll is io.ReadAll that begins with a buffer of a size that will do.
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

// pathOf is a method and path as errors and Meta show it: no host, no key.
func pathOf(r Request) string { return r.Method + " " + r.Path }
