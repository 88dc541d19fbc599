package transport

import (
	"net"
	"net/http"
	"net/url"
	"time"
)

// Options say where a gateway is and how it is reached.
type Options struct {
	Base *url.URL
	// Key is called for each request; its result is never kept and never printed.
	Key    func() (string, error)
	Header http.Header // of every request
	Pace   Pace
	// PrivateResults lets requests without the key go to private addresses.
	PrivateResults bool
	// ReadOnly is what makes the gateway read-only, "" for nothing: then nothing but GET, HEAD and
	// OPTIONS is sent, to any origin.
	ReadOnly string
	// Exchanges is how many exchanges the log keeps.
	Exchanges int
	// HTTP does the HTTP; nil for a tuned net/http, which honours the proxy environment.
	HTTP http.RoundTripper
	Now  func() time.Time
}

// Link is the connection to one gateway, and to the hosts of its results. It is safe for concurrent
// use.
type Link struct {
	Gateway *http.Client // carries the key, to the gateway's origin only
	Creates *http.Client // the same, on connections of their own
	Plain   *http.Client // never carries the key

	base   *url.URL
	prefix string // base as a text, before every path
	header http.Header
	log    *exchangeLog
	bucket *bucket // nil for no pacing
	idle   []func()
}

// New builds the chains: read-only, retry, pace, log, time limit and authorisation around one
// transport. Creates get connections of their own, so that a keep-alive connection
// that died unnoticed can never make the fate of a create unclear.
func New(o Options) *Link {
	l := &Link{base: o.Base, prefix: o.Base.String(), header: o.Header, log: newExchangeLog(o.Exchanges, o.Now), bucket: newBucket(o.Pace)}
	base, fresh, plain := o.HTTP, o.HTTP, o.HTTP
	if base == nil {
		t := tuned()
		f := tuned()
		f.DisableKeepAlives = true
		polls, elsewhere := direct(t, o.Base), newGuard(newAddressRule(o.Base, o.PrivateResults))
		base, fresh, plain = polls, f, elsewhere
		l.idle = []func(){(&http.Client{Transport: polls}).CloseIdleConnections, elsewhere.CloseIdleConnections}
	}
	chain := func(rt http.RoundTripper) *http.Client {
		_, traced := rt.(*http.Transport)
		auth := &authTransport{next: rt, base: o.Base, key: o.Key}
		log := &logTransport{next: &limitTransport{auth}, log: l.log, own: l.Owns, now: o.Now}
		pace := &paceTransport{next: log, bucket: l.bucket, now: o.Now}
		return o.client(&retryTransport{next: pace, traced: traced})
	}
	l.Gateway, l.Creates = chain(base), chain(fresh)

	keyless := &authTransport{next: plain, base: o.Base, key: o.Key, withhold: true}
	log := &logTransport{next: &limitTransport{keyless}, log: l.log, own: l.Owns, now: o.Now}
	l.Plain = o.client(&retryTransport{next: log})
	return l
}

// Exchanges returns the last exchanges, oldest first. They hold no key, no Authorization header
// and no media.
func (l *Link) Exchanges() []Exchange { return l.log.all() }

// Pace returns how fast requests may leave just now.
func (l *Link) Pace() PaceState {
	if l.bucket == nil {
		return PaceState{}
	}
	return l.bucket.state(time.Now())
}

// Close closes idle connections. The link stays usable.
func (l *Link) Close() {
	for _, closeIdle := range l.idle {
		closeIdle()
	}
}

// client is how each chain ends: it follows no redirect, and refuses what a read-only gateway is not
// to get.
func (o Options) client(rt http.RoundTripper) *http.Client {
	if o.ReadOnly != "" {
		rt = &readOnlyTransport{next: rt, by: o.ReadOnly}
	}
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
