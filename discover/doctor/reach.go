package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"toolpress/discover/wp"
)

// reach asks the address itself, as nobody: the name, the port, the
// certificate, and whether the server answers at all.
func (e *examination) reach(ctx context.Context) bool {
	if e.address.Scheme == "http" && !e.anonymous() && !e.opts.WP.InsecureHTTP && !wp.IsLoopback(e.address.Hostname()) {
		return e.fail("tls", "Encryption", "the address begins with http://: everybody on the way could read the password",
			"use the site's https address; on a private network --insecure-http accepts the risk")
	}
	if !e.opts.WP.Store.Anonymous() && e.address.Scheme != "https" {
		return e.fail("woocommerce", "WooCommerce", "there are consumer keys, and the address begins with http://: over http WooCommerce wants OAuth 1.0a, which toolpress does not sign",
			"use the site's https address, or take the keys away: an application password works as well")
	}
	addresses, err := e.resolve(ctx)
	if err != nil {
		return e.unresolved(err)
	}
	page := *e.address
	if page.Path == "" {
		page.Path = "/"
	}
	e.page, err = e.probe.get(ctx, &page, nobody)
	where := e.address.Hostname()
	if len(addresses) > 0 {
		where += " is " + strings.Join(addresses, ", ")
	}
	switch trouble := certificateTrouble(err, e.address.Hostname(), e.opts.Now()); {
	case err == nil:
		e.fine("address", "Address", where)
		e.encryption()
		return true
	case trouble != nil:
		e.fine("address", "Address", where)
		return e.fail("tls", "Encryption", trouble.evidence, trouble.remedy)
	}
	return e.unanswered(where, err)
}

// resolve looks the name up; none of it for a number, or where a proxy does.
func (e *examination) resolve(ctx context.Context) ([]string, error) {
	host := e.address.Hostname()
	req := &http.Request{URL: e.address}
	if proxy, err := http.ProxyFromEnvironment(req); net.ParseIP(host) != nil || err == nil && proxy != nil {
		return nil, nil
	}
	addresses, err := e.opts.LookupHost(ctx, host)
	if err != nil {
		return nil, err
	}
	slices.Sort(addresses)
	return addresses[:min(len(addresses), 4)], nil
}

func (e *examination) unresolved(err error) bool {
	host := e.address.Hostname()
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return e.fail("address", "Address", fmt.Sprintf("there is no such name as %s", host),
			"check the spelling; a name of the local network needs this machine's DNS, a container's its network")
	case errors.As(err, &dns) && dns.IsTimeout:
		return e.fail("address", "Address", fmt.Sprintf("this machine's DNS does not answer for %s", host),
			"check this machine's own network: is it online, does another site work?")
	}
	return e.fail("address", "Address", fmt.Sprintf("%s cannot be looked up: %s", host, plain(err.Error(), 120)),
		"check this machine's DNS settings")
}

// unanswered tells a closed port from a silent one and from a connection that
// ends early.
func (e *examination) unanswered(where string, err error) bool {
	port := e.address.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[e.address.Scheme]
	}
	var dial *net.OpError
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return e.fail("address", "Address", fmt.Sprintf("%s, and nothing listens on port %s", where, port),
			"is the site up, and is this its port? In a browser the address must work as it is written here")
	case errors.As(err, &dial) && dial.Op == "dial":
		return e.fail("address", "Address", fmt.Sprintf("%s, and port %s cannot be reached from this machine: %s", where, port, plain(dial.Err.Error(), 120)),
			"a firewall lies between, the host has blocked this machine's address, or the site is down")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return e.fail("answer", "Answer", fmt.Sprintf("the server takes the connection and does not answer within %s", e.opts.WP.Timeout),
			"open the site in a browser: if it is quick there, the host holds up requests from programs; ask it to allow this machine's address")
	}
	return e.fail("answer", "Answer", "the server ends the connection before it has answered: "+plain(err.Error(), 120),
		"a firewall that drops programs does this, and so does a crashed PHP: look at the host's error log, or ask the host")
}

// encryption notes how the connection is protected.
func (e *examination) encryption() {
	switch {
	case e.page.tls == nil && wp.IsLoopback(e.address.Hostname()):
		e.fine("tls", "Encryption", "none, and the address is on this machine")
	case e.page.tls == nil:
		e.warn("tls", "Encryption", "none: the address begins with http://", "use the site's https address, if it has one")
	case len(e.page.tls.PeerCertificates) > 0:
		leaf := e.page.tls.PeerCertificates[0]
		if left := leaf.NotAfter.Sub(e.opts.Now()); left < soon {
			e.warn("tls", "Encryption", fmt.Sprintf("the certificate ends on %s, in %d days", day(leaf.NotAfter), int(left.Hours()/24)),
				"see that the host renews it: with the day it ends, nothing works any more")
			return
		}
		e.fine("tls", "Encryption", fmt.Sprintf("certificate by %s, until %s", issuer(leaf), day(leaf.NotAfter)))
	}
}
