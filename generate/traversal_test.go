package generate

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// traversals are values that make other requests than they say, where nobody
// looks at them.
var traversals = []string{
	"..", ".", "../x", "%2e%2e", "..%2f", "%252e", `\..\`, "\x00", "\r\n", "?a=b", "#f", ";x", "//h", "https://h", "\uff0e\uff0e", "",
	strings.Repeat("a", 64<<10), strings.Repeat("1", 64<<10), strings.Repeat("1", maxPathValue),
	"a\x00", "a\r\nX-Evil: 1", "7?a=b", "7/../8", "a/..", "a/./b", "a//b", "a%2fb", "a%5cb", "a%00", "a+b", "a b", "user@h:80",
}

// T05: whatever a path argument holds, either nothing is sent, or the site gets
// the path of the route, with as many parts and the same fixed ones.
func TestTraversal(t *testing.T) {
	var got *http.Request
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		_, _ = w.Write([]byte("{}"))
	}))
	defer site.Close()
	at, _ := url.Parse(site.URL)
	client, err := wp.NewClient(at, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	client = client.At(at.JoinPath("/blog/wp-json/"))

	routes, refused, sent := map[string]bool{}, 0, 0
	for _, name := range []string{"woocommerce-10.5", "wordpress-6.1"} { // the first has 245 with arguments
		for _, o := range FromSite(recordedSite(t, name)).Operations {
			if key := name + o.Route; len(o.plan.params) == 0 || len(routes) == 300 && !routes[key] {
				continue
			} else {
				routes[key] = true
			}
			for _, call := range traversing(o) {
				got = nil
				r, err := o.Request(call)
				if err == nil {
					_, err = client.Do(t.Context(), wp.Request{Method: r.Method, Segments: r.Segments})
				}
				switch {
				case err != nil && got != nil:
					t.Fatalf("%s with %.80q: %v, and the site got %s", o.ID, call, err, got.RequestURI)
				case err != nil:
					refused++
				default:
					sent++
					checkShape(t, o, call, got, at.Host)
				}
			}
		}
	}
	if len(routes) != 300 || sent < 100 || refused < 1000 {
		t.Errorf("%d routes, %d calls refused, %d sent", len(routes), refused, sent)
	}
	t.Logf("%d calls refused, %d sent", refused, sent)
}

// traversing are calls of an operation with each traversal for each argument of
// the path.
func traversing(o *Operation) []map[string]any {
	var calls []map[string]any
	for _, at := range o.plan.own.params {
		for _, v := range traversals {
			values := map[string]any{}
			for _, p := range o.plan.own.params {
				values[schema.SafeName(p.Name)] = valuesOf(p.Pattern)[0]
			}
			values[schema.SafeName(at.Name)] = v
			calls = append(calls, values)
		}
	}
	return calls
}

// checkShape asserts that a request is one of the operation's route.
func checkShape(t *testing.T, o *Operation, call map[string]any, got *http.Request, host string) {
	t.Helper()
	path, found := strings.CutPrefix(got.RequestURI, "/blog/wp-json/")
	parts, template := strings.Split(path, "/"), strings.Split(strings.Trim(o.Route, "/"), "/")
	spans := 0
	for _, p := range o.plan.params {
		if p.spansSlash() {
			spans++
		}
	}
	same := found && got.Host == host && got.Method == o.Method && len(parts) >= len(template) && (spans > 0 || len(parts) == len(template)) && !strings.ContainsAny(path, "?#")
	for i, fixed := range template {
		if strings.Contains(fixed, "{") {
			break
		}
		same = same && parts[i] == fixed
	}
	for i, fixed := range slices.Backward(template) {
		if strings.Contains(fixed, "{") || !same {
			break
		}
		same = parts[len(parts)-len(template)+i] == fixed
	}
	for _, part := range parts {
		decoded, err := url.PathUnescape(part)
		same = same && err == nil && wp.CheckSegment(decoded) == nil
	}
	if !same {
		t.Errorf("%s with %.80q: %s %s of %s", o.ID, call, got.Method, got.RequestURI, got.Host)
	}
}
