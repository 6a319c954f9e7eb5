package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// listTool is the tool of a list whose arguments a curation writes.
func listTool(t interface {
	Helper()
	Fatal(args ...any)
}, args, result string,
) *curate.Tool {
	t.Helper()
	count := func(more ...any) map[string]any {
		s := map[string]any{"type": "integer"}
		for i := 0; i+1 < len(more); i += 2 {
			s[more[i].(string)] = more[i+1]
		}
		return s
	}
	site := &discover.Site{URL: "https://t.example", Routes: []discover.Route{{
		Path: "/t/v1/things", Pattern: "/t/v1/things", Namespace: "t/v1",
		Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
			"page": count("minimum", 1, "default", 1), "per_page": count("minimum", 1, "maximum", 100, "default", 10), "offset": count(), "search": map[string]any{"type": "string"},
		}}},
	}}}
	c, err := curate.Parse("curation.yaml", []byte("version: 1\ntools:\n  things: { from: GET /t/v1/things, args: "+args+", result: "+result+" }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return made.Profiles[curate.DefaultProfile].Tool("things")
}

// paged answers a request as WordPress pages a list.
func paged(r wp.Request, items []string) *wp.Response {
	per, page, offset := 10, 1, -1
	for _, p := range r.Query {
		n := 0
		_, _ = fmt.Sscan(fmt.Sprint(p.Value), &n)
		switch p.Name {
		case "per_page":
			per = n
		case "page":
			page = n
		case "offset":
			offset = n
		}
	}
	start := (page - 1) * per
	if offset >= 0 {
		start = offset
	}
	start = min(start, len(items))
	h := http.Header{}
	h.Set("X-WP-Total", fmt.Sprint(len(items)))
	h.Set("X-WP-TotalPages", fmt.Sprint((len(items)+per-1)/per))
	return &wp.Response{Header: h, JSON: json.RawMessage("[" + strings.Join(items[start:min(start+per, len(items))], ",") + "]")}
}

// pageOf is a page as a model reads it.
type pageOf struct {
	Items     []struct{ ID int }
	Next      map[string]int
	NextPage  *int `json:"next_page"`
	PastEnd   bool `json:"past_end"`
	Truncated string
}

func turned(t interface {
	Helper()
	Fatal(args ...any)
}, tool *curate.Tool, arguments map[string]any, items []string,
) (pageOf, json.RawMessage) {
	t.Helper()
	given, _ := json.Marshal(arguments)
	r, err := tool.Request(given)
	if err != nil {
		t.Fatal(err)
	}
	got, err := shape(r, paged(r, items), tool.Result, wanted{offers: tool.Offers, perPage: tool.PerPage()})
	if err != nil {
		t.Fatal(err)
	}
	var p pageOf
	if err := json.Unmarshal(got, &p); err != nil {
		t.Fatal(err, string(got))
	}
	return p, got
}

// W38, G50: whatever the sizes of the items and wherever a model begins, the calls
// that results name give each item after it once, and none is larger than it may be.
func TestNextCallLosesNothing(t *testing.T) {
	tools := map[string]*curate.Tool{
		"pages":   listTool(t, `{ "*": hidden, page: { rename: p }, per_page: { rename: n, maximum: 20 } }`, `{ max_bytes: 1KiB }`),
		"offsets": listTool(t, `{ "*": hidden, offset: {}, per_page: {} }`, `{ max_bytes: 1KiB }`),
	}
	rapid.Check(t, func(t *rapid.T) {
		tool := tools[rapid.SampledFrom([]string{"pages", "offsets"}).Draw(t, "tool")]
		var items []string
		for id := range rapid.IntRange(0, 40).Draw(t, "items") {
			items = append(items, fmt.Sprintf(`{"id":%d,"text":"%s"}`, id, strings.Repeat("x", rapid.IntRange(0, 1500).Draw(t, "size"))))
		}
		arguments, first := map[string]any{}, 0
		if tool == tools["pages"] {
			per, page := rapid.IntRange(1, 20).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p")
			arguments, first = map[string]any{"n": per, "p": page}, per*(page-1)
		}
		var seen []int
		for range 100 {
			p, text := turned(t, tool, arguments, items)
			if len(text) > 1024 {
				t.Fatalf("%d bytes: %s", len(text), text)
			}
			for _, item := range p.Items {
				seen = append(seen, item.ID)
			}
			switch {
			case p.Next != nil:
				if p.Truncated != "" && !strings.Contains(p.Truncated, following(p.Next).String()) && strings.Contains(p.Truncated, "left out") {
					t.Fatalf("%v is not in %q", p.Next, p.Truncated)
				}
				for name, n := range p.Next {
					arguments[name] = n
				}
			case p.NextPage != nil:
				arguments["p"] = *p.NextPage
			default:
				want := []int{}
				for id := first; id < len(items); id++ {
					want = append(want, id)
				}
				if !slices.Equal(seen, want) && len(seen)+len(want) > 0 {
					t.Fatalf("%v, want %v", seen, want)
				}
				return
			}
		}
		t.Fatal("it never ends")
	})
}

// What a tool does not show cannot be asked for, and the result says so.
func TestNextCallIsShown(t *testing.T) {
	var items []string
	for id := range 10 {
		items = append(items, fmt.Sprintf(`{"id":%d,"text":"%s"}`, id, strings.Repeat("x", 300)))
	}
	for args, want := range map[string]string{
		`{ "*": hidden, page: {}, per_page: {} }`:                              "8 of 10 items left out to keep the answer small. Next: call again with page: 2, per_page: 2, all else the same.",
		`{ "*": hidden, page: {}, per_page: {}, offset: {} }`:                  "8 of 10 items left out to keep the answer small. Next: call again with offset: 2, all else the same.",
		`{ "*": hidden, page: { rename: sheet }, per_page: { rename: each } }`: "8 of 10 items left out to keep the answer small. Next: call again with each: 2, sheet: 2, all else the same.",
		`{ "*": hidden, page: {}, per_page: { fix: 10 } }`:                     "no page of this tool would have them",
		`{ "*": hidden, page: {}, per_page: { minimum: 5 } }`:                  "no page of this tool would have them",
		`{ "*": hidden, per_page: {} }`:                                        "no page of this tool would have them",
		`{ "*": hidden }`:                                                      "no page of this tool would have them",
	} {
		p, text := turned(t, listTool(t, args, "{ max_bytes: 1KiB }"), nil, items)
		if len(p.Items) != 2 || !strings.Contains(p.Truncated, want) || (p.Next == nil) != strings.Contains(want, "no page") || p.NextPage != nil {
			t.Errorf("%s: %s", args, text)
		}
	}
}

// W39: a page past the end is an empty page, whether the site refuses it or not.
func TestPastTheEnd(t *testing.T) {
	tool := listTool(t, `{ "*": hidden, page: {}, per_page: {} }`, `{}`)
	if p, text := turned(t, tool, map[string]any{"page": 3}, []string{`{"id":1}`}); !p.PastEnd || string(text) != `{"items":[],"total":1,"total_pages":1,"past_end":true}` {
		t.Errorf("%s", text)
	}
	if p, text := turned(t, tool, nil, nil); p.PastEnd || string(text) != `{"items":[],"total":0,"total_pages":0}` {
		t.Errorf("nothing found: %s", text)
	}
	for code, want := range map[string]string{
		"rest_post_invalid_page_number": `{"items":[],"past_end":true}`, "rest_search_invalid_page_number": `{"items":[],"past_end":true}`, "rest_invalid_param": "",
	} {
		made := catalog("one", "list")
		s := NewServer(made, Options{Site: siteFunc(func(_ context.Context, r wp.Request) (*wp.Response, error) {
			return nil, &wp.Error{Kind: wp.Refused, Status: 400, Code: code, Method: r.Method, Sent: true}
		})})
		res, err := s.Call(t.Context(), curate.DefaultProfile, "list", nil)
		if err != nil || res.IsError != (want == "") {
			t.Fatalf("%s: %+v %v", code, res, err)
		}
		if got, _ := res.StructuredContent.(json.RawMessage); string(got) != want {
			t.Errorf("%s: %s", code, got)
		}
	}
}
