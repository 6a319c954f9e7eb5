package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// writing is a curation of tools that write and give next to nothing back.
const writing = `version: 1
defaults: { confirm: { when: never }, result: { pick: [id] } }
tools:
  add_post: { from: POST /wp/v2/posts, args: { content: { rename: text } } }
  change_post: { from: "POST /wp/v2/posts/{id}", args: { content: { rename: text } } }
  publish_post: { from: "POST /wp/v2/posts/{id}", args: { "*": hidden, id: {}, status: { fix: publish } } }
  add_page: { from: POST /wp/v2/pages }
  add_category: { from: POST /wp/v2/categories }
  add_tag: { from: POST /wp/v2/tags }
  change_comment: { from: "POST /wp/v2/comments/{id}" }
  change_media: { from: "POST /wp/v2/media/{id}", args: { alt_text: { rename: alt } } }
  upload: { from: POST /wp/v2/media, args: { alt_text: { rename: alt } } }
  change_settings: { from: POST /wp/v2/settings, result: { pick: [url] } }
  add_user: { from: POST /wp/v2/users }
  change_user: { from: "POST /wp/v2/users/{id}" }
`

// tried is one call, and the arguments that its answer warns of with a part of what
// is said of each. ID is of the object that was made: {id} in later calls.
type tried struct {
	tool, arguments string
	want            map[string]string
}

