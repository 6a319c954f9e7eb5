package wptest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

// start serves a fresh bookshop.
func start(t *testing.T) (*wptest.Site, *url.URL) {
	t.Helper()
	site := wptest.New()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return site, at
}

// client is a credential's, at the site's REST root.
func client(t *testing.T, site *wptest.Site, at *url.URL, login string) *discover.Root {
	t.Helper()
	opts := wp.Options{}
	for _, u := range site.Users() {
		if u.Login == login {
			opts.Credential = wp.Credential{User: u.Login, Password: wp.NewSecret(u.Password)}
		}
	}
	root, err := discover.Find(t.Context(), at, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(root.Client().Close)
	return root
}

func do(t *testing.T, root *discover.Root, method, path string, query wp.Query, body any) map[string]any {
	t.Helper()
	resp, err := root.Client().Do(t.Context(), wp.Request{Method: method, Segments: strings.Split(path, "/"), Query: query, Body: body})
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	var object map[string]any
	if json.Unmarshal(resp.JSON, &object) != nil {
		object = map[string]any{"value": string(resp.JSON), "total": resp.Header.Get("X-WP-Total")}
	}
	return object
}

// refused is the code of the error a request must get.
func refused(t *testing.T, root *discover.Root, method, path string, body any) string {
	t.Helper()
	_, err := root.Client().Do(t.Context(), wp.Request{Method: method, Segments: strings.Split(path, "/"), Body: body})
	var e *wp.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return e.Code
}

// toolpress reads it as it reads a real site: five requests, nothing to note.
func TestDiscover(t *testing.T) {
	site, at := start(t)
	for _, u := range site.Users() {
		root := client(t, site, at, u.Login)
		read, err := root.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := root.Client().Requests(); n != 5 {
			t.Errorf("%s: %d requests", u.Login, n)
		}
		if read.Name != "Maple Street Books" || read.User.Login != u.Login || !slices.Equal(read.User.Roles, []string{u.Role}) || read.User.Administrator != (u.Login == "admin") {
			t.Errorf("%s is read as %+v", u.Login, read.User)
		}
		if len(read.Abilities) != 18 || len(read.Categories) != 3 || len(read.Notes) != 0 || !read.ApplicationPasswords || len(read.Routes) < 35 {
			t.Errorf("%d abilities, %d categories, %d routes, notes %q", len(read.Abilities), len(read.Categories), len(read.Routes), read.Notes)
		}
		for _, r := range read.Routes {
			if r.Unreadable != "" {
				t.Errorf("%s: %s", r.Pattern, r.Unreadable)
			}
		}
	}
	if _, err := client(t, site, at, "").Read(t.Context()); err != nil {
		t.Errorf("as nobody: %v", err)
	}
}

// The same bytes each time, whatever was read before.
func TestDeterministic(t *testing.T) {
	var first []byte
	for range 2 {
		site, at := start(t)
		read, err := client(t, site, at, "editor").Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		read.URL, read.Root = "", ""
		data, err := discover.Encode(read)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), at.String(), "")
		if first != nil && text != string(first) {
			t.Error("two sites differ")
		}
		first = []byte(text)
	}
}

