package presets

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
	"testing"
)

// pageLife is a page that is drafted, changed, published and taken back.
func pageLife(t *testing.T, c *client) {
	word := rand.Text()
	const before, after = "<!-- wp:paragraph -->\n<p>Turn left.</p>\n<!-- /wp:paragraph -->", "<!-- wp:paragraph -->\n<p>Turn <strong>right</strong>.</p>\n<!-- /wp:paragraph -->"
	id := c.call(t, "draft_page", object("title", "The way "+word, "text", before, "parent", 17), `{"id":"*","status":"draft","title":"The way `+word+`","link":"*"}`)["id"]
	found := func(items string) {
		t.Helper()
		c.call(t, "find_pages", object("query", word, "parent", []int{17}), items)
	}
	const none = `{"items":[],"total":0,"total_pages":0}`
	found(none)
	source := func(status, text, parent string) {
		t.Helper()
		c.call(t, "read_page_source", object("id", id), `{"id":`+show(id)+`,"status":"`+status+`","date":"*","modified":"*","link":"*","title":"The way `+word+`","text":`+show(text)+`,"parent":`+parent+`}`)
	}
	source("draft", before, "17")
	changed := `","title":"The way ` + word + `","link":"*","modified":"*"}`
	c.call(t, "update_page", object("id", id, "text", after), `{"id":`+show(id)+`,"status":"draft`+changed)
	source("draft", after, "17")
	c.call(t, "update_page", object("id", id, "status", "publish"), `{"id":`+show(id)+`,"status":"publish`+changed)
	found(`{"items":[{"id":` + show(id) + `,"date":"*","link":"{site}/visit-us/the-way-` + strings.ToLower(word) + `/","title":"The way ` + word + `","parent":17}],"total":1,"total_pages":1}`)
	c.call(t, "read_page", object("id", id), `{"id":`+show(id)+`,"date":"*","modified":"*","status":"publish","link":"*","title":"The way `+word+`","text":"Turn **right**.","parent":17}`)
	c.call(t, "update_page", object("id", id, "status", "draft", "parent", 0), `{"id":`+show(id)+`,"status":"draft`+changed)
	found(none)
	source("draft", after, "0")
}

// comments are one comment's ways: held back, spam, trashed and approved again.
func comments(t *testing.T, c *client) {
	const (
		seen  = `{"items":[{"id":3,"post":6,"parent":0,"author":"Ibrahim","date":"2025-02-16T20:40:00","text":"When is the next one?"}],"total":1,"total_pages":1}`
		none  = `{"items":[],"total":0,"total_pages":0}`
		asked = `{"query":"When is the next one","post":[6]}`
	)
	c.call(t, "find_comments", asked, seen)
	for _, status := range []string{"hold", "spam", "trash"} {
		c.call(t, "moderate_comment", object("id", 3, "status", status), `{"id":3,"post":6,"status":"`+status+`"}`)
		c.call(t, "find_comments", asked, none)
		c.call(t, "find_comments_to_moderate", object("status", status, "post", []int{6}),
			`{"items":[{"id":3,"post":6,"author":"Ibrahim","date":"2025-02-16T20:40:00","status":"`+status+`","text":"When is the next one?","link":"*"}],"total":1,"total_pages":1}`)
	}
	c.call(t, "moderate_comment", `{"id":3,"status":"approved"}`, `{"id":3,"post":6,"status":"approved"}`)
	c.call(t, "find_comments", asked, seen)
	c.call(t, "find_comments_to_moderate", `{"post":[6]}`, none)
}

// trashedComments is what the trash does to a post's comments, and restoring the
// post does not undo: the preset finds them and brings them back. The post has its
// date and its address again.
func trashedComments(t *testing.T, c *client) {
	const (
		none  = `{"items":[],"total":0,"total_pages":0}`
		title = `"title":"Poetry Night with Local Voices"`
	)
	c.call(t, "trash_post", `{"id":6}`, `{"id":6,"status":"trash",`+title+`}`)
	c.call(t, "restore_post", `{"id":6}`, `{"id":6,"status":"draft",`+title+`}`)
	c.call(t, "publish_post", `{"id":6}`, `{"id":6,"status":"publish",`+title+`,"date":"2025-02-14T18:00:00","link":"{site}/2025/02/14/poetry-night-with-local-voices/"}`)
	c.call(t, "find_comments", `{"post":[6]}`, none)
	hid := func(id, author, date, text string) string {
		return `{"id":` + id + `,"post":6,"author":"` + author + `","date":"` + date + `","status":"post-trashed","text":"` + text + `","link":"{site}/2025/02/14/poetry-night-with-local-voices/#comment-` + id + `"}`
	}
	c.call(t, "find_comments_to_moderate", `{"post":[6],"status":"post-trashed"}`, `{"items":[`+
		hid("3", "Ibrahim", "2025-02-16T20:40:00", "When is the next one?")+`,`+
		hid("2", "Nora", "2025-02-15T09:12:00", "The cider was excellent, and so was the sonnet about the tram.")+`],"total":2,"total_pages":1}`)
	for _, id := range []string{"2", "3"} {
		c.call(t, "moderate_comment", `{"id":`+id+`,"status":"approved"}`, `{"id":`+id+`,"post":6,"status":"approved"}`)
	}
	c.call(t, "find_comments", `{"post":[6]}`, `{"items":["*","*"],"total":2,"total_pages":1}`)
}

