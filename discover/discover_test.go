package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/wp"
	"toolpress/discover/wptest/recorded"
)

const smallIndex = `{"name":"S","namespaces":["wp/v2"],"authentication":[],"routes":{
	"/":{"namespace":"","methods":["GET"],"endpoints":[{"methods":["GET"],"args":[]}]},
	"/wp/v2/posts/(?P<id>[\\d]+)":{"namespace":"wp/v2","endpoints":[{"methods":["GET"],"args":{"id":{"type":"integer"}}}],"schema":{"title":"post"}}}}`

// withAbilities adds the Abilities API to an index.
func withAbilities(index string) string {
	return strings.Replace(index, `"routes":{`, `"routes":{"/wp-abilities/v1/abilities":{"namespace":"wp-abilities/v1","endpoints":[]},`, 1)
}

func serve(t *testing.T, handler http.Handler) (*url.URL, *atomic.Int64) {
	t.Helper()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	u, _ := url.Parse(server.URL)
	return u, &requests
}

func read(t *testing.T, address *url.URL, opts wp.Options) (*Site, error) {
	t.Helper()
	root, err := Find(context.Background(), address, opts)
	if err != nil {
		return nil, err
	}
	t.Cleanup(root.Client().Close)
	return root.Read(context.Background())
}

// W59, W60, W61, T01: the root is found, and only its path is believed.
func TestFindRoot(t *testing.T) {
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another origin was contacted") }))
	defer canary.Close()
	index := func(w http.ResponseWriter) { fmt.Fprint(w, smallIndex) }
	page := func(w http.ResponseWriter, link string) {
		if link != "" {
			w.Header().Add("Link", `</a,b.css>; rel=preload; title="https://api.w.org/", <`+link+`>; rel="https://api.w.org/"`)
		}
		fmt.Fprint(w, "<html>")
	}
	for name, c := range map[string]struct {
		asked       string
		site        http.HandlerFunc
		front, root string
		from        RootSource
	}{
		"link": {"/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wp-json/" {
				index(w)
				return
			}
			page(w, canary.URL+"/wp-json/")
		}, "", "/wp-json/", FromLink},
		"another prefix below a subdirectory, from an article": {"/blog/hello-world/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/blog/api/" {
				index(w)
				return
			}
			page(w, canary.URL+"/blog/api/")
		}, "/blog", "/blog/api/", FromLink},
		"a link in the page alone": {"/blog/hello/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/blog/rest/" {
				index(w)
				return
			}
			fmt.Fprint(w, `<!doctype html><head><title>x</title><link rel='https://api.w.org/' href='`+canary.URL+`/blog/rest/'></head><body>`+strings.Repeat("x", 5<<20))
		}, "/blog", "/blog/rest/", FromHTML},
		"a link in the text is none": {"/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wp-json/" {
				index(w)
				return
			}
			fmt.Fprint(w, `<html><head></head><body><link rel="https://api.w.org/" href="/evil/"></body>`)
		}, "", "/wp-json/", FromPath},
		"plain permalinks": {"/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("rest_route") == "/" && r.URL.Path == "/blog/index.php" {
				index(w)
				return
			}
			page(w, "/blog/index.php?rest_route=/")
		}, "/blog", "/blog/index.php?rest_route=/", FromLink},
		"no header": {"/blog/2025/hello/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/blog/wp-json/" {
				index(w)
				return
			}
			page(w, "")
		}, "/blog", "/blog/wp-json/", FromPath},
		"no header, pretty permalinks answer rest_route everywhere": {"/2025/hello/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wp-json/" || r.URL.Query().Has("rest_route") {
				index(w)
				return
			}
			page(w, "")
		}, "", "/wp-json/", FromPath},
		"the page redirects": {"/old/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wp-json/" {
				index(w)
				return
			}
			http.Redirect(w, r, canary.URL, http.StatusFound)
		}, "", "/wp-json/", FromPath},
		"a redirect to its slash, beside another site": {"/blog", func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/wp-json/":
				index(w) // the other
			case r.URL.Path == "/blog":
				http.Redirect(w, r, "/blog/", http.StatusMovedPermanently)
			case r.URL.Path == "/blog/index.php":
				index(w)
			case r.URL.Path == "/blog/":
				page(w, "/blog/index.php?rest_route=/")
			}
		}, "/blog", "/blog/index.php?rest_route=/", FromLink},
		"wp-admin of a site beside another": {"/blog/wp-admin/edit.php", func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/wp-json/", "/blog/api/":
				index(w)
			case "/blog/":
				page(w, "/blog/api/")
			}
		}, "/blog", "/blog/api/", FromLink},
		"the login page, and pages that say nothing": {"/blog/wp-login.php", func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/wp-json/", r.URL.Path == "/blog/api/":
				index(w)
			case r.URL.Path == "/blog/" && r.URL.Query().Has("rest_route"):
				w.Header().Set("Link", `<`+canary.URL+`/blog/api/>; rel="https://api.w.org/"`)
				index(w)
			}
		}, "/blog", "/blog/api/", FromRestRoute},
		"nothing but the index says where the site is": {"/blog/hello/", func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/wp-json/":
				index(w)
			case r.URL.Query().Has("rest_route"):
				fmt.Fprint(w, strings.Replace(smallIndex, `{"name"`, `{"home":"https://shop.example/blog","name"`, 1))
			}
		}, "/blog", "/blog/?rest_route=/", FromRestRoute},
		"a redirect to a page that says nothing, beside another site": {"/blog", func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/wp-json/", "/blog/wp-json/":
				index(w)
			case "/blog":
				http.Redirect(w, r, "/closed/", http.StatusFound)
			}
		}, "/blog", "/blog/wp-json/", FromPath},
		"permalinks without rewriting": {"/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/index.php/wp-json/" {
				index(w)
				return
			}
			page(w, "/index.php/wp-json/")
		}, "", "/index.php/wp-json/", FromLink},
		"redirects without an end": {"/0", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wp-json/" {
				index(w)
				return
			}
			if !strings.HasSuffix(r.URL.Path, "/") {
				if r.URL.Path == "/00000" {
					t.Error("a fourth redirect was followed")
				}
				http.Redirect(w, r, r.URL.Path+"0", http.StatusFound)
			}
		}, "", "/wp-json/", FromPath},
		"no header, plain permalinks": {"/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("rest_route") {
				index(w)
				return
			}
			page(w, "")
		}, "", "/?rest_route=/", FromRestRoute},
	} {
		t.Run(name, func(t *testing.T) {
			at, _ := serve(t, c.site)
			site, err := read(t, at.JoinPath(c.asked), wp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := []string{at.String() + c.front, at.String() + c.root, string(c.from)}
			if diff := cmp.Diff(want, []string{site.URL, site.Root, string(site.RootFrom)}); diff != "" {
				t.Error(diff)
			}
			if len(site.Routes) != 2 || site.Routes[1].Path != "/wp/v2/posts/{id}" {
				t.Errorf("routes: %+v", site.Routes)
			}
		})
	}
}

