package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// numbered are the names of n tools.
func numbered(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("tool_%04d", i))
	}
	return names
}

// pagesOf reads all pages and says what was on each.
func pagesOf(t *testing.T, cs *mcp.ClientSession) (pages [][]string) {
	t.Helper()
	at := ""
	for {
		list, err := cs.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: at})
		if err != nil {
			t.Fatal(err)
		}
		var page []string
		for _, tool := range list.Tools {
			page = append(page, tool.Name)
		}
		if pages = append(pages, page); list.NextCursor == "" {
			return pages
		}
		if at == list.NextCursor || len(pages) > 20 {
			t.Fatalf("the cursor does not advance: %q after %d pages", at, len(pages))
		}
		at = list.NextCursor
	}
}

// A cursor that never advances, or a last page that has one, is read for ever.
func TestCase_W47(t *testing.T) {
	all := numbered(7)
	for _, era := range eras {
		for size, want := range map[int][]int{2: {2, 2, 2, 1}, 3: {3, 3, 1}, 7: {7}, 0: {7}} {
			_, web := serve(t, catalog("one", all...), Options{PageSize: size})
			pages := pagesOf(t, connect(t, web.URL+"/mcp", era, nil, nil))
			var got []int
			for _, p := range pages {
				got = append(got, len(p))
			}
			if !slices.Equal(got, want) || !slices.Equal(slices.Concat(pages...), all) {
				t.Errorf("%s: pages of %d: %v %v", era, size, got, pages)
			}
		}
	}
}

func TestEmptyListHasOnePage(t *testing.T) {
	for _, era := range eras {
		_, web := serve(t, catalog("one"), Options{PageSize: 1})
		if pages := pagesOf(t, connect(t, web.URL+"/mcp", era, nil, nil)); len(pages) != 1 || len(pages[0]) != 0 {
			t.Errorf("%s: %v", era, pages)
		}
	}
}

// A swap between two pages would make one list of two catalogs.
func TestCase_T31(t *testing.T) {
	for _, era := range eras {
		s, web := serve(t, catalog("one", numbered(5)...), Options{PageSize: 2})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		first, err := cs.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what, at, why string) {
			t.Helper()
			_, err := cs.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: at})
			var coded *jsonrpc.Error
			if !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams || !strings.Contains(coded.Message, why) {
				t.Errorf("%s: %s: %v", era, what, err)
			}
		}
		digest := s.current.Load().profiles[curate.DefaultProfile].digest
		refused("no cursor of ours", "x", "unknown cursor")
		refused("Base64 of nothing", "AAAA", "unknown cursor")
		refused("the first page has none", cursor(digest, 0), "unknown cursor")
		refused("before the first", cursor(digest, -1), "unknown cursor")
		refused("past the end", cursor(digest, 3), "no such page")
		refused("padded", first.NextCursor+"=", "unknown cursor")
		refused("another length", cursor(digest+"00", 1), "unknown cursor")

		s.Swap(catalog("two", numbered(5)...))
		refused("of the list before", first.NextCursor, "the list has changed")
		s.Swap(catalog("one", numbered(5)...))
		if next, err := cs.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: first.NextCursor}); err != nil || next.Tools[0].Name != "tool_0002" {
			t.Errorf("%s: the same list again: %v %v", era, next, err)
		}
	}
}

// No configuration makes a list public: whom a profile serves is decided by the
// token, and a shared cache does not see it. How long a list may be kept is told in
// all of them alike.
func TestCase_T30(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := catalog("one", numbered(rapid.IntRange(0, 5).Draw(t, "tools"))...)
		server, owned := rapid.Bool().Draw(t, "server token"), rapid.Bool().Draw(t, "own token")
		own := &curate.Profile{Name: "own", Tools: c.Profiles[curate.DefaultProfile].Tools}
		if owned {
			own.TokenEnv = []curate.Text{{Value: "T"}}
		}
		c.Profiles["own"] = own
		ttl := time.Duration(rapid.IntRange(1, 3600).Draw(t, "ttl")) * time.Second
		opts := Options{
			PageSize: rapid.IntRange(0, 3).Draw(t, "page"), TTL: ttl,
			Access: func(p *curate.Profile) (a Access) {
				if p.Name == "own" && owned {
					a.Tokens = []wp.Secret{wp.NewSecret("of-its-own")}
				}
				return a
			},
		}
		if server {
			opts.Token = wp.NewSecret("of-the-server")
		}
		s := NewServer(c, opts)
		for path, token := range map[string]string{"/mcp": "of-the-server", "/mcp/own": map[bool]string{true: "of-its-own", false: "of-the-server"}[owned]} {
			for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"} {
				r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, strings.NewReader(modernCall(method, "")))
				for name, value := range map[string]string{
					"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token,
					"Mcp-Protocol-Version": modernVersion, "Mcp-Method": method,
				} {
					r.Header.Set(name, value)
				}
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				_, text, _ := strings.Cut(w.Body.String(), "data: ")
				var message struct {
					Result struct {
						TTL   int64  `json:"ttlMs"`
						Scope string `json:"cacheScope"`
					} `json:"result"`
				}
				_ = json.Unmarshal([]byte(text), &message)
				if message.Result.Scope != "private" || message.Result.TTL != ttl.Milliseconds() {
					t.Fatalf("%s %s: %d %s", path, method, w.Code, w.Body)
				}
			}
		}
	})
}

