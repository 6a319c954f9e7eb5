package doctor_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"log"
	"math/big"
	"net"
	"time"
)

func date(year int) time.Time { return time.Date(year, 1, 2, 0, 0, 0, 0, time.UTC) }

type signer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(name string) *signer {
	return (*signer)(nil).sign(x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: date(2020), NotAfter: date(2100),
	})
}

// sign makes a certificate; a nil signer lets it sign itself.
func (s *signer) sign(template x509.Certificate) *signer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template.SerialNumber = big.NewInt(1)
	parent, with := &template, key
	if s != nil {
		parent, with = s.cert, s.key
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, parent, &key.PublicKey, with)
	if err != nil {
		log.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		log.Fatal(err)
	}
	return &signer{cert, key}
}

// leaf is a certificate of a site; without names it is for 127.0.0.1, where
// the sites of these tests are.
func (s *signer) leaf(until time.Time, names ...string) tls.Certificate {
	template := x509.Certificate{
		Subject: pkix.Name{CommonName: "shop.example"}, NotBefore: date(2020), NotAfter: until, DNSNames: names,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if len(names) == 0 {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	made := s.sign(template)
	return tls.Certificate{Certificate: [][]byte{made.cert.Raw}, PrivateKey: made.key}
}
