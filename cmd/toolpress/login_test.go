package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/discover/login"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

// screen is what a person sees of a login; browser gets the address to open.
type screen struct {
	bytes.Buffer
	browser func(asked *url.URL)
}

var asksToOpen = regexp.MustCompile(`\n\n  (\S+)\n`)

func (s *screen) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if address := asksToOpen.FindSubmatch(p); address != nil && s.browser != nil {
		if u, err := url.Parse(string(address[1])); err == nil {
			go s.browser(u)
		}
	}
	return n, err
}

// approving is a browser whose person approves: what WordPress made is brought
// to success_url.
func approving(user, password string) func(*url.URL) {
	return func(asked *url.URL) {
		query := url.Values{"site_url": {asked.Scheme + "://" + asked.Host}, "user_login": {user}, "password": {password}}
		if resp, err := http.Get(asked.Query().Get("success_url") + "?" + query.Encode()); err == nil {
			resp.Body.Close()
		}
	}
}

// typed runs login or logout as a person types it, and gives the exit code and
// what is on the screen.
func typed(t *testing.T, browser func(*url.URL), args ...string) (int, string) {
	t.Helper()
	s := &screen{browser: browser}
	a := &app{getenv: func(string) string { return "" }, stdin: strings.NewReader(""), stdout: s, stderr: s}
	c := a.root()
	c.SetArgs(args)
	code := exitOK
	if err := c.ExecuteContext(t.Context()); err != nil {
		code = a.report(err)
	}
	return code, s.String()
}

// shop is the embedded WordPress, and one of its users.
func shop(t *testing.T, role string) (address string, who wptest.User) {
	t.Helper()
	site := wptest.New()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	for _, u := range site.Users() {
		if u.Role == role {
			who = u
		}
	}
	t.Chdir(t.TempDir()) // no curation.yaml
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	return server.URL, who
}

// The whole login and logout, and what later commands find.
func TestLogin(t *testing.T) {
	address, editor := shop(t, "editor")
	code, said := typed(t, approving(editor.Login, editor.Password), "login", address)
	if code != exitOK || !strings.Contains(said, "Logged in to Maple Street Books as editor (editor)") || strings.Contains(said, "administrator") || strings.Contains(said, editor.Password) {
		t.Fatalf("%d\n%s", code, said)
	}
	files, _ := filepath.Glob(filepath.Join(configDir(), "toolpress", "credentials", "*"))
	if len(files) != 1 || !strings.Contains(said, files[0]) {
		t.Fatalf("%v", files)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	a := &app{getenv: func(string) string { return "" }, stderr: &bytes.Buffer{}}
	found := func(opts wp.Options) (*discover.Site, error) {
		at, _ := url.Parse(address + "/wp-json/")
		root, err := a.find(t.Context(), at, "", opts)
		if err != nil {
			return nil, err
		}
		defer root.Client().Close()
		return root.Read(context.Background())
	}
	if site, err := found(wp.Options{}); err != nil || site.User == nil || site.User.Login != "editor" {
		t.Errorf("a later command is %+v, %v", site, err)
	}
	// A credential of the environment wins.
	if _, err := found(wp.Options{Credential: wp.Credential{User: "nobody", Password: wp.NewSecret("x")}}); !errors.Is(err, discover.ErrCredential) {
		t.Errorf("%v", err)
	}
	if err := os.Chmod(files[0], 0o644); err != nil {
		t.Fatal(err)
	}
	var f *failure
	if _, err := found(wp.Options{}); !errors.As(err, &f) || f.code != exitUsage || !strings.Contains(f.hint, "chmod 600") {
		t.Errorf("%v", err)
	}

	if code, said := typed(t, nil, "logout", address); code != exitOK || !strings.Contains(said, "Forgot") {
		t.Errorf("%d\n%s", code, said)
	}
	if _, err := os.Stat(files[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if site, err := found(wp.Options{}); err != nil || site.User != nil {
		t.Errorf("after logout: %+v, %v", site, err)
	}
}

// An administrator is warned, with the lines that make a smaller user; logging
// in twice says that the first password is still valid; logout how to revoke it.
func TestLoginAdministrator(t *testing.T) {
	address, admin := shop(t, "administrator")
	typed(t, approving(admin.Login, admin.Password), "login", address)
	code, said := typed(t, approving(admin.Login, admin.Password), "login", "--no-browser", address)
	for _, want := range []string{
		"warning: this user is an administrator", "wp user create toolpress toolpress@example.com --role=editor",
		address + "/wp-admin/user-new.php", "toolpress login --no-browser " + address, "before      a password of admin was kept",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if code != exitOK {
		t.Errorf("exit %d", code)
	}
	code, said = typed(t, nil, "logout", address+"/elsewhere")
	if code != exitFailed || !strings.Contains(said, "one is kept for "+address) {
		t.Errorf("%d\n%s", code, said)
	}
	_, said = typed(t, nil, "logout", address+"/")
	for _, want := range []string{"Users → Profile → Application Passwords", "toolpress on ", address + "/wp-admin/profile.php#application-passwords-section"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// Logins that keep nothing, and what each says.
func TestLoginFails(t *testing.T) {
	address, editor := shop(t, "editor")
	off := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"name":"S","namespaces":["wp/v2"],"authentication":[],"routes":{"/":{}}}`)
	}))
	defer off.Close()
	rejecting := func(asked *url.URL) {
		if resp, err := http.Get(asked.Query().Get("reject_url")); err == nil {
			resp.Body.Close()
		}
	}
	for name, c := range map[string]struct {
		browser func(*url.URL)
		args    []string
		code    int
		says    string
	}{
		"rejected":               {rejecting, []string{address}, exitFailed, "nothing was changed"},
		"not taken":              {approving(editor.Login, "made elsewhere"), []string{address}, exitSite, "strips the Authorization header"},
		"no answer":              {nil, []string{"--wait", "1ns", address}, exitFailed, "no answer came"},
		"plain http":             {nil, []string{"http://shop.example"}, exitUsage, "only over https"},
		"plain http, by address": {nil, []string{"http://192.0.2.1:8080/blog"}, exitUsage, "only over https"},
		"switched off":           {nil, []string{off.URL}, exitSite, "application passwords are switched off on this site"},
		"nobody there":           {nil, []string{"http://127.0.0.1:1"}, exitSite, "looking for the site"},
		"a recording":            {nil, []string{"--from", "site.json"}, exitUsage, "a recording has no login"},
		"no site":                {nil, nil, exitUsage, "no site is named"},
	} {
		t.Run(name, func(t *testing.T) {
			code, said := typed(t, c.browser, append([]string{"login", "--no-browser"}, c.args...)...)
			if code != c.code || !strings.Contains(said, c.says) || strings.Contains(said, "made elsewhere") {
				t.Errorf("%d\n%s", code, said)
			}
		})
	}
	if sites := login.Sites(configDir()); len(sites) > 0 {
		t.Errorf("kept: %v", sites)
	}
}

// Without a route that tells which password is used, nothing is revoked, and
// nothing forgotten.
func TestLogoutCannotRevoke(t *testing.T) {
	address, editor := shop(t, "editor")
	typed(t, approving(editor.Login, editor.Password), "login", address)
	code, said := typed(t, nil, "logout", "--revoke", address)
	if code != exitSite || !strings.Contains(said, "it is still kept") {
		t.Errorf("%d\n%s", code, said)
	}
	if _, kept, err := login.Lookup(configDir(), address); !kept || err != nil {
		t.Errorf("%v, %v", kept, err)
	}
}
