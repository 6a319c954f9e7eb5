package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// An answer is given again for as long as the curation says, whatever the site
// says of caches (WordPress says no-store to everybody who is logged in), with its
// age, which a model reads once it matters. The answer itself stays as it was.
func TestKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(_ context.Context, _ wp.Request, n int) (*wp.Response, error) {
			return given(fmt.Sprintf(`{"n":%d}`, n), "Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private"), nil
		}}
		s := onShelf(t, site, "")
		for _, c := range []struct {
			after time.Duration
			value string
			age   any
			says  string
		}{
			{0, `{"n":1}`, nil, ""},
			{0, `{"n":1}`, 0, ""},
			{9 * time.Second, `{"n":1}`, 9, ""},
			{time.Second, `{"n":1}`, 10, "This answer is 10 seconds old: it is kept for 10 minutes, or until something is changed here through these tools."},
			{9*time.Minute + 49*time.Second, `{"n":1}`, 599, "This answer is 10 minutes old"},
			{time.Second, `{"n":2}`, nil, ""},
			{time.Second, `{"n":2}`, 1, ""},
		} {
			<-time.After(c.after)
			res, text := called(t, s, "list", "")
			said := ""
			if len(res.Content) > 1 {
				said = res.Content[1].(*mcp.TextContent).Text
			}
			if text != c.value || string(res.StructuredContent.(json.RawMessage)) != c.value || res.Meta[ageKey] != c.age || !strings.HasPrefix(said, c.says) || (said == "") != (c.says == "") {
				t.Errorf("after %v: %s, age %v, %q", time.Since(site.start), text, res.Meta[ageKey], said)
			}
		}
		// What says nothing of cache asks every time, and so does what may write.
		before := site.count()
		for range 2 {
			called(t, s, "poke", "")
			called(t, s, "count", "")
		}
		if site.count() != before+4 {
			t.Errorf("%d requests", site.count()-before)
		}
	})
}

// Who asks, what of, with which arguments and how the answer is shaped: another of
// these is another answer. Accounts never share one (T30), profiles of one account
// do.
func TestKeptBy(t *testing.T) {
	const more = `profiles:
  default: {}
  same: {}
  less: { tools: { list: { result: { pick: [n] } } } }
  other: { auth: { user_env: U, password_env: P } }
`
	site, other := &upstream{do: counting}, &upstream{do: counting, who: "ben"}
	s := onShelf(t, site, more)
	s.opts.Access = func(p *curate.Profile) Access {
		if p.Name == "other" {
			return Access{Site: other}
		}
		return Access{}
	}
	s.Swap(shelf(t, more))
	call := func(profile, tool, arguments string) string {
		res, err := s.Call(t.Context(), profile, tool, json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		return string(res.StructuredContent.(json.RawMessage))
	}
	for _, c := range []struct{ profile, tool, arguments, want string }{
		{"default", "list", ``, `{"n":1}`},
		{"default", "list", `{"kind":"a"}`, `{"n":2}`},
		{"default", "list", `{"kind":"b"}`, `{"n":3}`},
		{"default", "list", `{"kind":"a","page":2}`, `{"n":4}`},
		{"default", "read", `{"id":1}`, `{"n":5}`},
		{"default", "read", `{"id":2}`, `{"n":6}`},
		{"less", "list", ``, `{"n":7}`},
		{"other", "list", ``, `{"n":1}`},
		{"default", "list", `{"page":2,"kind":"a"}`, `{"n":4}`},
		{"same", "list", ``, `{"n":1}`},
		{"default", "list", `{}`, `{"n":1}`},
		{"other", "list", `{"kind":"a"}`, `{"n":2}`},
	} {
		if got := call(c.profile, c.tool, c.arguments); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	// A catalog that is published anew has the same accounts.
	s.Swap(shelf(t, more))
	if got := call("other", "list", ""); got != `{"n":1}` {
		t.Errorf("after a swap: %s", got)
	}
	// Who does not say who it is, is asked every time.
	unknown := siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { return site.Do(t.Context(), wp.Request{}) })
	s = NewServer(shelf(t, ""), Options{Site: unknown})
	before := site.count()
	called(t, s, "list", "")
	if called(t, s, "list", ""); site.count() != before+2 {
		t.Error("kept of a site without an identity")
	}
}

// Whoever gives up ends its own wait alone. The request ends with the last that
// Where the site named the version of an answer, it is asked whether that still
// holds.
func TestRevalidated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(_ context.Context, r wp.Request, n int) (*wp.Response, error) {
			switch {
			case n == 1:
				return given(`{"n":1}`, "ETag", `W/"a"`, "Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"), nil
			case n == 2:
				resp := given("", "ETag", `W/"b"`)
				resp.Status = 304
				return resp, nil
			}
			return given(fmt.Sprintf(`{"n":%d}`, n)), nil
		}}
		s := onShelf(t, site, "")
		for n, want := range []string{`{"n":1}`, `{"n":1}`, `{"n":1}`, `{"n":3}`, `{"n":3}`, `{"n":4}`} {
			res, text := called(t, s, "list", "")
			if text != want || len(res.Content) > 1 {
				t.Errorf("%d: %s %v", n, text, res.Content)
			}
			if n != 1 && n != 3 {
				<-time.After(10 * time.Minute)
			}
		}
		var since []wp.Validators
		for _, r := range site.asked {
			since = append(since, r.Since)
		}
		const modified = "Mon, 01 Jan 2024 00:00:00 GMT"
		want := []wp.Validators{{}, {ETag: `W/"a"`, LastModified: modified}, {ETag: `W/"b"`, LastModified: modified}, {}}
		if diff := cmp.Diff(want, since); diff != "" {
			t.Error(diff)
		}
	})
}

