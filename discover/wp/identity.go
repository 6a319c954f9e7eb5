package wp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// identityKey makes identities worthless outside of this process.
var identityKey = func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails (crypto/rand)
	return key
}()

// Identity stands for the site and for the credentials that are sent to it,
// below wc/ too: two clients have one where they would get the same answers. It
// tells nothing of a credential and holds within this process only.
func (c *Client) Identity() string {
	root := ""
	if c.root != nil {
		root = c.root.String()
	}
	sum := hmac.New(sha256.New, identityKey)
	for _, part := range []string{c.origin.String(), root, c.opts.Host} {
		fmt.Fprintf(sum, "%q,", part)
	}
	for _, who := range []Credential{c.opts.Credential, c.opts.Store} {
		fmt.Fprintf(sum, "%q,%q,%q,%q,", who.User, who.Key.Reveal(), who.Password.Reveal(), who.Token.Reveal())
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// For returns a client that names a profile of toolpress in its User-Agent, so
// that the log of a site says which one asked; the connections are shared.
func (c *Client) For(profile string) *Client {
	in := *c
	in.opts.UserAgent += " profile/" + profile
	return &in
}

// Account is whose credential a request carries: the user's name, "bearer token",
// "WooCommerce key", or "nobody". It is for a log, and has nothing of a secret.
func (c *Client) Account(r Request) string {
	switch who := c.credentialFor(r); {
	case who.Anonymous():
		return "nobody"
	case !who.Token.Empty():
		return "bearer token"
	case !who.Key.Empty():
		return "WooCommerce key"
	default:
		return who.User
	}
}