// W79: what a real site stores of what is sent: where it stores it as it was meant
// nothing is told, and where it does not, by the model's own name of the argument.
// The answers are read whole, though the tools pick next to nothing of them.
func TestStored(t *testing.T) {
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(writing), 0o600); err != nil {
		t.Fatal(err)
	}
	type told = map[string]string
	for role, calls := range map[string][]tried{
		"AUTHOR": {
			{"add_post", `{"title":"Ink & <i>pens</i>, 1 < 2","text":"<!-- wp:paragraph {\"dropCap\":true} --><p>It's <br/><a href='x'>k</a> &amp; &copy;</p><!-- /wp:paragraph -->\r\n","excerpt":" short ","status":"draft"}`, nil},
			{"add_post", `{"title":"Ink","text":"<p>Buy</p><script>alert(1)</script>","status":"draft"}`, told{"text": `"<p>Buy</p>alert(1)" instead of "<p>Buy</p><script>alert(1)</script>"`}},
			{"add_post", `{"title":"Later","status":"publish","date":"2040-01-02T03:04:05"}`, told{"status": `stored "future" instead of "publish"`}},
			{"publish_post", `{"id":{id}}`, told{"status": `stored "future", and not what this tool sends`}},
			{"change_post", `{"id":{id},"date":"2040-01-02T03:04:05Z"}`, nil},      // stored as the moment it is
			{"change_post", `{"id":{id},"date":"2040-01-02T03:04:05+05:00"}`, nil}, // with date_gmt beside it
			{"change_post", `{"id":{id},"date_gmt":"2040-01-02T03:04:05+05:00"}`, nil},
			{"change_post", `{"id":{id},"status":"future","date":"2025-01-02 03:04:05"}`, told{"status": `stored "publish" instead of "future"`}},
		},
		"EDITOR": {
			{"add_post", `{"title":"  Ink  and pens ","text":"  <p>Buy</p><script>alert(1)</script>\n\n","slug":"ink-pens","status":"publish","sticky":true,"author":2,"featured_media":0,"template":"","format":"aside","comment_status":"closed","ping_status":"open","tags":[6,5],"categories":[3,1,3],"meta":{"footnotes":""}}`, nil},
			{"add_post", `{"title":"Ink","slug":"ink-pens","status":"publish","meta":{"_yoast_wpseo_title":"x","footnotes":"","rating":5}}`, told{
				"slug": `"ink-pens-2" instead of "ink-pens"`, "meta._yoast_wpseo_title": "did not store it", "meta.rating": "did not store it",
			}},
			{"add_post", `{"title":"Ink","slug":"写真","status":"draft","password":"secret","categories":[],"date":null,"excerpt":""}`, nil},
			{"add_post", `{"title":"Ink","slug":"Ink And PENS","status":"private"}`, told{"slug": `"ink-and-pens" instead of "Ink And PENS"`}},
			{"add_page", `{"title":"Map","menu_order":3,"parent":0,"content":"<!-- wp:spacer /-->","meta":{"nope":{"a":1}},"status":"publish"}`, told{"meta.nope": "did not store it"}},
			{"add_category", `{"name":"A & B's \"c\"","description":"D <script>x</script> & <a href=\"x\">l</a>","parent":0,"slug":"","meta":{"nope":1}}`, told{"description": `"D x &amp; <a href`, "meta.nope": "did not store it"}},
			{"add_tag", `{"name":" Two  words ","slug":"two-words","meta":{}}`, nil},
			{"add_tag", `{"name":"<b>Bold</b>"}`, told{"name": `"Bold" instead of "<b>Bold</b>"`}},
			{"change_comment", `{"id":2,"content":"Hi & <b>x</b>\r\n","author_name":"A & B","author_url":"shop.example","author_email":"a@shop.example","status":"approve","parent":0,"date":"2025-01-02T03:04:05Z"}`, nil},
			{"change_comment", `{"id":{id},"status":"0"}`, nil},
			{"change_comment", `{"id":{id},"status":"spam"}`, nil},
			{"change_comment", `{"id":{id},"status":"unspam","content":"new"}`, nil},
			{"change_comment", `{"id":{id},"author_name":"Ann <i>","meta":{"stars":5}}`, told{"author_name": `"Ann" instead of "Ann <i>"`, "meta.stars": "did not store it"}},
			{"upload", `{"file":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7","filename":"dot.gif","title":"Dot & co","alt":"A <b>dot</b>","post":4}`, told{"alt": `"A dot" instead of`}},
			{"change_media", `{"id":19,"alt":"A <b>shelf</b>","caption":"Books & more","title":"Shelf","post":4,"slug":"shelf-1"}`, told{"alt": `"A shelf" instead of "A <b>shelf</b>"`}},
		},
		"ADMIN": {
			{"change_settings", `{"title":"Maple < Street & \"Books\"","posts_per_page":"10","use_smilies":0,"start_of_week":1,"default_ping_status":"open","timezone":"America/Toronto"}`, nil},
			{"change_settings", `{"title":"Maple Street Books","description":"<b>All</b> books"}`, told{"description": `"&lt;b&gt;All&lt;/b&gt; books" instead of "<b>All</b> books"`}},
			{"add_user", `{"username":"bob","email":"bob@shop.example","password":"correct horse","name":"Bob & Co","url":"bob.example","roles":["author"],"locale":"","first_name":"<b>Bob</b>"}`, told{"first_name": `"Bob" instead of "<b>Bob</b>"`}},
			{"change_user", `{"id":{id},"password":"battery staple","nickname":"bobby","meta":{"theme":"dark"}}`, told{"meta.theme": "did not store it"}},
		},
	} {
		url, _ := serve(t, role, curation)
		session, _ := connect(t, url, eras[0])
		id := ""
		for _, c := range calls {
			if made := warns(t, session, c, strings.ReplaceAll(c.arguments, "{id}", id)); made != "" {
				id = made
			}
		}
	}
}

// warns makes one call and holds what it warns of against what is wanted; it
// returns the id of what was made.
func warns(t *testing.T, session *mcp.ClientSession, c tried, arguments string) string {
	t.Helper()
	said := call(t, session, c.tool, arguments)
	var answer struct {
		ID       json.Number
		Warnings []struct{ Argument, Warning string }
	}
	if err := json.Unmarshal([]byte(said), &answer); err != nil {
		t.Errorf("%s %s: %s", c.tool, arguments, said)
		return ""
	}
	var names []string
	for _, w := range answer.Warnings {
		names = append(names, w.Argument)
		want, named := c.want[w.Argument]
		if !named || !strings.Contains(w.Warning, want) {
			t.Errorf("%s %s: %s: %s, want %q", c.tool, arguments, w.Argument, w.Warning, want)
		}
	}
	for name := range c.want {
		if !slices.Contains(names, name) {
			t.Errorf("%s %s: nothing is said of %s", c.tool, arguments, name)
		}
	}
	return answer.ID.String()
}
