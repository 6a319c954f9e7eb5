// Package wire holds what toolpress checks and sends to a real WordPress: a
// value is taken here when rest_validate_value_from_schema takes it, and PHP
// receives what was meant. It needs TOOLPRESS_TEST_SITE:
//
//	test/wordpress/site run -- go test ./test/wire
//
// The inputs are drawn anew each time; -seed repeats a run.
package wire

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"net/url"
	"os"
	"testing"
	"time"

	"toolpress/discover"
	"toolpress/discover/wp"
)

var (
	seed   = flag.Int("seed", 0, "what the inputs are drawn from; 0 draws another each time")
	update = flag.Bool("update", false, "rewrite docs/validation.md")
)

// drawFrom is the seed of a test, printed so that a run can be repeated.
func drawFrom(t *testing.T) int {
	t.Helper()
	s := *seed
	if s == 0 {
		s = 1 + rand.IntN(1<<30)
	}
	t.Logf("drawn from -seed=%d", s)
	return s
}

// site is the real WordPress as its administrator, by the name that its plugin
// shows everything to.
func site(t *testing.T) *discover.Root {
	t.Helper()
	address, err := url.Parse(os.Getenv("TOOLPRESS_TEST_SITE"))
	if err != nil || address.Host == "" {
		t.Skip("no TOOLPRESS_TEST_SITE; run test/wordpress/site run -- go test ./test/wire")
	}
	root, err := discover.Find(t.Context(), address, wp.Options{
		Credential: wp.Credential{User: os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), Password: wp.NewSecret(os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))},
		UserAgent:  "bookshop-wire", Timeout: time.Minute, MaxBytes: 64 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(root.Client().Close)
	return root
}

// decode reads JSON as arguments are read: numbers keep their digits.
func decode(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
