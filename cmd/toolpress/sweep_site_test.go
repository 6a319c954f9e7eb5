package main

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/wptest"
	"toolpress/test/canary"
)

// planted are the secrets of one installation, by what they are. Two of them are
// derived, and what is private on the site is added by the test.
var planted = map[string]string{
	"the application password, with spaces":    "Wq3z R8Kd x0Zp Lm5T vB7n HyGc",
	"a profile's application password":         "t6Yb2NcQ9sJf4DkW8mXe1RgA",
	"the pair of user and password":            "editor:Wq3z R8Kd x0Zp Lm5T vB7n HyGc",
	"the consumer key":                         "ck_5f0c9a7be21d4486937fd0a1c2b3e4f5a6978801",
	"the consumer secret":                      "cs_81d2c3b4a5f60718293a4b5c6d7e8f9001122334",
	"the site's bearer token, a JWT":           "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkiLCJpYXQiOjF9.Zm9vL2Jhcis_cXV4LWNhbmFyeQ",
	"the server's token":                       "srv/0mDk+7Zq2=xVt9LpRw4Hc",
	"a profile's token":                        "prf-8sJvB3nQyT6kWd1XzGm5F",
	"a token of a file":                        "fil_2hRtY9uPc4LkQe7NvMb8S",
	"the state key":                            "st4te-K9mZ2xQ7vL5pR8wT1yBn",
	"the webhook's secret":                     "whk_Gd3Jf6Hs9Ka2Lq5Wn8Ez",
	"a password in an address":                 "uRl-pa55-Xk7Zm3Qv9Tb",
	"a token that a client sent, a JWT":        "eyJhbGciOiJub25lIn0.eyJhdWQiOiJlbHNld2hlcmUifQ.c2lnbmF0dXJlLW9mLW5vYm9keQ",
	"a cookie that the site sets":              "admin|1893456000|aB9cD8eF7gH6iJ5kL4mN3oP2",
	"a cookie that a client sent":              "wp-sess-Q1w2E3r4T5y6U7i8O9p0",
	"an argument whose name says it is secret": "hUnTeR2-and-s0me-m0re",
}

// secretsOf are what is planted, for [canary.Found].
func secretsOf(more ...canary.Secret) []canary.Secret {
	for what, value := range planted {
		more = append(more, canary.Secret{What: what, Value: value})
	}
	return more
}

// telling is a shop over TLS that knows the planted credentials and hides nothing of
// what it was sent.
type telling struct {
	*httptest.Server
	env map[string]string
	dir string // what toolpress may write, and tests look through
	own string // the operator's files, which hold secrets, and the curation
	// answer says it in some way; nil: the shop answers. It returns false for a
	// request that the shop answers all the same.
	answer atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
}

const tellingCuration = `version: 1
extends: [preset:wordpress@1, preset:woocommerce@1]
site:
  auth: { user_env: SWEEP_USER, password_env: SWEEP_PASSWORD }
  woocommerce: { key_env: SWEEP_KEY, secret_env: SWEEP_SECRET }
  webhook: { secret_env: SWEEP_WEBHOOK }
  upstream: { timeout: TIMEOUT, max_response: 1MiB }
defaults: { confirm: { when: never } }
tools:
  raw_orders: { from: GET /wc/v3/orders, cache: 1m, result: { raw: true } }
  raw_post: { from: "GET /wp/v2/posts/{id}", result: { raw: true } }
  keep_note: { from: POST /wp/v2/posts, args: { "*": hidden, title: {}, password: {}, excerpt: {} }, idempotency: { window: 1h } }
private: [{ match: { route: "/wp/v2/posts/**" }, fields: [excerpt, password] }]
profiles:
  default: {}
  editor: { token_env: SWEEP_EDITOR_TOKEN, auth: { user_env: SWEEP_DESK, password_file: DIR/password } }
  jwt: { token_file: DIR/tokens, auth: { token_env: SWEEP_JWT } }
`