func TestParseAddress(t *testing.T) {
	for given, want := range map[string]string{
		"shop.example": "https://shop.example", "shop.example/blog/": "https://shop.example/blog/", "localhost:8080": "http://localhost:8080",
		"127.0.0.1:80/x": "http://127.0.0.1:80/x", " http://a.example#top ": "http://a.example",
	} {
		if u, err := ParseAddress(given); err != nil || u.String() != want {
			t.Errorf("%q: %v, %v", given, u, err)
		}
	}
	for _, bad := range []string{"", "ftp://a.example", "https://ana:hunter2@a.example", "https://", "https://a b:hunter2@x"} {
		if u, err := ParseAddress(bad); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v, %v", bad, u, err)
		}
	}
}

// The four recorded sites: every route is read, in a handful of requests.
func TestRecordings(t *testing.T) {
	for name, want := range map[string]struct {
		routes, endpoints, abilities int
		requests                     int64
		state                        AbilitiesState
	}{
		"wordpress-6.1":    {110, 177, 0, 3, AbilitiesAbsent},
		"wordpress-6.8":    {121, 196, 0, 3, AbilitiesAbsent},
		"wordpress-7.1":    {133, 208, 3, 5, AbilitiesListed},
		"woocommerce-10.5": {652, 955, 3, 5, AbilitiesListed},
	} {
		t.Run(name, func(t *testing.T) {
			address, requests := serve(t, recorded.Handler(t, recorded.Dir(t, name)))
			site, err := read(t, address, wp.Options{Credential: wp.Credential{User: "admin", Password: wp.NewSecret("hunter2")}})
			if err != nil {
				t.Fatal(err)
			}
			endpoints := 0
			for _, r := range site.Routes {
				endpoints += len(r.Endpoints)
				if r.Unreadable != "" {
					t.Errorf("route %s: %s", r.Pattern, r.Unreadable)
				}
			}
			if len(site.Routes) != want.routes || endpoints != want.endpoints || len(site.Abilities) != want.abilities || site.AbilitiesAPI != want.state {
				t.Errorf("%d routes, %d endpoints, %d abilities, %s", len(site.Routes), endpoints, len(site.Abilities), site.AbilitiesAPI)
			}
			if got := requests.Load(); got != want.requests {
				t.Errorf("%d requests, want %d", got, want.requests)
			}
			once, err := Encode(site)
			if err != nil {
				t.Fatal(err)
			}
			back, err := Decode(once)
			if err != nil {
				t.Fatal(err)
			}
			twice, _ := Encode(back)
			if !bytes.Equal(once, twice) {
				t.Error("a recording read and written again differs")
			}
			if bytes.Contains(once, []byte("hunter2")) {
				t.Error("the recording holds the credential")
			}
		})
	}
}