// hidden is what WordPress takes and the preset does not: no name or value of it
// gets through, and nothing is changed by the attempt.
func hidden(t *testing.T, c *client) {
	for _, one := range []struct{ tool, arguments, word string }{
		{"draft_post", `{"title":"x","text":"x","status":"publish"}`, "status is not an argument"},
		{"draft_page", `{"title":"x","text":"x","status":"publish"}`, "status is not an argument"},
		{"publish_post", `{"id":15,"date":"2020-01-01T00:00:00"}`, "date is not an argument"},
		{"schedule_post", `{"id":15,"date":"2035-01-01T00:00:00","status":"publish"}`, "status is not an argument"},
		{"update_post", `{"id":15,"status":"publish"}`, "status is not an argument"},
		{"update_post", `{"id":15,"author":1}`, "author is not an argument"},
		{"update_post", `{"id":15,"password":"x"}`, "password is not an argument"},
		{"update_post", `{"id":15,"content":"x"}`, "content is not an argument"}, // it is called text
		{"restore_post", `{"id":15,"status":"publish"}`, "status is not an argument"},
		{"trash_post", `{"id":15,"force":true}`, "force is not an argument"},
		{"update_page", `{"id":16,"status":"trash"}`, "status must be one of"},
		{"moderate_comment", `{"id":2,"status":"delete"}`, "status must be one of"},
		{"moderate_comment", `{"id":2,"status":"hold","content":"x"}`, "content is not an argument"},
		{"find_posts", `{"status":["draft"]}`, "status is not an argument"},
		{"find_posts", `{"context":"edit"}`, "context is not an argument"},
		{"find_posts", `{"per_page":51}`, "per_page must be 50 or less"},
		{"find_unpublished_posts", `{"status":["auto-draft"]}`, "status[0] must be one of"},
		{"find_comments", `{"status":"hold"}`, "status is not an argument"},
		{"find_comments", `{"author_email":"nora@example.com"}`, "author_email is not an argument"},
		{"find_authors", `{"context":"edit"}`, "context is not an argument"},
		{"find_authors", `{"has_published_posts":false}`, "has_published_posts is not an argument"},
		{"find_authors", `{"roles":["administrator"]}`, "roles is not an argument"},
		{"read_post", `{"id":4,"context":"edit"}`, "context is not an argument"},
	} {
		c.refused(t, one.tool, one.arguments, one.word)
	}
	c.call(t, "read_post_source", `{"id":15}`, `{"id":15,"status":"draft","date":"*","modified":"*","link":"*","title":"Holiday Gift Guide","text":"*","excerpt":"*","image":0,"categories":[2],"tags":[]}`)
	c.call(t, "find_comments", `{"query":"cider"}`, `{"items":["*"],"total":1,"total_pages":1}`)
}

// private is what the preset keeps back of answers that hold it, also from tools of
// a file of one's own: an editor is told a visitor's address, and his own.
func private(t *testing.T, c *client) {
	for _, one := range []struct {
		tool, arguments, there string
		gone                   []string
	}{
		{"stored_comment", `{"id":2}`, "author_name", []string{"author_email", "author_ip", "author_user_agent"}},
		{"stored_user", `{"id":2}`, "name", []string{"email", "username", "nickname", "first_name", "last_name"}},
	} {
		got, result := c.answer(t, one.tool, one.arguments)
		if got[one.there] == nil || strings.Contains(result, "@example.com") {
			t.Errorf("%s answers %s", one.tool, result)
		}
		for _, name := range one.gone {
			if value, there := got[name]; there {
				t.Errorf("%s shows %s: %v", one.tool, name, value)
			}
		}
	}
}

// picture is put into the library and shown with a post.
func picture(t *testing.T, c *client) {
	var content bytes.Buffer
	if err := png.Encode(&content, image.NewGray(image.Rect(0, 0, 8, 6))); err != nil {
		t.Fatal(err)
	}
	name := "door-" + strings.ToLower(rand.Text()) + ".png"
	got := c.call(t, "upload_media", object("file", base64.StdEncoding.EncodeToString(content.Bytes()), "filename", name, "title", "The door", "alt_text", "A blue door", "caption", "Open at nine"),
		`{"id":"*","title":"The door","file":"*","mime_type":"image/png","alt_text":"A blue door"}`)
	if file, _ := got["file"].(string); !strings.HasPrefix(file, c.site) || !strings.HasSuffix(file, name) {
		t.Errorf("the file is at %v", got["file"])
	}
	draft := c.call(t, "draft_post", object("title", "With a door", "text", "Look."), `{"id":"*","status":"draft","title":"With a door","link":"*"}`)
	c.call(t, "update_post", object("id", draft["id"], "image", got["id"]), `{"id":`+show(draft["id"])+`,"status":"draft","title":"With a door","link":"*","modified":"*"}`)
	source, _ := c.answer(t, "read_post_source", object("id", draft["id"]))
	if source["image"] != got["id"] {
		t.Errorf("the post shows %v, not %v", source["image"], got["id"])
	}
	c.call(t, "trash_post", object("id", draft["id"]), `{"id":`+show(draft["id"])+`,"status":"trash","title":"With a door"}`)
	c.refused(t, "upload_media", object("file", "x", "filename", "page.php"), "file")
}
