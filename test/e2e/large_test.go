package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// admin calls the site's REST API with a value as JSON, and returns the object it
// answers.
func admin(t *testing.T, method, path string, body any) (answer map[string]any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	asAdmin(t, method, path, string(text), &answer)
	return answer
}

// long is the text of a post of 60 kB, in blocks, with what is not for a model.
func long(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < 60_000; i++ {
		fmt.Fprintf(&b, "<!-- wp:paragraph -->\n<p>Post %d, paragraph %d: Größe, 日本語, 😀 and \"words\"%s.</p>\n<!-- /wp:paragraph -->\n\n", n, i, strings.Repeat(" more", i%30))
	}
	b.WriteString("<!-- wp:html -->\n<script>steal()</script><img src=\"data:image/png;base64,iVBORw0KGgo=\" alt=\"x\">\n<!-- /wp:html -->")
	return b.String()
}

// size is what a result takes as the server writes it, in bytes.
func size(text string) int {
	return len(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(text))
}

// W38, W39: ten posts of 60 kB are listed within the tool's budget, and the calls
// that the results name give each once; one is read for editing whole, in parts,
// and saved back it is the same; what is read has no scripts and no data (T20).
func TestLargePosts(t *testing.T) {
	const word = "leviathan"
	stored, ids := map[int]string{}, []int{}
	for n := range 10 {
		post := admin(t, "POST", "/wp/v2/posts", map[string]any{
			"title": fmt.Sprintf("%s %d", word, n), "content": long(n), "status": "publish", "date": fmt.Sprintf("2024-01-%02dT09:00:00", n+1),
		})
		id := int(post["id"].(float64))
		ids, stored[id] = append(ids, id), post["content"].(map[string]any)["raw"].(string)
		t.Cleanup(func() { admin(t, "DELETE", fmt.Sprintf("/wp/v2/posts/%d?force=true", id), nil) })
	}
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(`version: 1
extends: [preset:wordpress@1]
defaults: { confirm: { when: never } }
tools:
  whole: { from: GET /wp/v2/posts, groups: [read], result: { pick: [id, content.raw] }, args: { "*": hidden, search: {}, page: {}, per_page: { rename: count }, context: { fix: edit } } }
  begin: { from: GET /wp/v2/posts, groups: [read], result: { pick: [id, content.rendered], html: text, max_text: 5000 }, args: { "*": hidden, search: {}, page: {}, per_page: {} } }
  skip: { from: GET /wp/v2/posts, groups: [read], result: { pick: [id, content.rendered], html: text, max_text: 5000 }, args: { "*": hidden, search: {}, offset: {} } }
  stuck: { from: GET /wp/v2/posts, groups: [read], result: { pick: [id, content.rendered], html: text, max_text: 5000 }, args: { "*": hidden, search: {} } }
profiles: { default: { groups: [read, write] } }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	url, _ := serve(t, "ADMIN", curation)
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, _ := connect(t, url, era)
			for tool, most := range map[string]int{"find_posts": 1, "whole": 10, "begin": 6, "skip": 6} {
				arguments := map[string]any{"search": word}
				if tool == "find_posts" {
					arguments = map[string]any{"query": word}
				}
				var seen []int
				calls := 0
				for ; calls < 20; calls++ {
					given, _ := json.Marshal(arguments)
					got := call(t, session, tool, string(given))
					var page struct {
						Items     []struct{ ID int }
						Next      map[string]int
						NextPage  int `json:"next_page"`
						Truncated string
						Total     int
					}
					if err := json.Unmarshal([]byte(got), &page); err != nil || size(got) > 24<<10 || page.Total != 10 {
						t.Fatalf("%s: %d bytes, %v: %.300s", tool, len(got), err, got)
					}
					if strings.Contains(got, "<script") || strings.Contains(got, "data:image") && tool != "whole" {
						t.Errorf("%s: %s", tool, got)
					}
					for _, item := range page.Items {
						seen = append(seen, item.ID)
					}
					if arguments["page"] = page.NextPage; page.NextPage == 0 {
						delete(arguments, "page")
					}
					for name, n := range page.Next {
						arguments[name] = n
					}
					if page.Next == nil && page.NextPage == 0 {
						break
					}
				}
				slices.Sort(seen)
				if !slices.Equal(seen, ids) || calls+1 > most {
					t.Errorf("%s: %d calls saw %v, want %v", tool, calls+1, seen, ids)
				}
			}
			hold(t, call(t, session, "stuck", `{"search":"`+word+`"}`), "items left out to keep the answer small, and no page of this tool would have them")
			if got := call(t, session, "begin", `{"search":"`+word+`","page":9}`); got != `{"items":[],"past_end":true}` {
				t.Errorf("past the end: %s", got)
			}

			id := ids[3]
			text, parts := "", 0
			for next := 1; next != 0; parts++ {
				got := call(t, session, "read_post_source", fmt.Sprintf(`{"id":%d,"part":%d}`, id, next))
				var part struct{ Parts, Text, Title string }
				if err := json.Unmarshal([]byte(got), &part); err != nil || size(got) > 24<<10 || part.Title != word+" 3" {
					t.Fatalf("%d bytes, %v: %.300s", len(got), err, got)
				}
				text += part.Text
				var at, of int
				next = 0
				if _, err := fmt.Sscanf(part.Parts, "Part %d of %d, next: part: %d", &at, &of, &next); err != nil && at != of {
					t.Fatalf("%q: %v", part.Parts, err)
				}
			}
			if text != stored[id] || parts != 3 {
				t.Fatalf("%d parts, %d of %d bytes", parts, len(text), len(stored[id]))
			}
			saved, _ := json.Marshal(map[string]any{"id": id, "text": text})
			hold(t, call(t, session, "update_post", string(saved)), fmt.Sprintf(`"id":%d`, id))
			if got := admin(t, "GET", fmt.Sprintf("/wp/v2/posts/%d?context=edit", id), nil)["content"].(map[string]any)["raw"]; got != stored[id] {
				t.Error("what was saved back is not what was read")
			}
			read := call(t, session, "read_post", fmt.Sprintf(`{"id":%d,"part":99}`, id))
			hold(t, read, "error:", "There is no part 99", "Next: leave out part for the first.")
			hold(t, call(t, session, "read_post", fmt.Sprintf(`{"id":%d}`, id)), `"parts":"Part 1 of `, "Post 3, paragraph 0")
			hold(t, call(t, session, "read_post", `{"id":4,"part":1}`), `"title":"A New Year on Maple Street"`)
		})
	}
}