// The recording does not depend on the order in which PHP wrote its objects.
func TestRecordingIgnoresOrder(t *testing.T) {
	shuffled := `{"routes":{
	"/wp/v2/posts/(?P<id>[\\d]+)":{"schema":{"title":"post"},"endpoints":[{"args":{"id":{"type":"integer"}},"methods":["GET"]}],"namespace":"wp/v2"},
	"/":{"namespace":"","methods":["GET"],"endpoints":[{"methods":["GET"],"args":[]}]}},"authentication":[],"namespaces":["wp/v2"],"name":"S"}`
	var recordings [2][]byte
	for i, index := range []string{smallIndex, shuffled} {
		var s Site
		if err := readIndex([]byte(index), &s); err != nil {
			t.Fatal(err)
		}
		recordings[i], _ = Encode(&s)
	}
	if diff := cmp.Diff(string(recordings[0]), string(recordings[1])); diff != "" {
		t.Error(diff)
	}
}

// W24: all pages, also where a page lacks its headers.
func TestAbilitiesPages(t *testing.T) {
	at, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/wp-json/wp-abilities/v1/abilities":
			var items []map[string]any
			from, to := 0, 100
			if r.URL.Query().Get("page") == "2" {
				from, to = 99, 101 // one is listed twice
			} else {
				w.Header().Set("Link", `<http://other.example/?page=2>; rel="next"`)
			}
			for i := from; i < to; i++ {
				items = append(items, map[string]any{"name": fmt.Sprintf("a/b%03d", 200-i), "input_schema": []any{}})
			}
			_ = json.NewEncoder(w).Encode(items)
		case "/wp-json/wp-abilities/v1/categories":
			fmt.Fprint(w, `[]`)
		case "/wp-json/":
			fmt.Fprint(w, withAbilities(smallIndex))
		}
	}))
	site, err := read(t, at, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(site.Abilities) != 101 || site.Abilities[0].Name != "a/b100" || site.Abilities[0].InputSchema != nil {
		t.Errorf("%d abilities, first %+v", len(site.Abilities), site.Abilities[0])
	}
	if diff := cmp.Diff([]string{"ability a/b101 is listed twice"}, site.Notes); diff != "" {
		t.Error(diff)
	}
}

