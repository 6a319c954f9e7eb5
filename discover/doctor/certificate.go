package doctor

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"
)

// soon is when the end of a certificate is worth a word.
const soon = 14 * 24 * time.Hour

// trouble is what is wrong and what mends it.
type trouble struct{ evidence, remedy string }

// certificateTrouble gives the exact reason of a failed handshake; nil for an
// error that is none.
func certificateTrouble(err error, host string, now time.Time) *trouble {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &verification):
		return unverified(verification, host, now)
	case errors.As(err, &record), err != nil && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return &trouble{"the server does not speak https on this port", "use http:// for a site on this machine; else ask the host for the port with https"}
	case err != nil && strings.Contains(err.Error(), "protocol version"):
		return &trouble{"the server speaks only versions of TLS that are too old to be safe", "let the host switch on TLS 1.2 or 1.3"}
	case err != nil && strings.Contains(err.Error(), "tls: "): // an alert has no type of its own
		return &trouble{
			"the handshake breaks off: " + plain(err.Error(), 120),
			"the name may not be set up on this server yet, or the server asks for a client certificate, which toolpress does not have",
		}
	}
	return nil
}

func unverified(err *tls.CertificateVerificationError, host string, now time.Time) *trouble {
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	if len(err.UnverifiedCertificates) == 0 {
		return &trouble{plain(err.Err.Error(), 160), "look at the certificate in a browser"}
	}
	leaf := err.UnverifiedCertificates[0]
	switch {
	case errors.As(err.Err, &name):
		return &trouble{
			fmt.Sprintf("the certificate is for %s, not for %s", names(leaf), host),
			"use an address the certificate is for, or let the host add this name to it (with Let's Encrypt: issue it again for both names)",
		}
	case errors.As(err.Err, &invalid) && invalid.Reason == x509.Expired && now.Before(leaf.NotBefore):
		return &trouble{fmt.Sprintf("the certificate is valid from %s on; this machine believes it is %s", day(leaf.NotBefore), day(now)), "set this machine's clock"}
	case errors.As(err.Err, &invalid) && invalid.Reason == x509.Expired && now.After(leaf.NotAfter):
		return &trouble{
			fmt.Sprintf("the certificate ended on %s", day(leaf.NotAfter)),
			"renew it at the host; where it renews itself, find out why that stopped (often a name that no longer points to the server)",
		}
	case errors.As(err.Err, &authority) && bytes.Equal(leaf.RawIssuer, leaf.RawSubject):
		return &trouble{fmt.Sprintf("the certificate is signed by itself (%s): no authority vouches for it", issuer(leaf)), ownAuthority("it")}
	case errors.As(err.Err, &authority) && len(err.UnverifiedCertificates) == 1:
		return &trouble{
			fmt.Sprintf("the certificate is by %s, which this machine does not know, and the server sends nothing that leads further", issuer(leaf)),
			"a public site: let the server send the full chain (fullchain.pem, not cert.pem). A private authority (mkcert, DDEV, a company's): " + ownAuthority("its root certificate"),
		}
	case errors.As(err.Err, &authority):
		last := err.UnverifiedCertificates[len(err.UnverifiedCertificates)-1]
		return &trouble{fmt.Sprintf("the certificate leads to %s, an authority this machine does not know", issuer(last)), ownAuthority("its root certificate")}
	}
	return &trouble{"the certificate is not accepted: " + plain(err.Err.Error(), 160), "look at the certificate in a browser, and let the host mend it"}
}

// ownAuthority is how crypto/x509 learns of a certificate.
func ownAuthority(what string) string {
	return "save " + what + " as a PEM file and name it: site: { ca_file: FILE } in the curation, or TOOLPRESS_CA_FILE=FILE; or add it to this machine's store"
}

// names are what a certificate is for, three at most.
func names(c *x509.Certificate) string {
	all := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	switch {
	case len(all) == 0:
		return "no name at all"
	case len(all) > 3:
		return plain(fmt.Sprintf("%s and %d more", strings.Join(all[:3], ", "), len(all)-3), 160)
	}
	return plain(strings.Join(all, ", "), 160)
}

// issuer is who signed a certificate, as people know it.
func issuer(c *x509.Certificate) string {
	organisation := strings.Join(c.Issuer.Organization, ", ")
	switch {
	case c.Issuer.CommonName == "" && organisation == "":
		return "an authority without a name"
	case c.Issuer.CommonName == "":
		return plain(organisation, 80)
	case organisation == "" || organisation == c.Issuer.CommonName:
		return plain(c.Issuer.CommonName, 80)
	}
	return plain(organisation+" "+c.Issuer.CommonName, 80)
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }
