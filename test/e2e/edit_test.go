package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// editing is a curation of a text that is read and written back.
const editing = `version: 1
defaults: { confirm: { when: never } }
tools:
  add_post: { from: POST /wp/v2/posts, args: { content: { rename: text } }, result: { pick: [id] } }
  # Comes before the other by its name, and gives what may not be written back.
  read_post: { from: "GET /wp/v2/posts/{id}", args: { context: { fix: view } }, result: { pick: [content.rendered] } }
  read_source: { from: "GET /wp/v2/posts/{id}", args: { context: { fix: edit } }, result: { pick: [content.raw, modified_gmt], rename: { content.raw: text }, max_bytes: 64KiB } }
  read_little: { from: "GET /wp/v2/posts/{id}", args: { context: { fix: edit } }, result: { pick: [content.raw], rename: { content.raw: text }, max_text: 60 } }
  change_post:
    from: POST /wp/v2/posts/{id}
    args: { "*": hidden, id: {}, title: {}, content: { rename: text } }
    result: { pick: [id, modified_gmt] }
    if_unmodified: { argument: modified_gmt, required: false }
  trash_post: { from: "DELETE /wp/v2/posts/{id}", result: { pick: [status] }, if_unmodified: { argument: modified_gmt } }
`

// article is a post of many kinds of blocks, one in another, as an editor stores it.
var article = strings.Join([]string{
	"<!-- wp:paragraph {\"dropCap\":true} -->\n<p class=\"has-drop-cap\">Maps &amp; globes — since 1999.</p>\n<!-- /wp:paragraph -->",
	"<!-- wp:paragraph -->\n<p>Ten maps.</p>\n<!-- /wp:paragraph -->",
	"<!-- wp:columns -->\n<div class=\"wp-block-columns\"><!-- wp:column {\"width\":\"66.66%\"} -->\n<div class=\"wp-block-column\" style=\"flex-basis:66.66%\"><!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>A \\ B \"c\"</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></div>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->",
	"<!-- wp:latest-posts {\"postsToShow\":3,\"displayPostDate\":true} /-->",
	"<!-- wp:html -->\n<table data-x='1'><tr><td>5 €</td></tr></table>\n<!-- /wp:html -->",
}, "\n\n")

// edited serves editing, and drafts a post with the article.
func edited(t *testing.T, era string) (session *mcp.ClientSession, id int) {
	t.Helper()
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(editing), 0o600); err != nil {
		t.Fatal(err)
	}
	url, _ := serve(t, "EDITOR", curation)
	session, _ = connect(t, url, era)
	var post struct {
		ID       int
		Warnings []any
	}
	made := call(t, session, "add_post", args(t, map[string]any{"title": "Maps", "text": article, "status": "draft"}))
	if err := json.Unmarshal([]byte(made), &post); err != nil || post.ID == 0 || post.Warnings != nil {
		t.Fatalf("%s: %v", made, err)
	}
	return session, post.ID
}

