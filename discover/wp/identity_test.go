package wp

import (
	"net/url"
	"strings"
	"testing"
)

// An account is known again in another process, is one for each credential and site,
// outlives a password, and tells no secret.
func TestAccount(t *testing.T) {
	account := func(origin string, who, store Credential) string {
		t.Helper()
		u, _ := url.Parse(origin)
		c, err := NewClient(u, Options{Credential: who, Store: store})
		if err != nil {
			t.Fatal(err)
		}
		return c.Account()
	}
	const site = "https://shop.example"
	secret := NewSecret("tok-0123456789abcdef")
	seen := map[string]bool{}
	for _, c := range []struct{ who, store Credential }{
		{},
		{who: Credential{User: "ana", Password: NewSecret("one")}},
		{who: Credential{User: "bob", Password: NewSecret("one")}},
		{who: Credential{Token: secret}},
		{who: Credential{Token: NewSecret("tok-0123456789abcdeg")}},
		{who: Credential{User: "ana", Password: NewSecret("one")}, store: Credential{User: "ck_1", Password: secret}},
	} {
		name := account(site, c.who, c.store)
		if seen[name] {
			t.Errorf("%s is two", name)
		}
		seen[name] = true
		if strings.Contains(name, "one") || strings.Contains(name, "0123456789") || strings.Contains(name, "ck_1") {
			t.Errorf("a secret is in %s", name)
		}
	}
	if again := account(site, Credential{User: "ana", Password: NewSecret("two")}, Credential{}); again != "user ana" {
		t.Error(again)
	}
	// The digest is PBKDF2's, so that it is the same tomorrow.
	const want = "token "
	if token, other := account(site, Credential{Token: secret}, Credential{}), account("https://b.example", Credential{Token: secret}, Credential{}); !strings.HasPrefix(token, want) || len(token) != len(want)+32 || token == other {
		t.Errorf("%s, on another site %s", token, other)
	}
}
