// Package doctor runs toolpress doctor's checklist on a real WordPress behind
// a real nginx that misbehaves, and with a must-use plugin that does. It needs
// what test/wordpress/site prints, and nginx:
//
//	test/wordpress/site run -- go test ./test/doctor
package doctor

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"toolpress/discover/doctor"
	"toolpress/discover/wp"
)

// site is the WordPress; the test is skipped where there is none.
func site(t *testing.T) string {
	t.Helper()
	address := os.Getenv("TOOLPRESS_TEST_SITE")
	if address == "" {
		t.Skip("SKIP doctor on a real WordPress: no TOOLPRESS_TEST_SITE; run test/wordpress/site run -- go test ./test/doctor")
	}
	return address
}

// as is one of the site's users.
func as(role string) wp.Credential {
	return wp.Credential{User: os.Getenv("TOOLPRESS_TEST_" + role + "_USER"), Password: wp.NewSecret(os.Getenv("TOOLPRESS_TEST_" + role + "_PASSWORD"))}
}

// abilities are in WordPress since 6.9.
func abilities() bool {
	version := os.Getenv("TOOLPRESS_TEST_VERSION")
	return !strings.HasPrefix(version, "6.") || strings.HasPrefix(version, "6.9")
}

// examine runs the checklist and expects these checks not to be fine: ID →
// status and a part of the text. What Abilities and Rights say besides is left
// to other tests.
func examine(t *testing.T, address string, who wp.Credential, want map[string]string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	report := doctor.Run(t.Context(), u, doctor.Options{WP: wp.Options{Credential: who}})
	var text strings.Builder
	if err := doctor.WriteText(&text, report.Checks); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", text.String())
	if secret := who.Password.Reveal(); secret != "" && strings.Contains(text.String(), secret) {
		t.Error("the password shows")
	}
	seen := map[string]bool{}
	for _, c := range report.Checks {
		seen[c.ID] = true
		expected, is := want[c.ID]
		status, part, _ := strings.Cut(expected, " ")
		if !is {
			status = string(doctor.Fine)
			if c.ID == "abilities" && !abilities() {
				status, part = string(doctor.Warned), "came with 6.9"
			}
			if c.ID == "speed" { // the machine's affair
				continue
			}
		}
		if string(c.Status) != status || !strings.Contains(c.Evidence+" "+c.Remedy, part) {
			t.Errorf("%s is %s, want %s %q: %s", c.ID, c.Status, status, part, c.Evidence)
		}
	}
	for id := range want {
		if !seen[id] {
			t.Errorf("no check %s", id)
		}
	}
}

func TestNothingWrong(t *testing.T) {
	address := site(t)
	examine(t, address, as("EDITOR"), nil)
	examine(t, address+"/wp-login.php", as("EDITOR"), nil)
	t.Run("visitor", func(t *testing.T) {
		want := map[string]string{"credential": "warn nobody"}
		if abilities() {
			want["abilities"] = "warn not listed to visitors"
		}
		examine(t, address, wp.Credential{}, want)
	})
}

func TestCase_W58(t *testing.T) {
	examine(t, site(t), as("ADMIN"), map[string]string{"rights": "warn manage_options"})
}

// A wrong password, and one of the right shape.
func TestCase_W55(t *testing.T) {
	address := site(t)
	examine(t, address, wp.Credential{User: "editor", Password: wp.NewSecret("editor")}, map[string]string{"credential": "fail 24 letters and digits"})
	examine(t, address, wp.Credential{User: "editor", Password: wp.NewSecret("aBcD efGh 1234 iJkL mnOp 5678")}, map[string]string{"credential": "fail not an application password of editor"})
	other := as("AUTHOR")
	other.User = "editor"
	examine(t, address, other, map[string]string{"credential": "fail not an application password of editor"})
}

// The password is right and nginx drops the header: with XML-RPC that is
// certain, without it both are said.
func TestCase_W50(t *testing.T) {
	address := site(t)
	strip := nginx(t, address, `proxy_set_header Authorization "";`)
	examine(t, strip, as("EDITOR"), map[string]string{"credential": "fail The password is right"})
	closed := nginx(t, address, `proxy_set_header Authorization ""; location = /xmlrpc.php { return 403; }`)
	examine(t, closed, as("EDITOR"), map[string]string{"credential": "fail does not say which"})
}

func TestCase_W51(t *testing.T) {
	address := site(t)
	www := nginx(t, address, `return 301 https://www.shop.example$request_uri;`)
	examine(t, www, as("EDITOR"), map[string]string{"redirect": "fail use https://www.shop.example."})
}

func TestCase_W65(t *testing.T) {
	address := site(t)
	forbidden := nginx(t, address, `location /wp-json/ { return 403; }`)
	examine(t, forbidden, as("EDITOR"), map[string]string{"firewall": "fail a firewall answers in the site's place: 403 “403 Forbidden”"})
	password := nginx(t, address, `auth_basic "Staging"; auth_basic_user_file /dev/null;`)
	examine(t, password, as("EDITOR"), map[string]string{"firewall": "fail basic authentication"})
}

// nginx keeps what it got for the first who asked, as a host's page cache
// does that knows nothing of Authorization.
func TestCase_W66(t *testing.T) {
	address := site(t)
	kept := nginx(t, address, `location /wp-json/ {
		proxy_pass SITE; proxy_cache kept; proxy_cache_valid any 10m; proxy_cache_key $uri; proxy_ignore_headers Cache-Control Expires Set-Cookie;
		add_header X-Cache-Status $upstream_cache_status always;
	}`)
	examine(t, kept, as("EDITOR"), nil) // the first is not from the cache
	examine(t, kept, as("EDITOR"), map[string]string{"cache": "warn x-cache-status: HIT", "credential": "warn may be another user's"})
}

// What plugins do, with the real filters of core.
func TestPlugins(t *testing.T) {
	address := site(t)
	plugin(t)
	for _, c := range []struct {
		name, misbehaviour string
		want               map[string]string
	}{
		{"W62_notice", "notice", map[string]string{"json": "warn the must-use plugin toolpress-doctor.php"}},
		{"W62_byte_order_mark", "bom", map[string]string{"json": "warn byte order mark"}},
		{"W52_application_passwords_off", "off", map[string]string{"passwords": "warn the index offers none", "credential": "fail switched off"}},
		{"W53_closed", "closed", map[string]string{"root": "fail rest_disabled"}},
		{"W54_users_hidden", "hidden", hidden()},
		{"W90_fatal", "fatal", map[string]string{"root": "fail PHP error log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			examine(t, nginx(t, address, `proxy_set_header X-Misbehave `+c.misbehaviour+`;`), as("EDITOR"), c.want)
		})
	}
}

// hidden is what a site without its users' routes shows: the ability says who
// we are, where there is one.
func hidden() map[string]string {
	if abilities() {
		return nil
	}
	return map[string]string{"credential": "warn does not say who we are"}
}
