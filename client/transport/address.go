package transport

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"darkroom/client/text"
)

// UnfetchableError says that an address out of an answer or a reference is not requested, or that
// its answer is not accepted. Trying again does not help.
type UnfetchableError struct{ Why string }

// Error implements error.
func (e *UnfetchableError) Error() string { return text.CleanLine(e.Why) }

// hostKind says where on the net an address lies, as far as that decides who may be sent there.
type hostKind int

const (
	publicHost hostKind = iota
	thisMachine
	linkLocalHost
	privateHost
	cloudMetadata
	reservedHost
)

func (k hostKind) String() string {
	return [...]string{"a public address", "an address of this machine", "a link-local address", "a private address",
		"where clouds keep the keys of their machines", "an address of no host"}[k]
}

var (
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8") // reaches this machine
	// sharedSpace is used by carriers and overlay networks; siteLocal is the old private space.
	sharedSpace = netip.MustParsePrefix("100.64.0.0/10")
	siteLocal   = netip.MustParsePrefix("fec0::/10")
	localNAT64  = netip.MustParsePrefix("64:ff9b:1::/48")
	reservedV4  = netip.MustParsePrefix("240.0.0.0/4")

	// wrapped are the IPv6 prefixes that embed an IPv4 address, and the offset of its bytes.
	wrapped = []struct {
		prefix netip.Prefix
		at     int
	}{
		{netip.MustParsePrefix("64:ff9b::/96"), 12}, // NAT64
		{netip.MustParsePrefix("2002::/16"), 2},     // 6to4
		{netip.MustParsePrefix("::/96"), 12},        // "compatible"
		{netip.MustParsePrefix("::ffff:0:0:0/96"), 12},
	}
	metadata = []netip.Addr{
		netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("169.254.170.2"), netip.MustParseAddr("100.100.100.200"),
		netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"),
	}
)

// kindOfHost judges an address, also an IPv4 address within IPv6.
func kindOfHost(a netip.Addr) hostKind {
	a = a.Unmap().WithZone("")
	if a.IsUnspecified() || a.IsLoopback() {
		return thisMachine
	}
	if a.Is6() {
		b := a.As16()
		for _, w := range wrapped {
			if w.prefix.Contains(a) {
				return kindOfHost(netip.AddrFrom4([4]byte(b[w.at : w.at+4])))
			}
		}
	}
	switch {
	case slices.Contains(metadata, a):
		return cloudMetadata
	case thisNetwork.Contains(a):
		return thisMachine
	case a.IsLinkLocalUnicast():
		return linkLocalHost
	case a.IsPrivate(), sharedSpace.Contains(a), siteLocal.Contains(a), localNAT64.Contains(a):
		return privateHost
	case a.IsMulticast(), reservedV4.Contains(a):
		return reservedHost
	default:
		return publicHost
	}
}

// addressRule decides which addresses may be requested without the key, as those of results are.
type addressRule struct {
	gateway string // its host
	private bool   // the profile takes private ones
	lookup  func(ctx context.Context, host string) ([]netip.Addr, error)
}

func newAddressRule(base *url.URL, private bool) addressRule {
	return addressRule{gateway: base.Hostname(), private: private, lookup: func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}}
}

// addresses are those of a host: the host itself, where it already is an address.
func (r addressRule) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	host = strings.TrimSuffix(host, ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	if low := strings.ToLower(host); low == "localhost" || strings.HasSuffix(low, ".localhost") {
		return []netip.Addr{netip.IPv6Loopback()}, nil
	}
	return r.lookup(ctx, host)
}

// check refuses an address that is not public, unless the gateway itself lies at such an address or
// the profile allows it.
func (r addressRule) check(ctx context.Context, a netip.Addr) error {
	kind := kindOfHost(a)
	if kind == publicHost {
		return nil
	}
	if kind == cloudMetadata || kind == reservedHost {
		return &UnfetchableError{fmt.Sprintf("%s is %s: nothing is fetched from there", a, kind)}
	}
	if r.private {
		return nil
	}
	own, err := r.addresses(ctx, r.gateway)
	if err == nil && slices.ContainsFunc(own, func(o netip.Addr) bool { return kindOfHost(o) == kind }) {
		return nil
	}
	return &UnfetchableError{fmt.Sprintf("%s is %s, and the gateway is at none: nothing is fetched from there, "+
		"unless the profile says `private_results: true`", a, kind)}
}

// checkHost is check for a host that somebody else resolves, as a proxy does. A name that does not
// resolve here is left to the proxy.
func (r addressRule) checkHost(ctx context.Context, host string) error {
	all, err := r.addresses(ctx, host)
	if err != nil {
		return nil //nolint:nilerr // only the proxy's resolver may know it
	}
	for _, a := range all {
		if err := r.check(ctx, a); err != nil {
			return err
		}
	}
	return nil
}
