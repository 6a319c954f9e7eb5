package discover

import (
	"context"
	"errors"
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

// A site that one account has read is asked as another: by that one's own
// objects, and not at all as a credential that is not taken.
func TestProbeAsAnother(t *testing.T) {
	shop := wptest.New()
	address, _ := serve(t, shop)
	as := func(user wptest.User) wp.Credential {
		return wp.Credential{User: user.Login, Password: wp.NewSecret(user.Password)}
	}
	users := shop.Users() // the administrator, the editor, the author, the subscriber
	root, err := Find(t.Context(), address, wp.Options{Credential: as(users[3])})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Client().Close()
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	author, err := root.As(as(users[2]))
	if err != nil {
		t.Fatal(err)
	}
	if author.Client().SameAs(root.Client()) {
		t.Error("the author is the subscriber")
	}
	own, err := author.Identify(t.Context(), site)
	if err != nil || own.User.Login != "author" || site.User.Login != "subscriber" {
		t.Fatalf("%+v, %+v, %v", own.User, site.User, err)
	}
	got, err := author.Probe(t.Context(), own, []string{"POST /wp/v2/posts/{id}", "POST /wp/v2/pages"}, nil)
	if diff := cmp.Diff(Permissions{"POST /wp/v2/posts/{id}": Allowed, "POST /wp/v2/pages": Denied}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	users[2].Password = "another one"
	stranger, err := root.As(as(users[2]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stranger.Identify(t.Context(), site); !errors.Is(err, ErrCredential) || strings.Contains(err.Error(), "another one") || stranger.Client().SameAs(author.Client()) {
		t.Errorf("%v", err)
	}
}
