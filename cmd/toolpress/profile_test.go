package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wptest"
)

const twoProfiles = `version: 1
extends: [preset:wordpress@1]
server: { name: bookshop }
profiles:
  default: { groups: [read] }
  admin:
    token_env: ADMIN_TOKEN
    auth: { user_env: ADMIN_USER, password_env: ADMIN_PASSWORD }
`

// A profile's calls are made as its own user and no other: without that user
// nothing is asked of the site.
func TestProfileCallsAsItsUser(t *testing.T) {
	shop := wptest.New()
	var mu sync.Mutex
	var users []string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.String(), "/wp/v2/posts") && r.Method == http.MethodGet {
			user, _, _ := r.BasicAuth()
			mu.Lock()
			users = append(users, user)
			mu.Unlock()
		}
		shop.ServeHTTP(w, r)
	}))
	defer site.Close()
	name := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(name, []byte(twoProfiles), 0o600); err != nil {
		t.Fatal(err)
	}
	admin, editor := shop.Users()[0], shop.Users()[1]
	env := map[string]string{
		"TOOLPRESS_SITE": site.URL, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password,
		"ADMIN_USER": admin.Login, "ADMIN_PASSWORD": admin.Password, "ADMIN_TOKEN": "0123456789abcdef",
	}
	toolpress := func(args ...string) (int, string) {
		users = nil
		var out bytes.Buffer
		// A serve that gets as far as its site would otherwise go on.
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return run(ctx, append(args, "--curation", name), func(v string) string { return env[v] }, strings.NewReader(""), &out, &out), out.String()
	}
	for profile, want := range map[string]string{"default": editor.Login, "admin": admin.Login} {
		if code, out := toolpress("call", "find_posts", "--profile", profile); code != exitOK || len(users) != 1 || users[0] != want {
			t.Errorf("%s: %d, asked as %v, want %s\n%s", profile, code, users, want, out)
		}
	}
	if code, out := toolpress("call", "find_posts", "--profile", "nobody"); code != exitUsage || !strings.Contains(out, "name one with --profile: default, admin") {
		t.Errorf("%d %s", code, out)
	}
	for variable, want := range map[string]string{
		"ADMIN_USER":     "the account of the profile admin is not there: ADMIN_USER is empty or not set",
		"ADMIN_PASSWORD": "the account of the profile admin is not there: ADMIN_PASSWORD is empty or not set",
		"ADMIN_TOKEN":    "the profile admin names a variable that is not set: ADMIN_TOKEN",
	} {
		kept := env[variable]
		env[variable] = ""
		if code, out := toolpress("serve", "--stdio", "--profile", "admin"); code != exitUsage || !strings.Contains(out, want) {
			t.Errorf("serve without %s: %d %s", variable, code, out)
		}
		code, out := toolpress("call", "find_posts", "--profile", "admin")
		if called := code == exitOK; called != (variable == "ADMIN_TOKEN") || !called && len(users) > 0 {
			t.Errorf("call without %s: %d, asked as %v\n%s", variable, code, users, out)
		}
		env[variable] = kept
	}
	env["ADMIN_TOKEN"] = "short"
	if code, out := toolpress("serve", "--stdio"); code != exitUsage || !strings.Contains(out, "has 5 characters") {
		t.Errorf("serve with a short token: %d %s", code, out)
	}
}

// Every profile is served at its own address and listed there; an edit that adds
// or drops one is followed, one that names a token that is not there is not used.
func TestServeProfiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "my.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const head = "version: 1\nextends: [preset:wordpress@1]\nserver: { name: bookshop, prefix: b_, instructions: Be brief. }\nprofiles:\n  posts: { groups: [read], tools: { find_pages: false, read_page: false } }\n"
	write(head + "  all: { groups: [read] }\n")
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--curation", name)
	log.Await(t, "Inspector", patience)
	_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
	url := strings.Fields(rest)[0]
	base, isFirst := strings.CutSuffix(url, "/mcp/all")
	for _, text := range []string{"\n  " + base + "/mcp/all\n  " + base + "/mcp/posts\n", "claude mcp add --transport http bookshop " + url, "profile posts, at /mcp/posts: 9 tools"} {
		if !isFirst || !strings.Contains(log.String(), text) {
			t.Errorf("%q is not said:\n%s", text, log)
		}
	}
	for path, want := range map[string]int{"/mcp/all": 11, "/mcp/posts": 9} {
		session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: base + path}, eras[0])
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != want || list.Tools[0].Name[:7] != "b_find_" {
			t.Errorf("%s: %v, %v", path, list, err)
		}
		if init := session.InitializeResult(); init.ServerInfo.Name != "bookshop" || !strings.HasPrefix(init.Instructions, "Be brief.\n\nTools of") {
			t.Errorf("%s: %+v %q", path, init.ServerInfo, init.Instructions)
		}
	}
	answer, err := http.Post(base+"/mcp", "application/json", strings.NewReader("{}"))
	if err != nil || answer.StatusCode != http.StatusNotFound {
		t.Errorf("without a default profile: %v %v", answer, err)
	}
	_ = answer.Body.Close()

	write(head + "  closed: { token_env: CLOSED_TOKEN }\n")
	log.Await(t, "the profile closed names a variable that is not set: CLOSED_TOKEN", patience)
	log.Await(t, "is not used", patience)
	write(head + "  pages: { groups: [read], tools: { find_posts: false } }\n")
	log.Await(t, "the profile all is no longer served", patience)
	log.Await(t, "pages: 10 tools (+b_find_authors", patience)
	if answer, err = http.Post(base+"/mcp/all", "application/json", strings.NewReader("{}")); err != nil || answer.StatusCode != http.StatusNotFound {
		t.Errorf("a profile that is gone: %v %v", answer, err)
	}
	_ = answer.Body.Close()
}
