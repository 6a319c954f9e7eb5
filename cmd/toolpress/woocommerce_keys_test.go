package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"toolpress/discover/wptest"
)

// W72: over http WooCommerce takes no keys, and they are not sent; the words say why
// and what works instead. So do those about keys that are not a pair.
func TestCase_W72(t *testing.T) {
	var asked []string
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.Path) }))
	defer site.Close()
	for _, c := range []struct {
		site, key, secret string
		want              []string
	}{
		{site.URL, "ck_0123456789", "cs_9876543210", []string{"WooCommerce keys go only over https", "OAuth 1.0a", "use the site's https address", "an application password works"}},
		{"http://shop.example", "ck_0123456789", "cs_9876543210", []string{"WooCommerce keys go only over https"}},
		{"https://shop.example", "cs_9876543210", "ck_0123456789", []string{"TOOLPRESS_WC_KEY holds a consumer secret, or TOOLPRESS_WC_SECRET a consumer key: they are exchanged", "begins with ck_"}},
		{"https://shop.example", "ck_0123456789", "", []string{"one of TOOLPRESS_WC_KEY and TOOLPRESS_WC_SECRET is set"}},
		{"https://shop.example", "", "cs_9876543210", []string{"one of TOOLPRESS_WC_KEY and TOOLPRESS_WC_SECRET is set"}},
	} {
		env := map[string]string{"TOOLPRESS_SITE": c.site, "TOOLPRESS_WC_KEY": c.key, "TOOLPRESS_WC_SECRET": c.secret}
		var out bytes.Buffer
		code := run(t.Context(), []string{"check"}, func(name string) string { return env[name] }, nil, &out, &out)
		for _, want := range c.want {
			if code != exitUsage || !strings.Contains(out.String(), want) {
				t.Errorf("%s %s %s: exit %d\n%s\nwant %s", c.site, c.key, c.secret, code, &out, want)
			}
		}
		if strings.Contains(out.String(), "0123456789") || strings.Contains(out.String(), "9876543210") {
			t.Errorf("the keys are told: %s", &out)
		}
	}
	if len(asked) > 0 {
		t.Errorf("the site was asked %q", asked)
	}
}

// keyed is the shop over TLS, which knows a pair of consumer keys as its manager's:
// below wc/ alone, as the plugin does. asked is who asked what.
type keyed struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]string // path below /wp-json → user of the last request
	// refuse answers what comes with the keys; nil: the manager does.
	refuse func(w http.ResponseWriter)
}

func newKeyed(t *testing.T) (*keyed, map[string]string) {
	t.Helper()
	shop := wptest.New(wptest.WooCommerce())
	manager, editor := shop.Users()[4], shop.Users()[1]
	k := &keyed{asked: map[string]string{}}
	k.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/wp-json")
		user, password, _ := r.BasicAuth()
		k.mu.Lock()
		k.asked[path] = user
		k.mu.Unlock()
		if user == "ck_0123456789" && password == "cs_9876543210" {
			if k.refuse != nil {
				k.refuse(w)
				return
			}
			r.SetBasicAuth(manager.Login, manager.Password)
		}
		shop.ServeHTTP(w, r)
	}))
	t.Cleanup(k.Close)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: k.Certificate().Raw})
	if err := os.WriteFile(authority, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	return k, map[string]string{
		"TOOLPRESS_SITE": k.URL, "TOOLPRESS_CA_FILE": authority, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password,
		"TOOLPRESS_WC_KEY": "ck_0123456789", "TOOLPRESS_WC_SECRET": "cs_9876543210",
	}
}

// W73: keys are sent to wc/ and nowhere else; a refusal says what it means: nobody is
// seen, or somebody who may not, or a key that may only read.
func TestCase_W73(t *testing.T) {
	k, env := newKeyed(t)
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte("version: 1\nextends: [preset:wordpress@1, preset:woocommerce@1]\nprofiles: { default: {} }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	toolpress := func(args ...string) (string, int) {
		var out bytes.Buffer
		code := run(t.Context(), append(args, "--curation", curation), func(name string) string { return env[name] }, nil, &out, &out)
		return out.String(), code
	}
	if out, code := toolpress("call", "find_orders", "per_page=1"); code != exitOK || !strings.Contains(out, `"currency": "USD"`) {
		t.Fatalf("exit %d: %s", code, out)
	}
	if out, code := toolpress("call", "find_posts", "per_page=1"); code != exitOK {
		t.Fatalf("exit %d: %s", code, out)
	}
	for path, user := range k.asked {
		ours, below := user == "ck_0123456789", strings.HasPrefix(path, "/wc/")
		if ours != below {
			t.Errorf("%s was asked as %q", path, user)
		}
	}
	if k.asked["/wc/v3/orders"] == "" || k.asked["/wp/v2/posts"] == "" {
		t.Errorf("asked %v", k.asked)
	}
	for _, c := range []struct {
		status     int
		code       string
		call, seen []string
	}{
		{401, "woocommerce_rest_cannot_view", []string{"does not see who asks", "Authorization header", "https", "toolpress doctor"}, []string{"does not see who asks with the consumer keys: 401", "wp-config.php"}},
		{403, "woocommerce_rest_cannot_view", []string{"the account toolpress uses may not"}, []string{"does not let their user read products", "Shop manager"}},
		{401, "woocommerce_rest_authentication_error", []string{"Read/Write"}, []string{"knows the consumer key, and does not take it", "may only write"}},
	} {
		k.refuse = func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, fmt.Sprintf(`{"code":%q,"message":"Sorry.","data":{"status":%d}}`, c.code, c.status))
		}
		for _, asked := range []struct {
			args []string
			want []string
		}{{[]string{"call", "find_orders"}, c.call}, {[]string{"doctor"}, c.seen}} {
			out, _ := toolpress(asked.args...)
			for _, want := range asked.want {
				if !strings.Contains(out, want) {
					t.Errorf("%d %s, %s: %s\nhas no %q", c.status, c.code, asked.args[0], out, want)
				}
			}
		}
	}
}

// Money comes back as the shop writes it, text and number, whatever is picked, renamed
// or cut: no float touches it.
func TestMoneyKeepsItsDigits(t *testing.T) {
	const order = `{"id":727,"total":"0.10","total_tax":"12345678901234567890.12","line_items":[{"price":15.294117647058822646,"total":"1.10","subtotal":1.10}]}`
	site := newStore(t, map[string]string{"GET /wc/v3/orders/727": order})
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(`version: 1
tools:
  whole:  { from: "GET /wc/v3/orders/{id}", result: { raw: true } }
  picked: { from: "GET /wc/v3/orders/{id}", result: { pick: [total, total_tax, line_items.price, line_items.total, line_items.subtotal], rename: { total_tax: tax }, html: markdown, max_text: 30 } }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := as(site.URL, wptest.New().Users()[1])
	for _, tool := range []string{"whole", "picked"} {
		var out bytes.Buffer
		code := run(t.Context(), []string{"call", tool, "id=727", "--curation", curation}, func(name string) string { return env[name] }, nil, &out, &out)
		for _, want := range []string{`"total": "0.10"`, `"12345678901234567890.12"`, `"price": 15.294117647058822646`, `"total": "1.10"`, `"subtotal": 1.10`} {
			if code != exitOK || !strings.Contains(out.String(), want) {
				t.Errorf("%s: exit %d, no %s in %s", tool, code, want, &out)
			}
		}
	}
}