// One catalog is one list in every process: a prompt cache holds it by its bytes.
func TestCase_G52(t *testing.T) {
	s := NewServer(catalog("one", numbered(50)...), Options{PageSize: 20})
	sum := sha256.New()
	for _, p := range s.current.Load().profiles[curate.DefaultProfile].pages {
		sum.Write(p.legacy)
		sum.Write(p.modern)
	}
	mine := hex.EncodeToString(sum.Sum(nil))
	if os.Getenv("TOOLPRESS_PRINT_LIST") != "" {
		fmt.Println(mine)
		return
	}
	for range 5 {
		again := exec.Command(os.Args[0], "-test.run=^TestCase_G52$")
		again.Env = append(os.Environ(), "TOOLPRESS_PRINT_LIST=1")
		out, err := again.Output()
		if err != nil || !strings.HasPrefix(string(out), mine+"\n") {
			t.Errorf("another process: %v %s, want %s", err, out, mine)
		}
	}
}

// A client that was not told yet learns what its tool became.
func TestCase_G56(t *testing.T) {
	s, web := serve(t, catalog("one", "find", "keep"), Options{})
	cs := connect(t, web.URL+"/mcp", eras[0], nil, nil)
	says := func(name, want string) {
		t.Helper()
		_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
		var coded *jsonrpc.Error
		if !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams || coded.Message != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	s.Swap(catalog("one", "keep", "look_up"))
	// All tools of the fixture call one operation; the first by name is told.
	says("find", `unknown tool "find": the tools have changed, and it is gone; keep calls the same`)
	s.Swap(catalog("one"))
	says("find", `unknown tool "find": the tools have changed, and it is gone; list them again`)
	says("look_up", `unknown tool "look_up": the tools have changed, and it is gone; list them again`)
	says("never", `unknown tool "never"`)
	// T19: what waits for an approval is told so, and nothing of what changed.
	held := catalog("one", "keep")
	held.Profiles[curate.DefaultProfile].NotApproved = []curate.Withheld{{Operation: "GET /wp/v2/posts", Tool: "find", Reason: "POISON"}}
	s.Swap(held)
	says("find", `unknown tool "find": it waits for the operator of this server, who has to approve what it does now (pin_mismatch); tell the user`)
	s.Swap(catalog("one", "find"))
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "find"}); err != nil {
		t.Errorf("served again: %v", err)
	}
}

// What another profile served, or serves, is unknown here.
func TestGoneFromAnotherProfile(t *testing.T) {
	with := func(names ...string) *curate.Catalog {
		c := catalog("one", "mine")
		c.Profiles["other"] = &curate.Profile{Name: "other", Tools: catalog("one", names...).Profiles[curate.DefaultProfile].Tools}
		return c
	}
	s, web := serve(t, with("theirs", "past"), Options{})
	s.Swap(with("theirs"))
	cs := connect(t, web.URL+"/mcp", eras[0], nil, nil)
	for _, name := range []string{"theirs", "past", "never"} {
		_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
		var coded *jsonrpc.Error
		if !errors.As(err, &coded) || coded.Message != `unknown tool "`+name+`"` {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is remembered of former tools is bounded.
func TestGoneIsBounded(t *testing.T) {
	s := NewServer(catalog("one", numbered(900)...), Options{})
	for i := range 20 {
		s.Swap(catalog("one", fmt.Sprintf("only_%d", i)))
	}
	p := s.current.Load().profiles[curate.DefaultProfile]
	if n := len(p.gone); n != 919 {
		t.Errorf("%d names, want the 900 and the 19 before this one", n)
	}
	for i := range 300 {
		s.Swap(catalog("one", fmt.Sprintf("more_%d", i)))
	}
	p = s.current.Load().profiles[curate.DefaultProfile]
	if n := len(p.gone); n != maxGone || p.gone["more_298"] == "" {
		t.Errorf("%d names, want %d, the last one among them", n, maxGone)
	}
}
