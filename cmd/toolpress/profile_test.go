package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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
