package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wptest"
	"toolpress/discover/wptest/recorded"
)

// begin writes a first curation of a site and checks it there, where it may
// bring no finding.
func begin(t *testing.T, address string, environment map[string]string) (text, checked string) {
	t.Helper()
	getenv := func(name string) string { return environment[name] }
	name := filepath.Join(t.TempDir(), "first.yaml")
	var out, said bytes.Buffer
	if code := run(context.Background(), []string{"init", address, "-o", name}, getenv, nil, &out, &said); code != exitOK {
		t.Fatalf("%d: %s", code, &said)
	}
	written, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if code := run(context.Background(), []string{"check", name}, getenv, nil, &out, &said); code != exitOK {
		t.Errorf("%d: %s\n%s\n%s", code, &said, &out, written)
	}
	// Of the site's own words check may say what it says of them anyway.
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "warning: ") && !strings.Contains(line, "a description has 40 to 600 characters") && !strings.Contains(line, "arguments without a description") {
			t.Errorf("%s", line)
		}
	}
	return string(written), out.String()
}

// The first curation of the demo's site, as its editor, as nobody and as who may
// least, serves what reads and nothing else.
func TestInitBookshop(t *testing.T) {
	shop := wptest.New()
	address, end, err := startBookshop(shop)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	text, _ := begin(t, address, nil)
	if !strings.Contains(text, "url: "+address+"\n") {
		t.Errorf("the site's address is not in\n%s", text)
	}
	for _, u := range shop.Users() {
		text, checked := begin(t, address, map[string]string{"TOOLPRESS_USER": u.Login, "TOOLPRESS_PASSWORD": u.Password})
		if strings.Contains(text, u.Password) {
			t.Errorf("the password is in\n%s", text)
		}
		if strings.Contains(checked, " adds ") || strings.Contains(checked, " changes ") {
			t.Errorf("%s: something writes:\n%s", u.Login, checked)
		}
		if u.Role == "editor" {
			for _, want := range []string{"\n  - { ability: bookshop/shop-hours, groups: [read] }", "\n  # - { ability: bookshop/set-price, writes: true, groups: [write] }", "\nextends: [preset:wordpress@1]\n"} {
				if !strings.Contains(text, want) {
					t.Errorf("want %q in\n%s", want, text)
				}
			}
		}
	}
}

// Those of the four recorded sites, over HTTP.
func TestInitRecorded(t *testing.T) {
	for name, totals := range map[string]string{
		"wordpress-6.1": "\n11 tools, ", "wordpress-6.8": "\n11 tools, ", "wordpress-7.1": "\n14 tools, ", "woocommerce-10.5": "\n20 tools, ",
	} {
		t.Run(name, func(t *testing.T) {
			site := httptest.NewServer(recorded.Handler(t, recorded.Dir(t, name)))
			defer site.Close()
			if _, checked := begin(t, site.URL, nil); !strings.Contains(checked, totals) {
				t.Errorf("want %q in\n%s", totals, checked)
			}
		})
	}
}
