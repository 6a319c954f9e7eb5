package presets

import (
	"flag"
	"net/url"
	"os"
	"testing"
	"time"

	"toolpress/discover"
	"toolpress/discover/wp"
)

var seed = flag.Uint64("seed", 0, "what is picked is drawn from; 0 draws it anew")

// On a real WordPress: what the site is asked to leave out takes nothing from a
// model, for the preset's tools and for any pick of any route, in every context.
func TestFieldsTakeNothing(t *testing.T) {
	address, err := url.Parse(os.Getenv("TOOLPRESS_TEST_SITE"))
	if err != nil {
		t.Fatal(err)
	}
	root, err := discover.Find(t.Context(), address, wp.Options{
		Credential: wp.Credential{User: os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), Password: wp.NewSecret(os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))},
		Timeout:    time.Minute, MaxBytes: 64 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(root.Client().Close)
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked, less, whole := TakesNothing(t, root, site, Reading, ReadingArguments)
	t.Logf("the preset: %d tools, %d bytes instead of %d", asked, less, whole)
	if asked < 14 || less*2 > whole {
		t.Errorf("%d tools ask for less, and get %d bytes instead of %d", asked, less, whole)
	}
	from := *seed
	if from == 0 {
		from = uint64(time.Now().UnixNano())
	}
	t.Logf("drawn from -seed=%d", from)
	curation, arguments := Drawn(site, from)
	asked, less, whole = TakesNothing(t, root, site, curation, arguments)
	t.Logf("drawn: %d of %d tools, %d bytes instead of %d", asked, len(arguments), less, whole)
	if asked < 60 {
		t.Errorf("%d of %d tools ask for less", asked, len(arguments))
	}
}
