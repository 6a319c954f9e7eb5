package curate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// guarded is a curation whose every promise FuzzToolRequest holds calls to.
const guarded = `
version: 1
defaults: { confirm: { when: never } }
tools:
  find:
    from: GET /wp/v2/posts
    args:
      search: { rename: query }
      per_page: { default: 10, maximum: 50 }
      status: { enum: [publish, draft] }
      orderby: { fix: date }
      context: hidden
      after: hidden
      before: hidden
  save:
    from: PUT /wp/v2/posts/{id}
    args: { title.raw: { rename: heading, max_length: 20 }, status: { fix: draft }, content: hidden }
  remove: { from: "DELETE /wp/v2/posts/{id}", args: { force: { fix: false } } }
  items: { from: GET /shop/v1/items, args: { per_page: { fix: 5 }, n: hidden } }
  search: { from: "ability:shop/search", args: { limit: { fix: 3 } } }
  open: { from: "ability:shop/open", args: { admin: hidden, mode: { fix: safe }, kind: { rename: sort, enum: [a, b] } } }
`

// promise is what every call of a tool has to keep.
type promise struct {
	method, path string            // "{}" is any one segment of digits
	names        string            // of the query or the body, for those that are closed
	fixed        map[string]string // what arrives under these names, as JSON
	never        string            // names that never arrive
	narrowed     func(values map[string]any) bool
}

var promises = map[string]promise{
	"find": {"GET", "/wp/v2/posts", "search page per_page status categories orderby", map[string]string{"orderby": `"date"`}, "context after before query", func(v map[string]any) bool {
		n, err := strconv.ParseFloat(fmt.Sprint(v["per_page"]), 64)
		status, _ := v["status"].([]any)
		return err == nil && n <= 50 && !slices.ContainsFunc(status, func(s any) bool { return s != "publish" && s != "draft" })
	}},
	"save": {"POST", "/wp/v2/posts/{}", "title status", map[string]string{"status": `"draft"`}, "id content heading", func(v map[string]any) bool {
		title, _ := v["title"].(map[string]any)
		text, isText := title["raw"].(string)
		return v["title"] == nil || len(title) == 1 && isText && utf8.RuneCountInString(text) <= 20
	}},
	"remove": {"DELETE", "/wp/v2/posts/{}", "force", map[string]string{"force": `false`}, "id", nil},
	"items":  {"GET", "/shop/v1/items", "s b l o any per_page", map[string]string{"per_page": `5`}, "n", nil},
	"search": {"GET", "/wp-abilities/v1/abilities/shop/search/run", "q limit", map[string]string{"limit": `3`}, "", nil},
	"open": {"POST", "/wp-abilities/v1/abilities/shop/open/run", "", map[string]string{"mode": `"safe"`}, "admin sort", func(v map[string]any) bool {
		_, given := v["kind"]
		return !given || v["kind"] == "a" || v["kind"] == "b"
	}},
}

