package media

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// connectTimeout bounds reaching a host, and again its TLS handshake.
const connectTimeout = 5 * time.Second

// inner are addresses that are not of the public Internet: those of the registries
// that RFC 6890 began (IANA, IPv4 and IPv6 Special-Purpose Address Registry), and of
// IPv6 those that carry an IPv4 address within.
var inner = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

// outer6 is what IANA gives out of IPv6 (RFC 4291, section 2.4): whatever lies beside
// it is loopback, local, mapped, translated or not assigned.
var outer6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// isPublic reports an address of the public Internet. An IPv4 address that is
// written as one of IPv6 is none, whatever it is.
func isPublic(a netip.Addr) bool {
	if a.Is6() && !outer6.Contains(a) || a.Zone() != "" {
		return false
	}
	return !slices.ContainsFunc(inner, func(p netip.Prefix) bool { return p.Contains(a) })
}

// innerError is a host that leads to an address of no public network.
type innerError struct {
	host string
	to   netip.Addr
}

// Error tells an operator what to write where the host was meant.
func (e *innerError) Error() string {
	return fmt.Sprintf("%s leads to %s, which is no address of the public Internet; where that is meant, list the address itself below site.media.hosts", e.host, e.to)
}

// dial connects to a host of an address, unless it leads to where nothing may be
// fetched. It is asked of the very address that is connected to, after the name was
// resolved: what another lookup says is of no interest (T02).
func (o *Opener) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: connectTimeout, Resolver: o.resolver, ControlContext: func(_ context.Context, _, to string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(to)
		if err != nil {
			return err
		}
		if !o.mayReach(host, at.Addr()) {
			return &innerError{host, at.Addr()}
		}
		return nil
	}}
	return d.DialContext(ctx, network, address)
}

// mayReach reports that a host may lead to an address: any public one, and another
// where the host is written as just that, or as localhost.
func (o *Opener) mayReach(host string, to netip.Addr) bool {
	public := isPublic
	if o.public != nil {
		public = o.public
	}
	if written, err := netip.ParseAddr(host); err == nil {
		return written == to
	}
	return public(to) || host == "localhost" && to.IsLoopback()
}
