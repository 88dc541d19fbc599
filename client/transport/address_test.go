package transport

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKindsOfHosts(t *testing.T) {
	for kind, all := range map[hostKind][]string{
		publicHost: {"1.1.1.1", "192.0.2.1", "198.18.0.7", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "64:ff9b::101:101", "2002:101:101::1"},
		thisMachine: {"127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "::", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "::127.0.0.1",
			"2002:7f00:1::", "::ffff:0:127.0.0.1"},
		linkLocalHost: {"169.254.1.1", "fe80::1", "fe80::1%eth0", "::ffff:169.254.1.1"},
		privateHost: {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1", "fec0::1", "100.64.0.1", "100.127.255.255",
			"::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::1"},
		cloudMetadata: {"169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fd00:ec2::254", "100.100.100.200", "169.254.170.2"},
		reservedHost:  {"224.0.0.1", "255.255.255.255", "240.0.0.1", "ff02::1", "ff0e::1"},
	} {
		for _, a := range all {
			assert.Equal(t, kind, kindOfHost(netip.MustParseAddr(a)), a)
		}
	}
}

func ruleFor(gateway string, private bool, names map[string][]string) addressRule {
	r := newAddressRule(&url.URL{Scheme: "https", Host: gateway}, private)
	r.lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		var out []netip.Addr
		for _, a := range names[host] {
			out = append(out, netip.MustParseAddr(a))
		}
		if out == nil {
			return nil, errors.New("no such host")
		}
		return out, nil
	}
	return r
}

func TestAddressesOfTheGatewaysOwnKind(t *testing.T) {
	names := map[string][]string{"public.example.test": {"1.1.1.1"}, "lan.example.test": {"10.0.0.7"}, "both.example.test": {"1.1.1.1", "::1"}}
	for _, k := range []struct {
		gateway string
		private bool
		fetched []string
		refused []string
	}{
		{"public.example.test", false, []string{"1.1.1.1"}, []string{"127.0.0.1", "10.0.0.7", "169.254.1.1", "fe80::1", "fd12::1", "169.254.169.254"}},
		{"lan.example.test", false, []string{"1.1.1.1", "192.168.1.1", "fd12::1", "100.64.0.1"}, []string{"127.0.0.1", "169.254.1.1", "169.254.169.254"}},
		{"127.0.0.1:8080", false, []string{"1.1.1.1", "127.0.0.1", "::1", "0.0.0.0"}, []string{"10.0.0.7", "169.254.1.1"}},
		{"localhost", false, []string{"127.0.0.1", "::1"}, []string{"10.0.0.7"}},
		{"[::1]:80", false, []string{"127.0.0.1"}, []string{"10.0.0.7"}},
		{"both.example.test", false, []string{"127.0.0.1"}, []string{"10.0.0.7"}},
		{"unknown.example.test", false, []string{"1.1.1.1"}, []string{"127.0.0.1", "10.0.0.7"}},
		{"public.example.test", true, []string{"127.0.0.1", "10.0.0.7", "169.254.1.1"}, []string{"169.254.169.254", "fd00:ec2::254", "224.0.0.1"}},
	} {
		r := ruleFor(k.gateway, k.private, names)
		for _, a := range k.fetched {
			assert.NoError(t, r.check(t.Context(), netip.MustParseAddr(a)), "%s with the gateway at %s", a, k.gateway)
		}
		for _, a := range k.refused {
			assert.ErrorContains(t, r.check(t.Context(), netip.MustParseAddr(a)), a, "with the gateway at %s", k.gateway)
		}
	}
}

// TestBehindAProxy: it is the proxy that is dialed, which may well be a private one, and so
// the host is judged before.
func TestBehindAProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		_, _ = w.Write([]byte("through"))
	}))
	t.Cleanup(proxy.Close)
	at, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	g := newGuard(ruleFor("public.example.test", false, map[string][]string{
		"public.example.test": {"1.1.1.1"}, "cdn.example.test": {"1.0.0.1"}, "trap.example.test": {"1.0.0.1", "10.0.0.7"},
	}))
	g.proxy = http.ProxyURL(at)
	t.Cleanup(g.CloseIdleConnections)
	ask := func(u string) error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u, nil)
		require.NoError(t, err)
		resp, err := g.RoundTrip(r)
		if err == nil {
			Drain(resp)
		}
		return err
	}
	require.NoError(t, ask("http://cdn.example.test/a.mp4"))
	require.NoError(t, ask("http://only.the.proxy.knows.test/a.mp4"))
	assert.Len(t, asked, 2)
	for _, u := range []string{
		"http://10.0.0.7/a", "http://[::ffff:10.0.0.7]/a", "http://trap.example.test/a", "http://localhost/a", "http://x.localhost./a", "http://169.254.169.254/latest/meta-data/",
	} {
		var refused *UnfetchableError
		require.ErrorAs(t, ask(u), &refused, u)
	}
	assert.Len(t, asked, 2, "the proxy was not asked")
}
