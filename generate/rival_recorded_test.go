package generate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// On the recorded sites, what another route has written out is no value where it
// would lead there.
func TestRivalsOfRecordings(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			site := recordedSite(t, name)
			type entry struct {
				parts []string
				re    *regexp.Regexp
			}
			entries := map[string][]entry{} // by method and number of parts
			key := func(method string, path []string) string { return fmt.Sprint(method, len(path)) }
			for _, r := range site.Routes {
				methods := map[string]bool{}
				for _, e := range r.Endpoints {
					for _, m := range e.Methods {
						methods[m] = true
					}
				}
				for m := range methods {
					e := entry{strings.Split(r.Path, "/"), regexp.MustCompile("(?i)^" + r.Pattern + "$")}
					entries[key(m, e.parts)] = append(entries[key(m, e.parts)], e)
				}
			}
			s := FromSite(site)
			if near := s.Operation("GET /wp/v2/posts/{id}").plan.among.of("GET", "/wp/v2/posts/12"); len(near) != 1 {
				t.Errorf("%d routes are near /wp/v2/posts/12", len(near)) // its own alone: nothing is compiled
			}
			refused, sent := 0, 0
			for _, o := range s.Operations {
				path := strings.Split(o.Route, "/")
				for _, other := range entries[key(o.Method, path)] {
					values, led := map[string]any{}, false
					for i, part := range path {
						if strings.HasPrefix(part, "{") {
							values[strings.Trim(part, "{}")] = "7"
							if !strings.HasPrefix(other.parts[i], "{") {
								values[strings.Trim(part, "{}")], led = other.parts[i], true
							}
						}
					}
					r, err := o.Request(values)
					if err != nil {
						if strings.Contains(err.Error(), "leads to another route") {
							refused++
						}
						continue
					}
					sent++
					if led && other.re.MatchString(r.Route()) {
						t.Errorf("%s reaches %s with %v", o.ID, r.Route(), values)
					}
				}
			}
			if refused == 0 || sent == 0 {
				t.Errorf("%d calls refused, %d sent", refused, sent)
			}
			t.Logf("%d calls refused, %d sent", refused, sent)
		})
	}
}

// On the recorded sites every operation takes all ordinary values that its
// patterns match, but for numbers where the site has a route for numbers alone.
func TestOrdinaryValuesOfRecordings(t *testing.T) {
	ordinary := []string{"3", "1284", "2026-01", "maps", "blue-shirts", "Twenty_Five", "usd", "twentytwentyfive//home", "core/paragraph", "1f0e3dad99908345f7439f8ffabdffc4", "me"}
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			site := recordedSite(t, name)
			refused, calls := map[string]bool{}, 0
			for _, o := range FromSite(site).Operations {
				if len(o.plan.params) == 0 {
					continue
				}
				called := 0
				for _, v := range ordinary {
					values, used := map[string]any{}, false
					for i, a := range o.Args[:len(o.plan.params)] { // those of the path come first
						for j := range ordinary { // v, or another than the argument before has
							w := v
							if j > 0 {
								w = ordinary[(i+j)%len(ordinary)]
							}
							if values[a.Name] == nil && o.Sendable(a, w) == nil {
								values[a.Name], used = w, used || w == v
							}
						}
					}
					if !used {
						continue
					}
					switch _, err := o.Request(values); {
					case err == nil:
						called++
					case strings.Contains(err.Error(), "leads to another route"):
						refused[fmt.Sprintf("%s %s", o.ID, v)] = true
						if isNumber(v) {
							continue
						}
						fallthrough
					default:
						t.Errorf("%s with %v: %v", o.ID, values, err)
					}
				}
				if calls += called; called == 0 {
					t.Errorf("%s cannot be called", o.ID)
				}
			}
			var want []string
			if name == "woocommerce-10.5" {
				want = []string{
					"GET /wc-analytics/products/attributes/{slug} 1284",
					"GET /wc-analytics/products/attributes/{slug} 3",
					"GET /wc-analytics/products/attributes/{slug}/terms 1284",
					"GET /wc-analytics/products/attributes/{slug}/terms 3",
					"GET /wc/store/products/{slug} 1284",
					"GET /wc/store/products/{slug} 3",
					"GET /wc/store/v1/products/{slug} 1284",
					"GET /wc/store/v1/products/{slug} 3",
				}
			}
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(refused))); diff != "" {
				t.Error(diff)
			}
			t.Logf("%d calls refused, %d sent", len(refused), calls)
		})
	}
}
