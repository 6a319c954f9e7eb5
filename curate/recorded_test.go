package curate

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest/recorded"
	"toolpress/generate"
	"toolpress/generate/clients"
)

var recordings = []string{"wordpress-6.1", "wordpress-6.8", "wordpress-7.1", "woocommerce-10.5"}

func recordedSite(t *testing.T, name string) *discover.Site {
	t.Helper()
	return readSite(t, recorded.Handler(t, recorded.Dir(t, name)))
}

// readSite discovers what a handler serves.
func readSite(t *testing.T, h http.Handler) *discover.Site {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	u, _ := url.Parse(server.URL)
	root, err := discover.Find(t.Context(), u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Client().Close()
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// Every client takes the catalogs that the four recorded sites get where no
// curation is written, and those of the whole site (package clients).
func TestRecordedCatalogs(t *testing.T) {
	whole, err := Parse("curation.yaml", []byte(`version: 1
defaults: { confirm: { when: never } }
expose:
  - { route: "/**", writes: true }
  - { ability: "**", writes: true }
tools:
  a_post: { from: "GET /wp/v2/posts/{id}", result: { pick: [id, title.rendered] } }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	builtIn, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			s := generate.FromSite(recordedSite(t, name))
			for _, c := range []*Curation{builtIn, whole} {
				catalog, _ := c.Apply(s, nil)
				tools := catalog.Profiles[DefaultProfile].Tools
				if len(tools) == 0 {
					t.Error("no tools")
				}
				if c == builtIn && len(tools) > 25 {
					t.Errorf("%d tools without a curation", len(tools))
				}
				for _, tool := range tools {
					listed := clients.Tool{Server: "toolpress", Name: tool.Name, Input: decoded(t, tool.InputSchema), Output: decoded(t, tool.OutputSchema)}
					if broken := clients.Check(listed); len(broken) > 0 {
						t.Errorf("%s: %+v", tool.Name, broken)
					}
				}
			}
		})
	}
}

func decoded(t *testing.T, text json.RawMessage) any {
	t.Helper()
	if text == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
