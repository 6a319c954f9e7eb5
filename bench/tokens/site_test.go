package tokens

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/discover/wptest/recorded"
	"toolpress/generate"
	"toolpress/generate/schema"
	"toolpress/runtime"
)

var recordings = []string{"wordpress-6.1", "wordpress-6.8", "wordpress-7.1", "woocommerce-10.5"}

// read is a site, discovered over HTTP. The test's end closes it.
type read struct {
	root    *discover.Root
	site    *discover.Site
	surface *generate.Surface
}

func readSite(t *testing.T, handler http.Handler, who wp.Credential) *read {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	root, err := discover.Find(t.Context(), address, wp.Options{Credential: who})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(root.Client().Close)
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &read{root, site, generate.FromSite(site)}
}

func recordedSite(t *testing.T, name string) *read {
	t.Helper()
	return readSite(t, recorded.Handler(t, recorded.Dir(t, name)), wp.Credential{})
}

// bookshop is the embedded WordPress as its editor sees it, as in toolpress demo.
func bookshop(t *testing.T) *read {
	t.Helper()
	shop := wptest.New()
	for _, u := range shop.Users() {
		if u.Role == "editor" {
			return readSite(t, shop, wp.Credential{User: u.Login, Password: wp.NewSecret(u.Password)})
		}
	}
	t.Fatal("the bookshop has no editor")
	return nil
}

// curated applies a curation; nil is the one that serves without one.
func (r *read) curated(t *testing.T, text []byte) *curate.Catalog {
	t.Helper()
	c, err := curate.BuiltIn()
	if text != nil {
		c, err = curate.Parse("curation.yaml", text, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(r.surface, curate.Rights{curate.SiteAccount: r.site.Permissions})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return catalog
}

// raw is the site without curation, as a catalog that can be listed.
func (r *read) raw() *curate.Catalog {
	return &curate.Catalog{Site: r.site.URL, Profiles: map[string]*curate.Profile{curate.DefaultProfile: curate.Raw(r.surface)}}
}

// tool is what a model may see of one: what tools/list has but the output schema.
type tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
}

// list is the default profile as a client of the runtime lists it.
func list(t *testing.T, c *curate.Catalog) []tool {
	t.Helper()
	var tools []tool
	if err := json.Unmarshal(runtime.NewServer(c, runtime.Options{}).Tools(curate.DefaultProfile), &tools); err != nil || len(tools) == 0 {
		t.Fatal(tools, err)
	}
	return tools
}

// encode writes a value as one line of JSON.
func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := schema.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