// W23, W46: "not permitted" is not "none", and a page that fails is no end.
func TestAbilitiesStates(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		state  AbilitiesState
		failed bool
	}{
		"unauthorised": {401, `{"code":"rest_forbidden","message":"","data":{"status":401}}`, AbilitiesNotPermitted, false},
		"absent":       {404, `{"code":"rest_no_route","message":"","data":{"status":404}}`, AbilitiesAbsent, false},
		"none":         {200, `[]`, AbilitiesListed, false},
		"broken":       {500, `{"code":"internal_server_error","message":"","data":{"status":500}}`, "", true},
		"html":         {200, `<html>`, "", true},
	} {
		at, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wp-json/wp-abilities/v1/abilities" {
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
				return
			}
			if strings.HasSuffix(r.URL.Path, "/categories") {
				fmt.Fprint(w, "[]")
				return
			}
			fmt.Fprint(w, withAbilities(smallIndex))
		}))
		site, err := read(t, at, wp.Options{})
		if (err != nil) != c.failed || (err == nil && site.AbilitiesAPI != c.state) {
			t.Errorf("%s: %+v, %v", name, site, err)
		}
	}
}

// W50–W55, W65, T16: what stands in the way is named, with what to do.
func TestAdvice(t *testing.T) {
	reply := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	envelope := func(code string) string { return fmt.Sprintf(`{"code":%q,"message":"m","data":{"status":401}}`, code) }
	for name, c := range map[string]struct {
		site   http.HandlerFunc
		advice string
		is     error
	}{
		"header stripped": {func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/users/me") {
				reply(401, "application/json", envelope("rest_not_logged_in"))(w, r)
				return
			}
			fmt.Fprint(w, smallIndex)
		}, "CGIPassAuth On", ErrCredential},
		"login password": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				reply(401, "application/json", envelope("incorrect_password"))(w, r)
				return
			}
			fmt.Fprint(w, smallIndex)
		}, "must be an application password", ErrCredential},
		"switched off": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				reply(401, "application/json", envelope("application_passwords_disabled"))(w, r)
				return
			}
			fmt.Fprint(w, smallIndex)
		}, "switched off", ErrCredential},
		"challenge":      {reply(200, "text/html", "<!DOCTYPE html><title>Just a moment...</title>"), "firewall", ErrNoRoot},
		"no WordPress":   {reply(404, "text/html", "<html><title>Not Found</title>"), "is it a page of a WordPress site?", ErrNoRoot},
		"redirect":       {http.RedirectHandler("https://www.shop.example/", http.StatusMovedPermanently).ServeHTTP, "use https://www.shop.example/ as the site's address", nil},
		"maintenance":    {reply(503, "text/html", "<html>Briefly unavailable for scheduled maintenance."), "maintenance", nil},
		"other JSON":     {reply(200, "application/json", `{"a":1}`), "JSON that is not WordPress's", ErrNoRoot},
		"signed-in page": {http.RedirectHandler("/wp-login.php?x=1", http.StatusFound).ServeHTTP, "without /wp-admin", nil},
		"forbidden": {func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/wp-json") {
				reply(403, "application/json", `{"code":"rest_cannot_access","message":"m","data":{"status":403}}`)(w, r)
			}
		}, "rest_cannot_access says which rule", nil},
	} {
		at, _ := serve(t, c.site)
		_, err := read(t, at, wp.Options{Credential: wp.Credential{User: "ana", Password: wp.NewSecret("x")}})
		if advice := Advice(err); !strings.Contains(advice, c.advice) {
			t.Errorf("%s: %v\nadvice: %s", name, err, advice)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v is not %v", name, err, c.is)
		}
	}
}

// The front page's head tells the version and the language; the language of who asks
// is not the one of the texts.
func TestStamps(t *testing.T) {
	for me, want := range map[string]string{`"locale":"de_DE"`: "7.1.3 en_US", `"locale":""`: "7.1.3 en_US"} {
		at, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, `<!doctype html><html lang="en-US"><head><meta name="generator" content="WordPress 7.1.3"><link rel="https://api.w.org/" href="/wp-json/"></head>`)
			case "/wp-json/":
				fmt.Fprint(w, smallIndex)
			default:
				fmt.Fprintf(w, `{"id":3,"username":"ana","roles":["editor"],"capabilities":[],%s}`, me)
			}
		}))
		site, err := read(t, at, wp.Options{Credential: wp.Credential{User: "ana", Password: wp.NewSecret("x")}})
		if err != nil {
			t.Fatal(err)
		}
		if got := site.WordPress + " " + site.Locale; got != want || site.User.ID != "3" {
			t.Errorf("%s: %s, %+v", me, got, site.User)
		}
	}
}