func newTelling(t *testing.T, timeout string) *telling {
	t.Helper()
	shop := wptest.New(wptest.WooCommerce())
	users := shop.Users()
	editor, manager := users[1], users[4]
	s := &telling{dir: t.TempDir(), own: t.TempDir()}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "wordpress_logged_in", Value: planted["a cookie that the site sets"]})
		if answer := s.answer.Load(); answer != nil && (*answer)(w, r) {
			return
		}
		_, password, _ := r.BasicAuth()
		switch strings.ReplaceAll(password, " ", "") {
		case strings.ReplaceAll(planted["the application password, with spaces"], " ", ""), planted["a profile's application password"]:
			r.SetBasicAuth(editor.Login, editor.Password)
		case planted["the consumer secret"]:
			r.SetBasicAuth(manager.Login, manager.Password)
		default:
			if r.Header.Get("Authorization") == "Bearer "+planted["the site's bearer token, a JWT"] {
				r.SetBasicAuth(editor.Login, editor.Password)
			}
		}
		shop.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // connections that are cut are what is tried
	t.Cleanup(s.Close)
	for name, text := range map[string]string{
		"password": planted["a profile's application password"], "tokens": "# of nobody\n" + planted["a token of a file"] + "\n",
		"curation.yaml": strings.NewReplacer("DIR", s.own, "TIMEOUT", timeout).Replace(tellingCuration),
		"ca.pem":        string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})),
	} {
		if err := os.WriteFile(filepath.Join(s.own, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.env = map[string]string{
		"TOOLPRESS_SITE": s.URL, "TOOLPRESS_CA_FILE": filepath.Join(s.own, "ca.pem"), "XDG_STATE_HOME": s.dir, "XDG_CONFIG_HOME": filepath.Join(s.dir, "config"),
		"SWEEP_USER": editor.Login, "SWEEP_PASSWORD": planted["the application password, with spaces"], "SWEEP_KEY": planted["the consumer key"], "SWEEP_SECRET": planted["the consumer secret"],
		"SWEEP_WEBHOOK": planted["the webhook's secret"], "SWEEP_EDITOR_TOKEN": planted["a profile's token"], "SWEEP_DESK": editor.Login, "SWEEP_JWT": planted["the site's bearer token, a JWT"],
		"TOOLPRESS_TOKEN": planted["the server's token"], "TOOLPRESS_STATE_KEY": planted["the state key"], "TOOLPRESS_WEBHOOK_SECRET": planted["the webhook's secret"],
	}
	return s
}

// tells sets how the site answers; nil: as the shop does.
func (s *telling) tells(answer func(w http.ResponseWriter, r *http.Request) bool) {
	if answer == nil {
		s.answer.Store(nil)
		return
	}
	s.answer.Store(&answer)
}

// writes are the texts of all files below the directory, by name.
func (s *telling) writes(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// echoed is everything that a request and the answer to it hold.
func echoed(r *http.Request) string {
	return canary.Echo(r) + " " + planted["a cookie that the site sets"]
}

// refusing answers with WordPress's error.
func refusing(status int, code string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		text, _ := json.Marshal(map[string]any{"code": code, "message": echoed(r), "data": map[string]any{
			"status": status, "params": map[string]any{"status": echoed(r), "email": echoed(r)}, "trace": echoed(r),
		}})
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(text)
		return true
	}
}

// ways are how a site tells what it was sent.
var ways = map[string]func(http.ResponseWriter, *http.Request) bool{
	"nothing": nil,
	"401":     refusing(401, "rest_not_logged_in"), "401 of the shop": refusing(401, "woocommerce_rest_cannot_view"), "403": refusing(403, "rest_forbidden"),
	"404": refusing(404, "rest_no_route"), "400": refusing(400, "rest_invalid_param"), "429": refusing(429, "too_many"), "500": refusing(500, "ability_callback_exception"),
	"a page": func(w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(500)
		_, _ = fmt.Fprintf(w, "<html><head><title>%s</title></head><body>%s</body>", echoed(r), echoed(r))
		return true
	},
	"a page that is cut": func(w http.ResponseWriter, r *http.Request) bool { // in the middle of what it tells
		_, password, _ := r.BasicAuth()
		_, _ = fmt.Fprintf(w, "<html>%s%s", strings.Repeat("-", 100), password+r.Header.Get("Authorization"))
		return true
	},
	"a redirect": func(w http.ResponseWriter, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		w.Header().Set("Location", fmt.Sprintf("https://%s:%s@elsewhere.example/%[2]s/%[3]s?auth=%[2]s#%[3]s", user, strings.ReplaceAll(password, " ", ""), strings.ReplaceAll(r.Header.Get("Authorization"), " ", "%20")))
		w.WriteHeader(302)
		return true
	},
	"a notice": func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = fmt.Fprintf(w, "<br />\n<b>Notice</b>: %s in /var/www\n{\"id\":1,\"title\":{\"rendered\":\"x\"}}\n<!-- %[1]s -->", echoed(r))
		return true
	},
	"a list in a notice": func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = fmt.Fprintf(w, "Warning: %s\n[{\"id\":1}]", echoed(r))
		return true
	},
	"a value": func(w http.ResponseWriter, r *http.Request) bool {
		text, _ := json.Marshal(map[string]any{
			"name": echoed(r), "description": echoed(r), "url": "https://" + r.Host, "home": echoed(r), "namespaces": []string{"wp/v2", "wc/v3", echoed(r)},
			"authentication": map[string]any{echoed(r): true}, "username": canary.Swapped(r.Header.Get("Authorization")), "slug": echoed(r), "roles": []string{echoed(r)},
			"routes": map[string]any{"/x/v1/y": map[string]any{"namespace": "x/v1", "endpoints": []any{map[string]any{"methods": []string{"GET"}, "args": map[string]any{"a": map[string]any{"description": echoed(r)}}}}}},
		})
		_, _ = w.Write(text)
		return true
	},
	"too much": func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.WriteString(w, strings.Repeat(echoed(r)+" ", 1+(1<<20)/(1+len(echoed(r)))))
		return true
	},
	"too little": func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Length", "100000")
		_, _ = fmt.Fprintf(w, `{"id":%q`, echoed(r))
		return true
	},
	"a broken header": func(w http.ResponseWriter, r *http.Request) bool {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return false
		}
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", echoed(r))
		_ = c.Close()
		return true
	},
	"headers": func(w http.ResponseWriter, r *http.Request) bool {
		for _, name := range []string{"Server", "Via", "X-Powered-By", "X-Cache", "CF-Ray", "Content-Type", "X-WP-Total", "Allow", "Link", "Retry-After", "Date", "Content-Disposition", "ETag"} {
			w.Header().Set(name, r.Header.Get("Authorization"))
		}
		w.WriteHeader(503)
		return true
	},
}
