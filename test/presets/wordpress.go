package presets

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// WordPress calls every tool of preset:wordpress@1, as wordpress.yaml serves it to
// the bookshop's editor, and reads what came of it. It fails where the preset has
// a tool that is not served, or that nothing here calls.
func WordPress(t *testing.T, open Open) {
	reads := &client{session: open(t, "default"), called: map[string]bool{}}
	all := &client{session: open(t, "editor"), called: map[string]bool{}}
	all.site = siteInfo(t, all)
	reads.site = all.site

	t.Run("lookups", func(t *testing.T) { lookups(t, reads) })
	t.Run("a post's life", func(t *testing.T) { postLife(t, all) })
	t.Run("a page's life", func(t *testing.T) { pageLife(t, all) })
	t.Run("a picture", func(t *testing.T) { picture(t, all) })
	t.Run("comments", func(t *testing.T) { comments(t, all) })
	t.Run("a trashed post's comments", func(t *testing.T) { trashedComments(t, all) })
	t.Run("what is hidden", func(t *testing.T) { hidden(t, all) })
	t.Run("what is private", func(t *testing.T) { private(t, &client{session: open(t, "own"), called: map[string]bool{}}) })

	has := written(t, "wordpress@1")
	if got := reads.tools(t); !slices.Equal(got, has["read"]) {
		t.Errorf("who reads has %v, not %v", got, has["read"])
	}
	whole := slices.Sorted(slices.Values(slices.Concat(has["read"], has["write"])))
	if got := all.tools(t); !slices.Equal(got, whole) {
		t.Errorf("who writes has %v, not %v", got, whole)
	}
	for _, tool := range whole {
		if !reads.called[tool] && !all.called[tool] {
			t.Errorf("nothing calls %s", tool)
		}
	}
	for _, tool := range []string{"moderate_comment", "publish_post", "restore_post", "schedule_post", "trash_post", "update_page", "update_post"} {
		asked, _ := questions.Load(tool)
		if text, _ := asked.(string); !strings.Contains(text, "\nSite: "+all.site) || !strings.Contains(text, "on "+strings.TrimPrefix(all.site, "http://")) {
			t.Errorf("%s asked %q", tool, text)
		}
	}
	for _, tool := range []string{"draft_post", "draft_page", "upload_media"} {
		if asked, was := questions.Load(tool); was {
			t.Errorf("%s asked %q", tool, asked)
		}
	}
	for _, tool := range has["write"] {
		reads.refused(t, tool, `{"id":4}`, "unknown tool")
	}
	if asked := reads.session.InitializeResult().Instructions; !strings.Contains(asked, "Look things up") || strings.Contains(asked, "Draft") {
		t.Errorf("who reads is told %q", asked)
	}
}

// siteInfo calls site_info and returns the site's address. What a site shows first
// WordPress tells since 6.8 only.
func siteInfo(t *testing.T, c *client) string {
	got, text := c.answer(t, "site_info", `{}`)
	address, _ := got["url"].(string)
	delete(got, "url")
	want := map[string]any{"name": "Maple Street Books", "tagline": "New and used books since 1987", "timezone": "America/Toronto", "gmt_offset": got["gmt_offset"]}
	if _, since := got["show_on_front"]; since {
		want["show_on_front"], want["page_on_front"], want["page_for_posts"] = "posts", 0., 0.
	}
	if !strings.HasPrefix(address, "http://") || !fits(got, want) {
		t.Errorf("site_info: %s", text)
	}
	return address
}