// A write through us ends what is kept of the same resource, for every account,
// and of nothing else.
func TestWritesDrop(t *testing.T) {
	for _, c := range []struct {
		tool, arguments string
		err             *wp.Error
		drops           string
	}{
		{"add", ``, nil, "list read"},
		{"save", `{"id":7}`, nil, "list read"},
		{"save", `{"id":7}`, &wp.Error{Kind: wp.Refused, Sent: true, Status: 409}, "list read"},
		{"save", `{"id":7}`, &wp.Error{Kind: wp.Crowded}, ""},
		{"save", `{"id":7}`, &wp.Error{Kind: wp.Unreachable}, ""},
		{"save", `{"id":"x"}`, nil, ""}, // nothing is asked
		{"change", ``, nil, "look"},
		{"count", ``, nil, ""},         // it is said to read
		{"poke", ``, nil, "list read"}, // it is said to write
	} {
		synctest.Test(t, func(t *testing.T) {
			site := &upstream{}
			site.do = func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
				if r.Method == "POST" && c.err != nil {
					return nil, c.err
				}
				return counting(ctx, r, n)
			}
			other := &upstream{who: "ben", do: counting}
			const more = "profiles: { default: {}, other: { auth: { user_env: U, password_env: P } } }\n"
			s := onShelf(t, site, more)
			s.opts.Access = func(p *curate.Profile) Access {
				if p.Name == "other" {
					return Access{Site: other}
				}
				return Access{}
			}
			s.Swap(shelf(t, more))
			reads := map[string]string{"list": `{}`, "read": `{"id":8}`, "others": `{}`, "look": `{}`}
			fresh := func(profile string) (names []string) {
				for _, name := range []string{"list", "read", "others", "look"} {
					res, err := s.Call(t.Context(), profile, name, json.RawMessage(reads[name]))
					if err != nil || res.IsError {
						t.Fatal(res, err)
					}
					if res.Meta[ageKey] == nil {
						names = append(names, name)
					}
				}
				return names
			}
			fresh("default")
			fresh("other")
			called(t, s, c.tool, c.arguments)
			for _, profile := range []string{"default", "other"} {
				if got := strings.Join(fresh(profile), " "); got != c.drops {
					t.Errorf("%s %s, profile %s: %q is asked again, not %q", c.tool, c.arguments, profile, got, c.drops)
				}
			}
			s.Forget()
			if got := fresh("default"); len(got) != 4 {
				t.Errorf("after all was forgotten %v is asked again", got)
			}
		})
	}
}

