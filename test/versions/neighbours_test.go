package versions

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// A WordPress at /blog beside another at /: an address of the one never gives
// the other.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	outer := start(t)
	inner := start(t, "--subdirectory", "/blog", "--plain-permalinks")
	front := httptest.NewServer(beside(t, outer, inner))
	t.Cleanup(front.Close)
	shop, blog := front.URL, front.URL+"/blog"
	for _, c := range []struct {
		name, address, url, root string
	}{
		{"the outer", shop, shop, "/wp-json/"},
		{"an article of the outer", shop + article, shop, "/wp-json/"},
		{"wp-login.php of the outer", shop + "/wp-login.php", shop, "/wp-json/"},
		{"the inner", blog + "/", blog, "/index.php?rest_route=/"},
		{"an article of the inner", blog + "/?p=13", blog, "/index.php?rest_route=/"},
		{"the inner without its slash", blog, blog, "/index.php?rest_route=/"},
		{"wp-admin of the inner", blog + "/wp-admin/", blog, "/index.php?rest_route=/"},
		{"wp-login.php of the inner", blog + "/wp-login.php", blog, "/index.php?rest_route=/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nobody := toolpress{site: outer}
			_, site, _ := nobody.discover(t, c.address)
			equal(t, "url, root", []string{site.URL, site.Root}, []string{c.url, c.url + c.root})
		})
	}
}

// beside is one web server in front of two sites. Redirects name it.
func beside(t *testing.T, outer, inner *site) http.Handler {
	t.Helper()
	mux := http.NewServeMux()
	for pattern, s := range map[string]*site{"/": outer, "/blog": inner, "/blog/": inner} {
		to, err := url.Parse(s.home)
		if err != nil {
			t.Fatal(err)
		}
		to.Path = ""
		mux.Handle(pattern, &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Header.Set("X-Asked", r.In.Host) },
			ModifyResponse: func(r *http.Response) error {
				if location := r.Header.Get("Location"); location != "" {
					r.Header.Set("Location", strings.Replace(location, to.String(), "http://"+r.Request.Header.Get("X-Asked"), 1))
				}
				return nil
			},
		})
	}
	return mux
}