// lookups are the tools that only read, on what the bookshop has from the start.
func lookups(t *testing.T, c *client) {
	const (
		middlemarch = `{"id":13,"date":"2025-09-10T19:00:00","link":"{site}/2025/09/10/book-club-reads-middlemarch/","title":"Book Club Reads Middlemarch","excerpt":"Eight parts, eight Wednesdays. Newcomers are welcome."}`
		signing     = `{"id":9,"date":"2025-04-12T14:00:00","link":"{site}/2025/04/12/signing-the-lighthouse-keepers-ledger/","title":"Signing: The Lighthouse Keeper’s Ledger","excerpt":"Meet the author and have your copy signed."}`
		events      = `{"id":3,"count":"*","description":"Readings, signings and clubs","name":"Events","slug":"events","parent":0}`
		arthur      = `{"id":3,"name":"Arthur Penn","description":"","link":"{site}/author/author/","slug":"author"}`
		shelf       = `{"id":19,"date":"2025-01-03T12:30:00","title":"The shelf by the window","caption":"","alt_text":"Five books on a shelf","mime_type":"image/png","width":320,"height":200,"file":"{site}/wp-content/uploads/2025/01/shelf.png"}`
	)
	list := func(items ...string) string {
		return fmt.Sprintf(`{"items":[%s],"total":%d,"total_pages":%d}`, strings.Join(items, ","), len(items), min(len(items), 1))
	}
	for _, one := range []struct{ tool, arguments, want string }{
		{"find_posts", `{"query":"Middlemarch"}`, list(middlemarch)},
		{"find_posts", `{"categories":[3],"tags":[4]}`, list(middlemarch, signing)},
		{"find_posts", `{"author":[2],"categories":[3],"tags":[4],"after":"2025-04-12T13:00:00","before":"2025-04-12T15:00:00"}`, list(signing)},
		{"find_posts", `{"categories":[3],"tags":[4],"per_page":1}`, `{"items":[` + middlemarch + `],"total":2,"total_pages":2,"next_page":2}`},
		{"find_posts", `{"categories":[3],"tags":[4],"per_page":1,"page":2}`, `{"items":[` + signing + `],"total":2,"total_pages":2}`},
		{"read_post", `{"id":4}`, `{"id":4,"date":"2025-01-04T09:30:00","modified":"2025-01-04T09:30:00","status":"publish","link":"{site}/2025/01/04/a-new-year-on-maple-street/",
			"title":"A New Year on Maple Street","text":"We are back from the holidays, with longer hours on Thursdays.","author":1,"categories":[2],"tags":[]}`},
		{"find_pages", `{"query":"Quarto"}`, list(`{"id":16,"date":"2025-01-03T12:00:00","link":"{site}/about-the-shop/","title":"About the Shop","parent":0}`)},
		{"read_page", `{"id":16}`, `{"id":16,"date":"2025-01-03T12:00:00","modified":"2025-01-03T12:00:00","status":"publish","link":"{site}/about-the-shop/",
			"title":"About the Shop","text":"Three rooms, nine thousand books and a cat called Quarto.","parent":0}`},
		{"find_media", `{"query":"shelf","media_type":"image"}`, list(shelf)},
		{"find_media", `{"ids":[19]}`, list(shelf)},
		{"find_media", `{"ids":[19],"media_type":"video"}`, list()},
		{"find_categories", `{"query":"event"}`, list(events)},
		{"find_categories", `{"ids":[3]}`, list(events)},
		{"find_tags", `{"query":"poet"}`, list(`{"id":5,"count":"*","description":"","name":"poetry","slug":"poetry"}`)},
		{"find_tags", `{"ids":[4]}`, list(`{"id":4,"count":"*","description":"","name":"fiction","slug":"fiction"}`)},
		{"find_authors", `{"ids":[3]}`, list(arthur)},
		{"find_authors", `{"query":"Arthur"}`, list(arthur)},
		{"find_authors", `{"query":"Sue"}`, list()}, // who has published nothing is nobody's business
		{"find_comments", `{"query":"cider"}`, list(`{"id":2,"post":6,"parent":0,"author":"Nora","date":"2025-02-15T09:12:00","text":"The cider was excellent, and so was the sonnet about the tram."}`)},
		{"find_comments", `{"query":"cider","post":[7]}`, list()},
		{"search_site", `{"query":"Quarto","subtype":["page"]}`, list(`{"id":16,"title":"About the Shop","url":"{site}/about-the-shop/","type":"post","subtype":"page"}`)},
		{"search_site", `{"query":"fic","type":"term"}`, list(`{"id":4,"title":"fiction","url":"{site}/tag/fiction/","type":"post_tag"}`)},
	} {
		c.call(t, one.tool, one.arguments, one.want)
	}
	c.refused(t, "search_site", `{}`, "query is required")
}

