package runtime

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// desk is a site with one post and one order, as their routes and answers are: it
// keeps what it is asked, and may be set to fail.
type desk struct {
	mu             sync.Mutex
	text, modified string
	answer         string // of a write
	asked          []string
	reading        error // what a reading gives instead
	writing        error
}

func (d *desk) Do(_ context.Context, r wp.Request) (*wp.Response, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	query, _ := r.Query.Encode()
	query, _ = url.QueryUnescape(query)
	d.asked = append(d.asked, strings.TrimSuffix(r.Method+" "+r.Route()+"?"+query, "?"))
	switch {
	case r.Method != http.MethodGet:
		return &wp.Response{Status: 200, JSON: json.RawMessage(d.answer)}, d.writing
	case d.reading != nil:
		return nil, d.reading
	case strings.HasSuffix(r.Route(), "/revisions"):
		return &wp.Response{Status: 200, JSON: json.RawMessage(`[{"author":7,"date_gmt":"2026-01-01T00:00:00"},{"author":9,"date_gmt":"` + d.modified + `"}]`)}, nil
	}
	text, _ := json.Marshal(map[string]any{"content": map[string]any{"raw": d.text}, "modified_gmt": d.modified})
	return &wp.Response{Status: 200, JSON: text}, nil
}

// took is what was asked since the last time.
func (d *desk) took() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() { d.asked = nil }()
	return strings.Join(d.asked, ", ")
}

// deskSite has the routes of a post and of an order, as their sites describe them.
func deskSite(t *testing.T) *generate.Surface {
	t.Helper()
	var routes []discover.Route
	text := `[{"path":"/wp/v2/posts/{id}","pattern":"/wp/v2/posts/(?P<id>[\\d]+)","namespace":"wp/v2","params":[{"name":"id","pattern":"[\\d]+"}],
	 "endpoints":[{"methods":["GET"],"args":{"context":{"type":"string","enum":["view","edit"]}}},
	  {"methods":["POST","PUT","PATCH"],"args":{"title":{"type":"object","properties":{"raw":{"type":"string"}}},"content":{"type":"object","properties":{"raw":{"type":"string"}}},
	   "status":{"type":"string"},"password":{"type":"string"},"force":{"type":"boolean"},"date":{"type":["string","null"],"format":"date-time"},"meta":{"type":"object","additionalProperties":true},"tags":{"type":"array","items":{"type":"integer"}}}}],
	 "schema":{"properties":{"id":{"context":["view","edit"]},"title":{"context":["view","edit"]},"status":{"context":["view","edit"]},"password":{"context":["edit"]},"meta":{"context":["view","edit"]},"tags":{"context":["view","edit"]},
	  "date":{"format":"date-time","context":["view","edit"]},"modified_gmt":{"format":"date-time","context":["view","edit"]},"content":{"context":["view","edit"],"properties":{"raw":{},"block_version":{}}}}}},
	{"path":"/wc/v3/orders/{id}","pattern":"/wc/v3/orders/(?P<id>[\\d]+)","namespace":"wc/v3","params":[{"name":"id","pattern":"[\\d]+"}],
	 "endpoints":[{"methods":["GET"],"args":{}},{"methods":["POST","PUT","PATCH"],"args":{"status":{"type":"string"},"set_paid":{"type":"boolean"},"customer_note":{"type":"string"},"total":{"type":"string"},"sale_to":{"type":"string"},"manage_stock":{"type":"boolean"},"stock_quantity":{"type":"integer"},"note":{"type":"string"},
	   "billing":{"type":"object","properties":{"phone":{"type":"string"},"city":{"type":"string"}}},"image":{"type":"object","additionalProperties":true},"meta_data":{"type":"array","items":{"type":"object","additionalProperties":true}},"line_items":{"type":"array","items":{"type":"object","additionalProperties":true}}}}],
	 "schema":{"properties":{"id":{"context":["view","edit"]},"status":{"context":["view","edit"]},"set_paid":{"context":["edit"]},"customer_note":{"context":["view","edit"]},"total":{"context":["view","edit"]},"sale_to":{"context":["view","edit"]},"manage_stock":{"context":["view","edit"]},"stock_quantity":{"context":["view","edit"]},
	  "billing":{"context":["view","edit"]},"image":{"context":["view","edit"]},"meta_data":{"context":["view","edit"]},"line_items":{"context":["view","edit"]},"date_modified_gmt":{"format":"date-time","context":["view","edit"]}}}}]`
	if err := json.Unmarshal([]byte(text), &routes); err != nil {
		t.Fatal(err)
	}
	return generate.FromSite(&discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Timezone: "Europe/Lisbon", Routes: routes})
}

// knownDesk is a desk whose answers may be kept.
type knownDesk struct{ *desk }

func (knownDesk) Identity() string { return "clerk" }

// deskServer serves the desk by a curation of its tools.
func deskServer(t *testing.T, d *desk, tools string) *Server {
	t.Helper()
	return NewServer(deskCatalog(t, tools), Options{Site: d})
}

func deskCatalog(t *testing.T, tools string) *curate.Catalog {
	t.Helper()
	c, err := curate.Parse("curation.yaml", []byte("version: 1\ndefaults: { confirm: { when: never } }\n"+tools), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(deskSite(t), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return made
}

const deskTools = `
private: [{ match: { namespace: "wc/**" }, fields: [billing.phone, "**.secret_key"] }]
tools:
  read_source: { from: "GET /wp/v2/posts/{id}", args: { context: { fix: edit } } }
  save: { from: "POST /wp/v2/posts/{id}", args: { content: { rename: text }, status: { rename: state }, force: { fix: true } }, result: { pick: [id] } }
  publish: { from: "POST /wp/v2/posts/{id}", args: { "*": hidden, status: { fix: publish } }, result: { pick: [id] } }
  checked: { from: "POST /wp/v2/posts/{id}", args: { content: { rename: text } }, result: { pick: [id] }, if_unmodified: { argument: seen, required: false } }
  order: { from: "POST /wc/v3/orders/{id}", args: { billing: { rename: bill }, "billing.city": { rename: town } }, result: { pick: [id], drop: [total] }, if_unmodified: { argument: seen, required: false } }
`

// said calls a tool and returns its whole result.
func (d *desk) said(t *testing.T, s *Server, tool, arguments string) *mcp.CallToolResult {
	t.Helper()
	res, err := s.Call(t.Context(), curate.DefaultProfile, tool, json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return res
}