// An answer from before a write is not kept after it, nor one from while the site
// Failures are not kept: neither the site's, nor an answer that does not fit, nor
// T40: what is kept holds nothing private and no argument.
func TestKeptHoldsNoSecret(t *testing.T) {
	site := &upstream{do: func(context.Context, wp.Request, int) (*wp.Response, error) {
		return given(`{"n":1,"secret":"CANARY","other":"CANARY"}`, "ETag", `"v"`, "X-Other", "CANARY"), nil
	}}
	s := onShelf(t, site, "private: [{ match: { route: /t/v1/** }, fields: [secret] }]\nrules: [{ match: { method: GET }, set: { result: { drop: [other] } } }]\n")
	called(t, s, "list", `{"kind":"CANARY"}`)
	if len(s.cache.entries) != 1 {
		t.Fatal("nothing is kept")
	}
	for key, at := range s.cache.entries {
		k := *at.Value.(*kept)
		if dump := fmt.Sprintf("%v %s %+v %s", key, key, k, k.value); strings.Contains(dump, "CANARY") || !strings.Contains(dump, `{"n":1}`) {
			t.Error(dump)
		}
	}
}

// T38: what is kept is bounded in number and bytes, and what was given last stays.
func TestKeptIsBounded(t *testing.T) {
	c := newCache()
	put := func(n, size int) cacheKey {
		k := &kept{value: make(json.RawMessage, size), at: time.Now(), gone: time.Now().Add(time.Hour)}
		k.key = cacheKey{byte(n), byte(n >> 8), byte(n >> 16)}
		c.put(k)
		return k.key
	}
	first := put(0, 10)
	second := put(1, 10)
	for n := 2; n <= maxKept; n++ {
		put(n, 10)
		if n == maxKept-1 {
			c.find(first)
		}
	}
	if len(c.entries) != maxKept || c.recent.Len() != maxKept || c.find(first) == nil || c.find(second) != nil || c.bytes != maxKept*(keptCost+10) {
		t.Errorf("%d entries, %d bytes", len(c.entries), c.bytes)
	}
	for n := range 100 {
		put(5000+n, 1<<20)
	}
	if c.bytes > maxKeptBytes || len(c.entries) != 31 {
		t.Errorf("%d bytes in %d entries", c.bytes, len(c.entries))
	}
	put(5099, 1)
	if c.bytes != 30*(1<<20+keptCost)+1+keptCost {
		t.Errorf("%d bytes after one was replaced", c.bytes)
	}
	c.removeWhere(func(*kept) bool { return true })
	if c.bytes != 0 || len(c.entries) != 0 {
		t.Errorf("%d bytes in %d entries", c.bytes, len(c.entries))
	}
}

// What has ended goes when something else comes, so that little is kept for longer
// than the curation says.
func TestKeptEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onShelf(t, &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			if n == 1 {
				return given(`{}`, "ETag", `"v"`), nil
			}
			return counting(ctx, r, n)
		}}, "")
		called(t, s, "list", "")
		called(t, s, "list", `{"page":2}`)
		<-time.After(10 * time.Minute)
		if called(t, s, "others", ""); len(s.cache.entries) != 2 { // the first has a version
			t.Errorf("%d are kept", len(s.cache.entries))
		}
		<-time.After(revalidated)
		if called(t, s, "look", ""); len(s.cache.entries) != 1 {
			t.Errorf("%d are kept after a day", len(s.cache.entries))
		}
	})
}