// postLife is the story that the preset is made for: a draft, read and changed as it
// is stored, so that its blocks survive (W80), published and found; another one scheduled; one trashed and restored.
func postLife(t *testing.T, c *client) {
	word := rand.Text() // finds this run's posts and no other
	const before, after = "<!-- wp:paragraph {\"align\":\"center\"} -->\n<p class=\"has-text-align-center\">Ten <em>old</em> maps &amp; a globe.</p>\n<!-- /wp:paragraph -->", "<!-- wp:paragraph {\"align\":\"center\"} -->\n<p class=\"has-text-align-center\">Eleven <em>old</em> maps &amp; a globe.</p>\n<!-- /wp:paragraph -->"
	draft := c.call(t, "draft_post", object("title", "Maps & globes "+word, "text", before, "excerpt", "Maps.", "categories", []int{3}, "tags", []int{4, 5}, "image", 19),
		`{"id":"*","status":"draft","title":"Maps & globes `+word+`","link":"*"}`)
	id := draft["id"]
	c.call(t, "find_posts", object("query", word), `{"items":[],"total":0,"total_pages":0}`)
	c.call(t, "find_unpublished_posts", object("query", word), unpublished(id, "draft", "Maps & globes "+word))

	stored := func(status, title, text string, tags string) {
		t.Helper()
		c.call(t, "read_post_source", object("id", id), `{"id":`+show(id)+`,"status":"`+status+`","date":"*","modified":"*","link":"*","title":"`+title+`","text":`+show(text)+`,
			"excerpt":"Maps.","image":19,"categories":[3],"tags":`+tags+`}`)
	}
	stored("draft", "Maps & globes "+word, before, "[4,5]")
	c.call(t, "update_post", object("id", id, "text", after, "tags", []int{5}), `{"id":`+show(id)+`,"status":"draft","title":"Maps & globes `+word+`","link":"*","modified":"*"}`)
	stored("draft", "Maps & globes "+word, after, "[5]")
	c.call(t, "update_post", object("id", id, "title", "Old maps "+word), `{"id":`+show(id)+`,"status":"draft","title":"Old maps `+word+`","link":"*","modified":"*"}`)

	c.call(t, "publish_post", object("id", id), `{"id":`+show(id)+`,"status":"publish","title":"Old maps `+word+`","date":"*","link":"*"}`)
	c.call(t, "find_posts", object("query", word), `{"items":[{"id":`+show(id)+`,"date":"*","link":"*","title":"Old maps `+word+`","excerpt":"Maps."}],"total":1,"total_pages":1}`)
	c.call(t, "read_post", object("id", id), `{"id":`+show(id)+`,"date":"*","modified":"*","status":"publish","link":"*","title":"Old maps `+word+`",
		"text":"Eleven *old* maps & a globe.","author":2,"categories":[3],"tags":[5]}`)

	later := c.call(t, "draft_post", object("title", "Later "+word, "text", "<p>Soon.</p>"), `{"id":"*","status":"draft","title":"Later `+word+`","link":"*"}`)["id"]
	c.refused(t, "schedule_post", object("id", later), "date is required")
	c.call(t, "schedule_post", object("id", later, "date", "2035-05-06T07:08:09"), `{"id":`+show(later)+`,"status":"future","title":"Later `+word+`","date":"2035-05-06T07:08:09","link":"*"}`)
	c.call(t, "find_unpublished_posts", object("query", word, "status", []string{"future"}), unpublished(later, "future", "Later "+word))
	c.call(t, "find_posts", object("query", word), `{"items":["*"],"total":1,"total_pages":1}`)

	c.call(t, "trash_post", object("id", id), `{"id":`+show(id)+`,"status":"trash","title":"Old maps `+word+`"}`)
	c.call(t, "find_posts", object("query", word), `{"items":[],"total":0,"total_pages":0}`)
	c.call(t, "find_unpublished_posts", object("query", word, "status", []string{"trash", "pending"}), unpublished(id, "trash", "Old maps "+word))
	c.call(t, "restore_post", object("id", id), `{"id":`+show(id)+`,"status":"draft","title":"Old maps `+word+`"}`)
	stored("draft", "Old maps "+word, after, "[5]")
	for _, one := range []any{id, later} {
		c.call(t, "trash_post", object("id", one), `{"id":`+show(one)+`,"status":"trash","title":"*"}`)
	}
}

// unpublished is the answer of find_unpublished_posts with one post.
func unpublished(id any, status, title string) string {
	return `{"items":[{"id":` + show(id) + `,"date":"*","modified":"*","status":"` + status + `","title":"` + title + `"}],"total":1,"total_pages":1}`
}

// object writes names and values as a JSON object.
func object(pairs ...any) string {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return show(m)
}

// show writes a value as JSON.
func show(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