// A wrong password is as good as none.
func TestWrongPassword(t *testing.T) {
	_, at := start(t)
	root, err := discover.Find(t.Context(), at, wp.Options{Credential: wp.Credential{User: "editor", Password: wp.NewSecret("wrong")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := root.Read(t.Context()); !errors.Is(err, discover.ErrCredential) {
		t.Errorf("%v", err)
	}
}

// The life of test/e2e's post: drafted, read, changed, published, trashed.
func TestPost(t *testing.T) {
	site, at := start(t)
	editor, nobody := client(t, site, at, "editor"), client(t, site, at, "")
	search := wp.Query{{Name: "search", Value: "Rare maps"}}
	total := func(want string) {
		t.Helper()
		if got := do(t, nobody, "GET", "wp/v2/posts", search, nil)["total"]; got != want {
			t.Errorf("%v posts, want %s", got, want)
		}
	}
	drafted := do(t, editor, "POST", "wp/v2/posts", nil, map[string]any{"title": "Rare maps", "content": "<!-- wp:paragraph --><p>Ten maps.</p><!-- /wp:paragraph -->", "status": "draft"})
	path := fmt.Sprintf("wp/v2/posts/%v", drafted["id"])
	total("0")
	if got := refused(t, nobody, "GET", path, nil); got != "rest_forbidden" {
		t.Errorf("a draft, for nobody: %s", got)
	}
	read := do(t, editor, "GET", path, wp.Query{{Name: "context", Value: "edit"}}, nil)
	if content := read["content"].(map[string]any); read["status"] != "draft" || !strings.Contains(content["raw"].(string), "wp:paragraph") {
		t.Errorf("%v", read)
	}
	do(t, editor, "PUT", path, nil, map[string]any{"title": map[string]any{"raw": "Rare maps and globes"}})
	do(t, editor, "POST", path, nil, map[string]any{"status": "publish"})
	total("1")
	if got := do(t, nobody, "GET", path, nil, nil); got["title"].(map[string]any)["rendered"] != "Rare maps and globes" || !strings.HasSuffix(got["link"].(string), "/rare-maps-and-globes/") {
		t.Errorf("%v", got)
	}
	if got := do(t, editor, "DELETE", path, wp.Query{{Name: "force", Value: false}}, nil); got["status"] != "trash" {
		t.Errorf("%v", got)
	}
	total("0")
	if got := refused(t, editor, "DELETE", path, nil); got != "rest_already_trashed" {
		t.Errorf("trashed twice: %s", got)
	}
	do(t, editor, "DELETE", path, wp.Query{{Name: "force", Value: true}}, nil)
	if got := refused(t, editor, "GET", path, nil); got != "rest_post_invalid_id" {
		t.Errorf("deleted: %s", got)
	}
}

// Abilities change the shop, a setting adds one, and what is not an
// administrator's stays so.
func TestAbilities(t *testing.T) {
	site, at := start(t)
	admin, author := client(t, site, at, "admin"), client(t, site, at, "author")
	price := func() any {
		return do(t, author, "GET", "wp-abilities/v1/abilities/bookshop/book-price/run", wp.Query{{Name: "input", Value: 21}}, nil)["value"]
	}
	if price() != "12.5" {
		t.Errorf("%v", price())
	}
	do(t, author, "DELETE", "wp-abilities/v1/abilities/bookshop/set-price/run", wp.Query{{Name: "input", Value: map[string]any{"id": 21, "price": json.Number("13.75")}}}, nil)
	if price() != "13.75" {
		t.Errorf("%v", price())
	}
	const arrivals = "wp-abilities/v1/abilities/bookshop/new-arrivals"
	if got := refused(t, author, "GET", arrivals, nil); got != "rest_ability_not_found" {
		t.Errorf("%s", got)
	}
	if got := refused(t, author, "POST", "wp/v2/settings", map[string]any{"bookshop_extra": true}); got != "rest_forbidden" {
		t.Errorf("%s", got)
	}
	do(t, admin, "POST", "wp/v2/settings", nil, map[string]any{"bookshop_extra": true})
	do(t, author, "GET", arrivals, nil, nil)
	if got := refused(t, author, "GET", "wp-abilities/v1/abilities/core/get-site-info/run", nil); got != "rest_ability_cannot_execute" {
		t.Errorf("%s", got)
	}
}

// Two sites share nothing.
func TestApart(t *testing.T) {
	one, at := start(t)
	other, there := start(t)
	do(t, client(t, one, at, "editor"), "DELETE", "wp/v2/posts/4", nil, nil)
	if got := do(t, client(t, other, there, "editor"), "GET", "wp/v2/posts/4", nil, nil); got["status"] != "publish" {
		t.Errorf("%v", got["status"])
	}
}

// Many at once: every write is there, once.
func TestConcurrent(t *testing.T) {
	site, at := start(t)
	editor := client(t, site, at, "editor")
	const writers, each = 8, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				_, err := editor.Client().Do(t.Context(), wp.Request{
					Method: http.MethodPost, Segments: []string{"wp", "v2", "posts"},
					Body: map[string]any{"title": fmt.Sprintf("Crowd %d %d", w, i), "status": "publish", "tags": []any{4}},
				})
				if err != nil {
					t.Error(err)
				}
				if _, err := editor.Client().Do(t.Context(), wp.Request{Method: http.MethodGet, Segments: []string{"wp", "v2", "posts"}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() { do(t, editor, "GET", "bookshop/v1/slow", wp.Query{{Name: "ms", Value: 20}}, nil) })
	wg.Wait()
	got := do(t, editor, "GET", "wp/v2/posts", wp.Query{{Name: "search", Value: "Crowd"}}, nil)
	if got["total"] != fmt.Sprint(writers*each) {
		t.Errorf("%v posts, want %d", got["total"], writers*each)
	}
}
