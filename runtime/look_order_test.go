package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// A look is no part of what is remembered: a repeated call gets its first result
// without one, what it prevents frees the key, and an answer that was lost after it
// is unknown (T34).
func TestLookAndKey(t *testing.T) {
	for _, confirm := range []string{"never", "always"} {
		d := &desk{modified: "2026-01-31T09:30:00", answer: `{"id":5}`}
		s := deskServer(t, d, `tools: { save: { from: "POST /wp/v2/posts/{id}", if_unmodified: { argument: seen }, idempotency: { argument: key, window: 1h }, confirm: { when: `+confirm+` } } }`)
		save := func(title, seen, key string) string {
			t.Helper()
			res, err := s.Call(Confirmed(t.Context()), curate.DefaultProfile, "save", fmt.Appendf(nil, `{"id":5,"title":%q,"seen":"2026-01-31T%s","key":%q}`, title, seen, key))
			if err != nil {
				t.Fatal(err)
			}
			return whole(res) + d.took()
		}
		const look, post = "GET /wp/v2/posts/5?context=edit&_fields=modified_gmt", "POST /wp/v2/posts/5"
		wants := func(got string, texts ...string) {
			t.Helper()
			for _, text := range texts {
				if !strings.Contains(got, text) {
					t.Errorf("%s: %s\nlacks %s", confirm, got, text)
				}
			}
		}
		wants(save("a", "09:29:00", "k1"), "Nothing was sent: it was changed after", look)
		d.modified = "2026-01-31T09:31:00"
		wants(save("a", "09:31:00", "k1"), `{"id":5`, look+", "+post)
		d.modified = "2026-01-31T09:32:00"
		if got := save("a", "09:31:00", "k1"); strings.Contains(got, "GET") || !strings.Contains(got, "This is the result of the first call") {
			t.Errorf("%s: %s", confirm, got)
		}
		d.writing = &wp.Error{Kind: wp.Broken, Method: "POST", Sent: true}
		wants(save("b", "09:32:00", "k2"), "The outcome is unknown", look+", "+post)
		d.writing = nil
		if got := save("b", "09:32:00", "k2"); strings.Contains(got, "GET") || !strings.Contains(got, "The outcome is unknown") {
			t.Errorf("%s: %s", confirm, got)
		}
		// The site is left alone after the look: nothing was sent.
		d.writing = &wp.Error{Kind: wp.Unreachable, Method: "POST", Err: errors.New("no")}
		wants(save("c", "09:32:00", "k3"), "cannot be reached")
		d.writing = nil
		wants(save("c", "09:32:00", "k3"), `{"id":5`, look+", "+post)
	}
}

// Nobody is asked about a change that would be refused, and what became wrong while
// a person thought is not made.
func TestLookAndConfirmation(t *testing.T) {
	for _, era := range eras {
		d := &desk{text: "<p>a</p>", modified: "2026-01-31T09:30:00", answer: `{"id":5}`}
		s := deskServer(t, d, `tools: { save: { from: "POST /wp/v2/posts/{id}", if_unmodified: { argument: seen }, confirm: { when: always } } }`)
		_, web := serve(t, catalog(""), Options{})
		web.Config.Handler = s.Handler()
		asked, meanwhile := 0, func() {}
		cs := connect(t, web.URL+"/mcp", era, nil, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				meanwhile()
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			},
		})
		save := func(arguments map[string]any, wantAsked int, says, asks string) {
			t.Helper()
			d.took()
			asked = 0
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "save", Arguments: arguments})
			if err != nil {
				t.Fatal(era, err)
			}
			if got := d.took(); asked != wantAsked || !strings.Contains(whole(res), says) || got != asks {
				t.Errorf("%s: asked %d times, %s %s", era, asked, got, whole(res))
			}
		}
		const look, post = "GET /wp/v2/posts/5?context=edit&_fields=content.raw,modified_gmt", "POST /wp/v2/posts/5"
		const who = "GET /wp/v2/posts/5/revisions?context=edit&per_page=5&_fields=author,date_gmt"
		save(map[string]any{"id": 5, "content": "b", "seen": "2026-01-31T09:30:00"}, 1, `{"id":5}`, look+", "+look+", "+post)
		save(map[string]any{"id": 5, "content": "b", "seen": "2026-01-31T09:00:00"}, 0, "it was changed after you read it", look+", "+who)
		meanwhile = func() { d.mu.Lock(); d.text = "<!-- wp:spacer /-->"; d.mu.Unlock() }
		save(map[string]any{"id": 5, "content": "b", "seen": "2026-01-31T09:30:00"}, 1, "they would be lost", look+", "+look)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
