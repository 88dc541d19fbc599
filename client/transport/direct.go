package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	directIdle    = 64               // connections kept when nobody uses them
	directIdleFor = 50 * time.Second // below the 60 s at which many servers close
	directHead    = 1 << 20          // bytes of an answer's head
	handshakeFor  = 10 * time.Second
)

// directTransport sends the GETs that carry the polls: the request is written and the
// answer read by the goroutine that asks, where net/http hands each to two goroutines of
// the connection and back, which costs as much as all the rest (docs/PERFORMANCE.md). The
// answers are read by net/http's own parser. Whatever is not such a GET goes to next: a
// body, an upgrade, another origin, a gateway behind a proxy.
type directTransport struct {
	next   http.RoundTripper
	base   *url.URL
	addr   string // host:port to dial
	tls    *tls.Config
	dialer *net.Dialer

	mu     sync.Mutex
	idle   []*directConn // used last is last
	expiry *time.Timer   // runs while idle is not empty
}

// direct puts the polls' transport before t, unless t would reach base through a proxy or
// under a name that has to be translated first.
func direct(t *http.Transport, base *url.URL) http.RoundTripper {
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: base})
	if proxy != nil || err != nil || !ascii(base.Host) {
		return t
	}
	d := &directTransport{
		next: t, base: base, addr: net.JoinHostPort(base.Hostname(), port(base)),
		dialer: &net.Dialer{Timeout: dialFor, KeepAlive: keepAlive},
	}
	if base.Scheme == "https" {
		d.tls = &tls.Config{ServerName: base.Hostname(), NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}
	}
	return d
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// takes reports whether a request goes directly.
func (t *directTransport) takes(r *http.Request) bool {
	return r.Method == http.MethodGet && (r.Body == nil || r.Body == http.NoBody) && !r.Close && r.URL.Opaque == "" &&
		r.URL.Host == t.base.Host && r.URL.Scheme == t.base.Scheme && (r.Host == "" || r.Host == r.URL.Host) &&
		len(r.Header["Upgrade"]) == 0 && len(r.Header["Connection"]) == 0 && len(r.Trailer) == 0
}

// RoundTrip implements http.RoundTripper. A kept connection that turns out to be gone before a byte
// of the answer came is replaced: a GET may be asked again.
func (t *directTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.takes(r) {
		return t.next.RoundTrip(r)
	}
	ctx := r.Context()
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c := t.kept()
		used := c != nil
		if !used {
			var err error
			if c, err = t.dial(ctx); err != nil {
				return nil, err
			}
		}
		resp, err := c.exchange(r)
		if err == nil {
			return resp, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !used || c.heard {
			return nil, err
		}
	}
}

func (t *directTransport) dial(ctx context.Context) (*directConn, error) {
	conn, err := t.dialer.DialContext(ctx, "tcp", t.addr)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	raw := conn
	if t.tls != nil {
		secure := tls.Client(conn, t.tls)
		hctx, cancel := context.WithTimeout(ctx, handshakeFor)
		err := secure.HandshakeContext(hctx)
		cancel()
		if err != nil {
			_ = conn.Close()
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, err
		}
		conn = secure
	}
	c := &directConn{owner: t, raw: raw, conn: conn}
	c.br, c.bw = bufio.NewReader(c), bufio.NewWriter(conn)
	return c, nil
}

// kept takes the most recently used connection that is still good, nil for none.
func (t *directTransport) kept() *directConn {
	for {
		t.mu.Lock()
		n := len(t.idle) - 1
		if n < 0 {
			t.mu.Unlock()
			return nil
		}
		c := t.idle[n]
		t.idle[n], t.idle = nil, t.idle[:n]
		t.mu.Unlock()
		if time.Since(c.since) < directIdleFor && c.quiet() {
			return c
		}
		c.close()
	}
}

// keep takes back a connection whose answer was read to its end.
func (t *directTransport) keep(c *directConn) {
	c.since = time.Now()
	t.mu.Lock()
	room := len(t.idle) < directIdle
	if room {
		t.idle = append(t.idle, c)
		if t.expiry == nil {
			t.expiry = time.AfterFunc(directIdleFor, t.expire)
		}
	}
	t.mu.Unlock()
	if !room {
		c.close()
	}
}

// expire closes connections that were idle for long, and runs again while some are left.
func (t *directTransport) expire() {
	t.mu.Lock()
	old := 0
	for old < len(t.idle) && time.Since(t.idle[old].since) >= directIdleFor {
		old++
	}
	gone := append([]*directConn(nil), t.idle[:old]...)
	t.idle = append(t.idle[:0], t.idle[old:]...)
	t.expiry = nil
	if len(t.idle) > 0 {
		t.expiry = time.AfterFunc(directIdleFor-time.Since(t.idle[0].since), t.expire)
	}
	t.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
}

// CloseIdleConnections is called by [http.Client.CloseIdleConnections].
func (t *directTransport) CloseIdleConnections() {
	t.mu.Lock()
	gone := t.idle
	t.idle = nil
	if t.expiry != nil {
		t.expiry.Stop()
		t.expiry = nil
	}
	t.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
	if n, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		n.CloseIdleConnections()
	}
}
