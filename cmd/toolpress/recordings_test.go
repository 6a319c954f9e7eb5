package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wptest/recorded"
)

// The four recorded sites through the whole command, without a curation: what
// is served is small, and says so.
func TestRecordedSites(t *testing.T) {
	for name, totals := range map[string]string{
		"wordpress-6.1":    "\n11 tools, about 2,129 tokens; the whole site would be 177 tools, about 39",
		"wordpress-6.8":    "\n11 tools, about 2,129 tokens; the whole site would be 196 tools, about 4",
		"wordpress-7.1":    "\n14 tools, about 2,574 tokens; the whole site would be 210 tools, about 4",
		"woocommerce-10.5": "\n20 tools, about 3,587 tokens; the whole site would be 896 tools, about 24",
	} {
		t.Run(name, func(t *testing.T) {
			site := httptest.NewServer(recorded.Handler(t, recorded.Dir(t, name)))
			defer site.Close()
			dir := t.TempDir()
			none := func(string) string { return "" }
			var out, said bytes.Buffer
			recording := filepath.Join(dir, "site.json")
			if code := run(context.Background(), []string{"discover", site.URL, "-o", recording}, none, nil, &out, &said); code != exitOK {
				t.Fatalf("%d: %s", code, &said)
			}
			if code := run(context.Background(), []string{"generate", "--from", recording, "-o", filepath.Join(dir, "catalog.json"), "--openapi", filepath.Join(dir, "openapi.json")}, none, nil, &out, &said); code != exitOK {
				t.Fatalf("%d: %s", code, &said)
			}
			if !strings.Contains(said.String(), totals) || strings.Contains(said.String(), "warning") {
				t.Errorf("want %q in\n%s", totals, &said)
			}
			t.Logf("\n%s", &said)
		})
	}
}
