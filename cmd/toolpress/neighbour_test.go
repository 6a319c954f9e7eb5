package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/login"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

// neighbourhood is the bookshop at / beside a site at /evil that is somebody
// else's; signed counts what that one got with a credential.
func neighbourhood(t *testing.T, evil http.HandlerFunc) (address string, signed *atomic.Int64) {
	t.Helper()
	shop, signed := wptest.New(), &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/evil") {
			shop.ServeHTTP(w, r)
			return
		}
		if r.Header.Get("Authorization") != "" {
			signed.Add(1)
		}
		evil(w, r)
	}))
	t.Cleanup(server.Close)
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	return server.URL, signed
}

// A site that names another's approval page, or another's address as its own,
// gets no password of the other.
func TestLoginBesideAnotherSite(t *testing.T) {
	index := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"name":"Evil","namespaces":["wp/v2"],"routes":{"/":{}},"authentication":{"application-passwords":{"endpoints":{
			"authorization":"http://` + r.Host + `/wp-admin/authorize-application.php"}}}}`))
	}
	for name, evil := range map[string]http.HandlerFunc{
		"its approval page": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/evil/wp-json/" {
				index(w, r)
				return
			}
			w.Header().Set("Link", `</evil/wp-json/>; rel="https://api.w.org/"`)
		},
		"its address": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", `</evil/>; rel="https://api.w.org/"`)
			index(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			address, signed := neighbourhood(t, evil)
			code, said := typed(t, func(*url.URL) { t.Error("a person was asked") }, "login", "--wait", "20s", address+"/evil/")
			if code != exitSite || !strings.Contains(said, "a password for the one is not for the other") || signed.Load() != 0 {
				t.Errorf("%d, %d signed\n%s", code, signed.Load(), said)
			}
			if sites := login.Sites(configDir()); len(sites) != 0 {
				t.Errorf("kept: %v", sites)
			}
		})
	}
}

// A site that has come to lead to another: the other's password stays.
func TestLogoutOfASiteThatMoved(t *testing.T) {
	address, _ := neighbourhood(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	for _, site := range []string{address, address + "/evil"} {
		if _, err := login.Save(configDir(), login.Stored{Site: site, Credential: wp.Credential{User: "ana", Password: wp.NewSecret("x")}}); err != nil {
			t.Fatal(err)
		}
	}
	code, said := typed(t, nil, "logout", "--revoke", address+"/evil")
	if code != exitSite || !strings.Contains(said, "leads to "+address+" now: nothing is deleted or forgotten") {
		t.Errorf("%d\n%s", code, said)
	}
	if sites := login.Sites(configDir()); len(sites) != 2 {
		t.Errorf("kept: %v", sites)
	}
}