// Whatever a model sends, the request is the tool's: its method, its path, its
// fixed values, and no parameter it does not have (T07, T08, T12); or it is
// faults. What was checked is what is sent, duplicate keys or not.
func FuzzToolRequest(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[1]`, `{} {}`, `{"query":"sale","per_page":5,"status":["draft"],"page":2}`, `{"id":7,"heading":"Hello"}`,
		`{"orderby":"title"}`, `{"context":"edit"}`, `{"per_page":100}`, `{"per_page":"100"}`, `{"per_page":[100]}`, `{"Per_Page":100}`, // T07
		`{"_method":"DELETE"}`, `{"_fields":"x","_embed":1,"_envelope":1,"_jsonp":"x","rest_route":"/x"}`, `{"query":"a&_method=DELETE"}`, `{"query":"a#b"}`, // T08
		`{"per_page":5,"per_page":100}`, `{"per_page":100,"per_page":5}`, `{"status":"draft","STATUS":"private"}`, `{"heading":"a","heading":"123456789012345678901"}`, // T12
		`{"id":"../../users/1","heading":"x"}`, `{"id":"1/../2"}`, `{"id":"%2e%2e"}`, `{"id":1.0}`, `{"id":1e2}`, `{"id":"7","heading":null}`,
		`{"mode":"evil"}`, `{"Mode":"evil"}`, `{"mode":"evil","mode":"safe"}`, `{"sort":"a","x":{"mode":"evil"}}`, `{"input":{"mode":"evil"}}`, `{"admin":null}`,
		`{"o":{"k":"1","x]":2}}`, `{"any":{"a][per_page":100}}`, `{"s":"x&per_page=100"}`, `{"any":[[[]]]}`, `{"l":"1,2"}`, `{"o":"{\"k\":2}"}`, `{"per_page":1e999999}`,
		`{"q":"a","limit":9}`, `{"q":"a","extra":1}`, `{"status":"draft,private"}`, `{"categories":"[1,2]"}`, "{\"query\":\"\\ud800\xff\"}",
	} {
		for _, name := range slices.Sorted(maps.Keys(promises)) {
			f.Add(name, seed)
		}
	}
	catalog, findings := apply(f, guarded)
	if len(findings) > 0 {
		f.Fatal(findings)
	}
	f.Fuzz(func(t *testing.T, name, arguments string) {
		kept, there := promises[name]
		if !there {
			return
		}
		r, err := catalog.Profiles[DefaultProfile].Tool(name).Request(json.RawMessage(arguments))
		if faults := Faults(nil); err != nil {
			if !errors.As(err, &faults) || len(faults) == 0 || faults.Error() == "" {
				t.Fatalf("%s %q: %v is no fault a model can mend", name, arguments, err)
			}
			return
		}
		if broken := kept.broken(r); broken != "" {
			t.Fatalf("%s %q became %s: %s", name, arguments, shown(r, nil), broken)
		}
	})
}

// broken says which promise a request does not keep.
func (p promise) broken(r wp.Request) string {
	want := strings.Split(strings.Trim(p.path, "/"), "/")
	if r.Method != p.method || len(r.Segments) != len(want) {
		return "another method or shape of path"
	}
	for i, s := range r.Segments {
		if s != want[i] && (want[i] != "{}" || strings.Trim(s, "0123456789") != "") || wp.CheckSegment(s) != nil {
			return fmt.Sprintf("segment %q", s)
		}
	}
	values, broken := arrived(r)
	if broken != "" {
		return broken
	}
	for name := range values {
		if slices.Contains(strings.Fields(p.never), name) || p.names != "" && !slices.Contains(strings.Fields(p.names), name) {
			return name + " was sent"
		}
	}
	if p.narrowed != nil && !p.narrowed(values) {
		return "a value is outside of what the tool takes"
	}
	for name, want := range p.fixed {
		if jsonOf(values[name]) != want {
			return name + " is not what it is fixed to"
		}
	}
	return ""
}

// arrived are the parameters of a request by the names the site reads. The
// query's text must hold no other, and none twice.
func arrived(r wp.Request) (map[string]any, string) {
	values, _ := r.Body.(map[string]any)
	if values == nil {
		values = map[string]any{}
	}
	roots := map[string]bool{}
	for _, q := range r.Query {
		if roots[q.Name] {
			return nil, q.Name + " is there twice"
		}
		roots[q.Name], values[q.Name] = true, q.Value
	}
	text, err := r.Query.Encode()
	if err != nil {
		return nil, err.Error()
	}
	parsed, err := url.ParseQuery(text)
	if err != nil {
		return nil, err.Error()
	}
	for name, list := range parsed {
		root, _, _ := strings.Cut(name, "[")
		if len(list) != 1 || !roots[root] {
			return nil, fmt.Sprintf("the query has %q", name)
		}
	}
	if r.Segments[0] == "wp-abilities" {
		if len(values) > 1 {
			return nil, "an ability takes its input and nothing else"
		}
		values, _ = values["input"].(map[string]any)
	}
	return values, ""
}

func jsonOf(v any) string {
	text, _ := schema.Encode(v)
	return string(text)
}