func TestNoiseIsNoted(t *testing.T) {
	at, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wp-json/" {
			fmt.Fprint(w, "Notice: x\n"+smallIndex+"<!-- y -->")
		}
	}))
	site, err := read(t, at, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`the index: the site printed text before its JSON: "Notice: x"`, `the index: the site printed text after its JSON: "<!-- y -->"`}
	if diff := cmp.Diff(want, site.Notes); diff != "" {
		t.Error(diff)
	}
}

func TestParsePattern(t *testing.T) {
	for pattern, want := range map[string]string{
		`/`:                            "/",
		`/wp/v2/posts/(?P<id>[\d]+)`:   "/wp/v2/posts/{id}",
		`/a/(?<x>[^)]+)/b/(?'y'(a|b))`: "/a/{x}/b/{y}",
		`/t/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/]+)?)[\/\w%-]+)/r`: "/t/{id}/r",
		`/a/(?P<x>[]()]+)z`: "/a/{x}z",
		`/oembed\/1\.0`:     "/oembed/1.0",
	} {
		if got, _, err := ParsePattern(pattern); err != nil || got != want {
			t.Errorf("%s: %q, %v", pattern, got, err)
		}
	}
	for _, bad := range []string{`/a(?:/b)?`, `/(?P<id>[\d]+`, `/a/[\d]+`, `/a/(?P<x>a)(?P<x>b)`, `/a/(?<=b)c`, `/a/(b)`, `/a?`, `/a/\d+`, `/{id}`} {
		if got, _, err := ParsePattern(bad); err == nil {
			t.Errorf("%s was read as %s", bad, got)
		}
	}
}

func FuzzParsePattern(f *testing.F) {
	f.Add(`/wp/v2/posts/(?P<id>[\d]+)`)
	f.Add(`/x/(?P<a>([^\/]+(?:\/[^)]+)?)[\/\w%-]+)`)
	f.Fuzz(func(t *testing.T, pattern string) {
		path, params, err := ParsePattern(pattern)
		if err == nil && strings.Count(path, "{") != len(params) {
			t.Fatalf("%q: %q has not %d groups", pattern, path, len(params))
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	for _, bad := range []string{"", "{}", `{"format":"toolpress/site/2"}`, `{"format":"toolpress/site/1","routes":3}`} {
		if _, err := Decode([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// BenchmarkRead reads the largest recording over loopback: what a poll of a
// shop with 652 routes costs.
func BenchmarkRead(b *testing.B) {
	server := httptest.NewServer(recorded.Handler(b, recorded.Dir(b, "woocommerce-10.5")))
	defer server.Close()
	address, _ := url.Parse(server.URL)
	root, err := Find(context.Background(), address, wp.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer root.Client().Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := root.Read(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// No place that is only guessed is asked with the credential.
func TestGuessesAreAnonymous(t *testing.T) {
	var signed []string
	at, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			signed = append(signed, r.URL.RequestURI())
		}
		if strings.HasPrefix(r.URL.Path, "/~ana/wp-json/") {
			fmt.Fprint(w, smallIndex)
		}
	}))
	root, err := Find(t.Context(), at.JoinPath("/~ana/blog/"), wp.Options{Credential: wp.Credential{User: "ana", Password: wp.NewSecret("x")}})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Client().Close()
	if root.URL != at.String()+"/~ana" || len(signed) != 0 {
		t.Errorf("%s; signed: %v", root.URL, signed)
	}
	_, _ = root.Read(t.Context())
	if len(signed) == 0 || !strings.HasPrefix(signed[0], "/~ana/wp-json/") {
		t.Errorf("signed: %v", signed)
	}
}
