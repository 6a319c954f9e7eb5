package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const webhookCuration = `version: 1
extends: [preset:wordpress@1]
site: { webhook: { secret_env: HOOK } }
tools: { find_news: { from: "ability:bookshop/new-arrivals", optional: true } }
`

// A webhook that is signed has the site read long before its poll, and clients are
// told of what changed; any other has not.
func TestWebhook(t *testing.T) {
	site := newChangingSite(t)
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, []byte(webhookCuration), 0o600); err != nil {
		t.Fatal(err)
	}
	env := site.env()
	env["HOOK"] = tokenA
	log := startIn(t, env, nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--poll", "1h", "--curation", name)
	log.Await(t, "Inspector", patience)
	url := after(log, "serving MCP at ")
	hooks := strings.TrimSuffix(url, "/mcp") + "/webhook"
	if want := "Webhooks        " + hooks; !strings.Contains(log.String(), want) {
		t.Errorf("%q is not said:\n%s", want, log)
	}
	session, changes := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, eras[0])
	send := func(url, body string, header func(h http.Header)) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		header(r.Header)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	admin := site.shop.Users()[0]
	if got := send(site.URL+"/wp-json/wp/v2/settings", `{"bookshop_extra":true}`, func(h http.Header) {
		h.Set("Content-Type", "application/json")
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(admin.Login+":"+admin.Password)))
	}); got != 200 {
		t.Fatalf("the plugin has no more abilities: %d", got)
	}
	const body = `{"action":"activated_plugin"}`
	signed := func(secret string) func(h http.Header) {
		return func(h http.Header) {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write([]byte(body))
			h.Set("X-WC-Webhook-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		}
	}
	before := site.reads.Load()
	if got := send(hooks, body, signed(tokenB)); got != 401 {
		t.Errorf("signed by somebody else: %d", got)
	}
	if got := send(hooks, body, signed(tokenA)); got != 202 {
		t.Errorf("signed: %d", got)
	}
	select {
	case <-changes:
	case <-time.After(patience):
		t.Fatalf("no list_changed came:\n%s", log)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "find_news" }) || site.reads.Load() != before+1 {
		t.Errorf("the site was read %d times: %v %v", site.reads.Load()-before, list, err)
	}
}

// R50: without its secret a curation with webhooks is not served over HTTP, and it
// is said which variable is missing; a secret that would not do is none.
func TestWebhookSecret(t *testing.T) {
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, []byte(webhookCuration), 0o600); err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]string{
		"":                                my(name, "the secret of the site's webhooks is not there: HOOK is empty or not set"),
		" \n":                             my(name, "the secret of the site's webhooks is not there: HOOK is empty or not set"),
		"hunter2":                         my(name, "the secret of the site's webhooks in HOOK has 7 characters"),
		"hunter2 hunter2 hunter2 hunter2": my(name, "the secret of the site's webhooks in HOOK has a space"),
		"hunter2&hunter2&hunter2&hunter2": my(name, "or one of & <"),
	} {
		var out strings.Builder
		code := run(t.Context(), []string{"serve", "http://127.0.0.1:1", "--listen", "127.0.0.1:0", "--curation", name}, func(v string) string { return map[string]string{"HOOK": secret}[v] }, nil, &out, &out)
		if code != exitUsage || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "hunter2") {
			t.Errorf("%q: %d %s", secret, code, &out)
		}
	}
	// Nobody can send one to a client's own toolpress.
	log := start(t, strings.NewReader(""), io.Discard, "demo", "--stdio", "--curation", name)
	log.Await(t, "stopped", patience)
}

// my is a message at the place of the variable's name.
func my(name, text string) string {
	if strings.HasPrefix(text, "or") {
		return text
	}
	return name + ":3:32: " + text
}