func args(t *testing.T, values map[string]any) string {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// source is a post as it is stored, and when it was changed last.
func source(t *testing.T, session *mcp.ClientSession, id int) (text, modified string) {
	t.Helper()
	var post struct {
		Text     string `json:"text"`
		Modified string `json:"modified_gmt"`
	}
	if err := json.Unmarshal([]byte(call(t, session, "read_source", args(t, map[string]any{"id": id}))), &post); err != nil {
		t.Fatal(err)
	}
	return post.Text, post.Modified
}

// W80: a paragraph of a post is changed, and every other block is stored as it was,
// to the byte; the page that visitors see is not let over the blocks, nor what
// toolpress itself has cut.
func TestBlocksSurvive(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, id := edited(t, era)
			before, _ := source(t, session, id)
			if before != article {
				t.Fatalf("stored as\n%s", before)
			}
			changed := call(t, session, "change_post", args(t, map[string]any{"id": id, "text": strings.Replace(before, "Ten maps.", "Eleven maps.", 1)}))
			if strings.Contains(changed, "warnings") {
				t.Error(changed)
			}
			after, modified := source(t, session, id)
			was, is := strings.Split(article, "\n\n"), strings.Split(after, "\n\n")
			if len(is) != len(was) {
				t.Fatalf("%d blocks became %d", len(was), len(is))
			}
			for i := range was {
				if want := strings.Replace(was[i], "Ten maps.", "Eleven maps.", 1); is[i] != want {
					t.Errorf("%s\nwant %s", is[i], want)
				}
			}

			var shown struct{ Content struct{ Rendered string } }
			if err := json.Unmarshal([]byte(call(t, session, "read_post", args(t, map[string]any{"id": id}))), &shown); err != nil || !strings.Contains(shown.Content.Rendered, "Eleven maps.") {
				t.Fatal(shown, err)
			}
			for _, text := range []string{shown.Content.Rendered, "Twelve maps.", ""} {
				hold(t, call(t, session, "change_post", args(t, map[string]any{"id": id, "text": text})), "error: Nothing was sent", "new text has none", "with read_source")
			}
			var little struct{ Text string }
			if err := json.Unmarshal([]byte(call(t, session, "read_little", args(t, map[string]any{"id": id}))), &little); err != nil || !strings.HasPrefix(article, strings.TrimSuffix(little.Text, "… [shortened]")) {
				t.Fatal(little, err)
			}
			for _, text := range []string{little.Text, little.Text + "</p>\n<!-- /wp:paragraph -->"} {
				hold(t, call(t, session, "change_post", args(t, map[string]any{"id": id, "text": text})), "error: Nothing was sent: text holds", "with read_source")
			}
			if text, at := source(t, session, id); text != after || at != modified {
				t.Errorf("it was changed: %s %s", at, text)
			}
			// The title alone has nothing to do with it.
			hold(t, call(t, session, "change_post", args(t, map[string]any{"id": id, "title": "Globes"})), `"id":`)
			if text, _ := source(t, session, id); text != after {
				t.Errorf("a new title changed the text: %s", text)
			}
		})
	}
}

// Two editors read a post: the second to save is told that it was changed, by whom,
// and what the time is now; with that it is saved. A deletion is held to it too.
func TestIfUnmodified(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, id := edited(t, era)
			text, readAt := source(t, session, id)
			// Another editor saves, a second later by the site's own clock.
			var saved string
			for n, same := 0, true; same; n++ {
				saved = overREST(t, "ADMIN", fmt.Sprintf("/wp/v2/posts/%d", id), args(t, map[string]any{"title": fmt.Sprint("Atlases ", n), "content": text + "\n"}))
				same = saved == readAt
			}
			mine := map[string]any{"id": id, "text": strings.Replace(text, "Ten", "Nine", 1), "modified_gmt": readAt}
			said := call(t, session, "change_post", args(t, mine))
			hold(t, said, "error: Nothing was sent: it was changed after you read it, by the user 1: its modified_gmt is "+saved+" now, and no longer "+readAt, "with read_source", "call change_post with the new modified_gmt")
			hold(t, call(t, session, "trash_post", args(t, map[string]any{"id": id, "modified_gmt": readAt})), "error: Nothing was sent")
			hold(t, call(t, session, "trash_post", args(t, map[string]any{"id": id})), "error: Nothing was sent", "modified_gmt is required")
			if now, at := source(t, session, id); at != saved || !strings.Contains(now, "Ten maps.") {
				t.Errorf("it was changed: %s %s", at, now)
			}
			mine["modified_gmt"] = saved
			said = call(t, session, "change_post", args(t, mine))
			hold(t, said, fmt.Sprintf(`"id":%d`, id))
			now, at := source(t, session, id)
			if !strings.Contains(now, "Nine maps.") || !strings.Contains(said, at) {
				t.Errorf("%s: %s", at, now)
			}
			hold(t, call(t, session, "trash_post", args(t, map[string]any{"id": id, "modified_gmt": at + "Z", "force": false})), `"status":"trash"`)
		})
	}
}

// overREST changes something past toolpress, as one of the site's users; it returns
// when it was changed.
func overREST(t *testing.T, role, route, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, os.Getenv("TOOLPRESS_TEST_SITE")+"/wp-json"+route, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth(os.Getenv("TOOLPRESS_TEST_"+role+"_USER"), os.Getenv("TOOLPRESS_TEST_"+role+"_PASSWORD"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct {
		Modified string `json:"modified_gmt"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.Modified == "" {
		t.Fatal(resp.Status, err)
	}
	return answer.Modified
}

// The instructions say the zone of the dates, as the site has it.
func TestZone(t *testing.T) {
	session, _ := edited(t, eras[0])
	if got := session.InitializeResult(); got == nil || !regexp.MustCompile(`Dates without an offset are in the site's time zone, America/Toronto, those called _gmt in UTC; one given with an offset or Z is converted\. What the tools return `).MatchString(got.Instructions) {
		t.Errorf("%+v", got)
	}
}
