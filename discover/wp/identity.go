package wp

import (
	"crypto/hmac"
	"crypto/pbkdf2"
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

// accountRounds make a try to guess a secret from an account expensive.
const accountRounds = 100_000

// Account names the credentials that are sent to the site, below wc/ too, so that
// another process can tell whether it has the same: a user by the login name, which
// outlives a password that was replaced, a token and WooCommerce's keys by a digest
// that takes long to make (PBKDF2-SHA256), with the origin as its salt. Nobody has
// one too.
func (c *Client) Account() string {
	who, store := c.opts.Credential, c.opts.Store
	name := "nobody"
	switch {
	case !who.Token.Empty():
		name = "token " + c.derived(who.Token.Reveal())
	case who.User != "":
		name = "user " + who.User
	}
	if !store.Anonymous() {
		name += ", WooCommerce key " + c.derived(store.Key.Reveal()+":"+store.Password.Reveal())
	}
	return name
}

func (c *Client) derived(secret string) string {
	sum, err := pbkdf2.Key(sha256.New, secret, []byte("toolpress account "+c.origin.String()), accountRounds, 16)
	if err != nil {
		return "" // only a hash or a length that is not allowed
	}
	return hex.EncodeToString(sum)
}

// For returns a client that names a profile of toolpress in its User-Agent, so
// that the log of a site says which one asked; the connections are shared.
func (c *Client) For(profile string) *Client {
	in := *c
	in.opts.UserAgent += " profile/" + profile
	return &in
}

// AccountOf is whose credential a request carries: the user's name, "bearer token",
// "WooCommerce key", or "nobody". It is for a log, and has nothing of a secret.
func (c *Client) AccountOf(r Request) string {
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
