package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
)

// guard sends requests without the key to addresses that somebody else chose: those of results and
// references. It applies an [addressRule] to the address that is dialed, after the name was
// resolved, so that no name can resolve to another address the second time. Behind a proxy, the
// proxy is what is dialed, so the rule is applied to the host beforehand.
type guard struct {
	rule     addressRule
	proxy    func(*http.Request) (*url.URL, error)
	straight *http.Transport
	proxied  *http.Transport
}

func newGuard(rule addressRule) *guard {
	g := &guard{rule: rule, proxy: http.ProxyFromEnvironment, straight: tuned(), proxied: tuned()}
	g.straight.Proxy = nil
	g.straight.DialContext = (&net.Dialer{Timeout: dialFor, KeepAlive: keepAlive, ControlContext: g.control}).DialContext
	g.proxied.Proxy = func(r *http.Request) (*url.URL, error) { return g.proxy(r) }
	return g
}

func (g *guard) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return &UnfetchableError{fmt.Sprintf("%q is not an address", address)}
	}
	return g.rule.check(ctx, a.Addr())
}

// RoundTrip implements http.RoundTripper.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := g.send(r)
	if refused, ok := errors.AsType[*UnfetchableError](err); ok {
		if host := r.URL.Hostname(); net.ParseIP(host) == nil {
			refused = &UnfetchableError{host + ": " + refused.Why}
		}
		return nil, refused // and not as a failed dial, which may be tried again
	}
	return resp, err
}

func (g *guard) send(r *http.Request) (*http.Response, error) {
	through, err := g.proxy(r)
	if err != nil {
		return nil, err
	}
	if through == nil {
		return g.straight.RoundTrip(r)
	}
	if err := g.rule.checkHost(r.Context(), r.URL.Hostname()); err != nil {
		return nil, err
	}
	return g.proxied.RoundTrip(r)
}

// CloseIdleConnections is called by [http.Client.CloseIdleConnections].
func (g *guard) CloseIdleConnections() {
	g.straight.CloseIdleConnections()
	g.proxied.CloseIdleConnections()
}
