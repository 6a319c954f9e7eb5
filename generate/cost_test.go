package generate

import (
	"fmt"
	"testing"

	"toolpress/discover"
)

// manyRoutes is a site of so many routes, with collections, items below them
// and abilities that do the same as one in ten.
func manyRoutes(t testing.TB, n int) *discover.Site {
	t.Helper()
	site := &discover.Site{}
	for i := range n / 2 {
		things := fmt.Sprintf("/acme/v1/thing%ds", i)
		site.Routes = append(site.Routes,
			route(t, things, `[{"methods":["GET"],"args":{"page":{"type":"integer"},"per_page":{"type":"integer","maximum":100}}},{"methods":["POST"],"args":{"title":{"type":"string"}}}]`),
			route(t, things+`/(?P<id>[\d]+)`, `[{"methods":["GET","POST","PUT","PATCH","DELETE"],"args":{"id":{"type":"integer"},"context":{"type":"string","enum":["view","edit"]}}}]`))
		if i%10 == 0 {
			site.Abilities = append(site.Abilities, ability(t, fmt.Sprintf("acme/get-thing%d", i), `{"readonly":true}`, `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`))
		}
	}
	return site
}

// Ten times the routes cost ten times as much, not more: counted, not timed.
func TestCostIsLinear(t *testing.T) {
	perRoute := func(n int) float64 {
		site := manyRoutes(t, n)
		if got := len(FromSite(site).Operations); got != n/2*5+len(site.Abilities) {
			t.Fatalf("%d operations of %d routes", got, n)
		}
		return testing.AllocsPerRun(1, func() { FromSite(site) }) / float64(n)
	}
	few, some, many := perRoute(10), perRoute(200), perRoute(2000)
	t.Logf("allocations for each route: %.0f of 10, %.0f of 200, %.0f of 2,000", few, some, many)
	if many > 1.3*some || some > 1.3*few {
		t.Errorf("allocations for each route: %.0f of 10, %.0f of 200, %.0f of 2,000", few, some, many)
	}
}

func BenchmarkFromSite(b *testing.B) {
	run := func(site *discover.Site) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				FromSite(site)
			}
		}
	}
	for _, n := range []int{10, 200, 2000} {
		b.Run(fmt.Sprintf("routes=%d", n), run(manyRoutes(b, n)))
	}
	b.Run("woocommerce-10.5", func(b *testing.B) { run(recordedSite(b, "woocommerce-10.5"))(b) })
}
