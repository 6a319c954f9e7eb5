package serving

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"toolpress/discover/wp"
	"toolpress/runtime"
)

// kept is how many idle connections the proxy keeps: as many as toolpress's own
// client, so that it is not the connections that are compared.
const kept = 8

// BenchmarkCall calls a tool, beside a reverse proxy that takes the same request
// to the same site. One site has its answers ready; the other waits as long as a
// quick WordPress.
func BenchmarkCall(b *testing.B) {
	catalog, shop, who := bookshop(b)
	answers := canned(b, shop, who)
	for _, site := range []struct {
		name string
		wait time.Duration
	}{{"ready", 0}, {"10ms", 10 * time.Millisecond}} {
		upstream, _ := url.Parse(address(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(site.wait)
			answers.ServeHTTP(w, r)
		})))
		asked, err := wp.NewClient(upstream, wp.Options{Credential: who})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(asked.Close)
		root := upstream.JoinPath("/wp-json/")
		_, at := serve(b, catalog, runtime.Options{Site: asked.At(root), MaxCalls: 1000, MaxCallsEach: 1000})
		forward := httputil.NewSingleHostReverseProxy(upstream)
		forward.Transport = &http.Transport{MaxIdleConnsPerHost: kept}
		proxy := address(b, forward)
		for _, call := range []struct{ tool, arguments, path string }{
			{"read_post", `{"id":4}`, "/wp-json/wp/v2/posts/4"},
			{"find_posts", `{"per_page":10}`, "/wp-json/wp/v2/posts?per_page=10"},
		} {
			c := client(b)
			ours := rpc(at, "tools/call", call.tool, `,"name":"`+call.tool+`","arguments":`+call.arguments)
			theirs, _ := http.NewRequest(http.MethodGet, proxy+call.path, nil)
			check(b, c, ours, `"structuredContent":{`)
			check(b, c, theirs, `"id":`)
			for _, clients := range []int{1, 64} {
				name := fmt.Sprintf("site=%s/tool=%s/clients=%d", site.name, call.tool, clients)
				b.Run(name+"/toolpress", func(b *testing.B) { exchanges(b, c, ours, clients) })
				b.Run(name+"/proxy", func(b *testing.B) { exchanges(b, c, theirs, clients) })
			}
		}
	}
}
