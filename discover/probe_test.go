package discover

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

// Collections decide, items are proved by an object of one's own or are
// unknown, abilities are not asked; each route costs one request, an item's two.
func TestProbe(t *testing.T) {
	shop := wptest.New()
	var requests atomic.Int64
	address, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		shop.ServeHTTP(w, r)
	}))
	ids := []string{
		"GET /wp/v2/posts", "POST /wp/v2/posts", "POST /wp/v2/pages", "POST /wp/v2/users", "POST /wp/v2/posts/{id}", "DELETE /wp/v2/categories/{id}",
		"GET /gone/v1/x", "ability:bookshop/add-note",
	}
	for _, c := range []struct {
		role string
		want Permissions
	}{
		{"administrator", Permissions{
			"GET /wp/v2/posts": Allowed, "POST /wp/v2/posts": Allowed, "POST /wp/v2/pages": Allowed, "POST /wp/v2/users": Allowed,
			"POST /wp/v2/posts/{id}": Allowed, "DELETE /wp/v2/categories/{id}": Unknown, "GET /gone/v1/x": Unknown,
		}},
		{"author", Permissions{
			"GET /wp/v2/posts": Allowed, "POST /wp/v2/posts": Allowed, "POST /wp/v2/pages": Denied, "POST /wp/v2/users": Denied,
			"POST /wp/v2/posts/{id}": Allowed, "DELETE /wp/v2/categories/{id}": Unknown, "GET /gone/v1/x": Unknown,
		}},
		{"subscriber", Permissions{
			"GET /wp/v2/posts": Allowed, "POST /wp/v2/posts": Denied, "POST /wp/v2/pages": Denied, "POST /wp/v2/users": Denied,
			"POST /wp/v2/posts/{id}": Unknown, "DELETE /wp/v2/categories/{id}": Unknown, "GET /gone/v1/x": Unknown,
		}},
	} {
		var who wp.Credential
		for _, u := range shop.Users() {
			if u.Role == c.role {
				who = wp.Credential{User: u.Login, Password: wp.NewSecret(u.Password)}
			}
		}
		root, err := Find(context.Background(), address, wp.Options{Credential: who})
		if err != nil {
			t.Fatal(err)
		}
		site, err := root.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		before, told := requests.Load(), 0
		got, err := root.Probe(context.Background(), site, ids, func(done, all int) { told, _ = done, all })
		if err != nil {
			t.Fatal(err)
		}
		root.Client().Close()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.role, diff)
		}
		if asked := requests.Load() - before; asked < 5 || asked > 8 || told != 6 {
			t.Errorf("%s: %d requests, %d routes told", c.role, asked, told)
		}
	}
}

// A site that sends no Allow, or does not answer OPTIONS, withholds nothing.
func TestProbeWithholdsNothingUnproved(t *testing.T) {
	address, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodOptions && strings.HasSuffix(r.URL.Path, "/broken"):
			w.WriteHeader(http.StatusForbidden)
		case r.Method == http.MethodOptions:
			_, _ = w.Write([]byte("[]"))
		case r.URL.Path == "/wp-json/":
			_, _ = w.Write([]byte(smallIndex))
		}
	}))
	root, err := Find(context.Background(), address, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Client().Close()
	site, err := root.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, err := root.Probe(context.Background(), site, []string{"GET /a/v1/silent", "GET /a/v1/broken"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Permissions{"GET /a/v1/silent": Unknown, "GET /a/v1/broken": Unknown}, got); diff != "" {
		t.Error(diff)
	}
}
