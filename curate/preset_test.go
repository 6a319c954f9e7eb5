package curate

import (
	"regexp"
	"slices"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wptest"
	"toolpress/generate"
	"toolpress/generate/clients"
)

// wholePreset serves all of wordpress@1: what it reads, and with it what it writes.
const wholePreset = `
defaults: { confirm: { when: never } }
profiles:
  default: { groups: [read], max_tools: 25, max_tokens: 6000, read_only: true }
  editor: { groups: [read, write], max_tools: 25, max_tokens: 6000 }
`

// W30: on every recorded site, and on the embedded one: the whole preset is served,
// within the budget, and check finds nothing wrong with it, also where it is a
// file of one's own, of which nothing is spared.
func TestPresetIsWhole(t *testing.T) {
	text, err := Preset("wordpress@1")
	if err != nil {
		t.Fatal(err)
	}
	preset, err := Parse("curation.yaml", []byte("version: 1\nextends: [preset:wordpress@1]"+wholePreset), nil)
	if err != nil {
		t.Fatal(err)
	}
	own, err := Parse("curation.yaml", []byte("version: 1\nextends: [own.yaml]"+wholePreset), func(string) ([]byte, error) { return text, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(slices.Clone(recordings), "embedded") {
		t.Run(name, func(t *testing.T) {
			var site *discover.Site
			if name == "embedded" {
				site = readSite(t, wptest.New())
			} else {
				site = recordedSite(t, name)
			}
			s := generate.FromSite(site)
			catalog, findings := preset.Check(s, nil)
			if len(findings) > 0 {
				t.Error(findings.Error())
			}
			_, findings = own.Check(s, nil)
			for _, f := range findings {
				if f.ID != "not-enforced" {
					t.Error(f)
				}
			}
			reads, all := catalog.Profiles[DefaultProfile], catalog.Profiles["editor"]
			t.Logf("%d tools, %d tokens; reading alone %d, %d", len(all.Tools), all.Tokens(), len(reads.Tools), reads.Tokens())
			if written := len(preset.layers[0].tools); len(all.Tools) != written || written > 25 {
				t.Errorf("%d of %d tools are served", len(all.Tools), written)
			}
			if all.Tokens() > 6000 || reads.Tokens() > 3000 {
				t.Errorf("%d tokens, and %d of what reads", all.Tokens(), reads.Tokens())
			}
			checkMentions(t, all, all)
			checkMentions(t, reads, all)
			for _, tool := range all.Tools {
				if broken := clients.Check(clients.Tool{Server: "toolpress", Name: tool.Name, Input: decoded(t, tool.InputSchema), Output: decoded(t, tool.OutputSchema)}); len(broken) > 0 {
					t.Errorf("%s: %+v", tool.Name, broken)
				}
				if tool.OutputSchema == nil {
					t.Errorf("%s has no output schema", tool.Name)
				}
			}
		})
	}
}

// checkMentions asserts that the tools a profile's tools speak of are served there.
func checkMentions(t *testing.T, p, all *Profile) {
	t.Helper()
	for _, tool := range p.Tools {
		for _, word := range regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`).FindAllString(tool.Description+string(tool.InputSchema), -1) {
			if all.Tool(word) != nil && p.Tool(word) == nil {
				t.Errorf("%s speaks of %s, which %s does not serve", tool.Name, word, p.Name)
			}
		}
	}
}

// What the preset sends without being asked: nothing is deleted for good, nothing
// appears before it is published, texts to edit are as they are stored, and of
// people it is told who has published (W80, W83).
func TestPresetSends(t *testing.T) {
	c, err := Parse("curation.yaml", []byte("version: 1\nextends: [preset:wordpress@1]"+wholePreset), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, _ := c.Apply(generate.FromSite(readSite(t, wptest.New())), nil)
	for _, one := range []struct{ tool, args, want string }{
		{"draft_page", `{"title":"A","text":"B"}`, `POST /wp/v2/pages {"content":{"raw":"B"},"status":"draft","title":{"raw":"A"}}`},
		{"draft_post", `{"title":"A","text":"B"}`, `POST /wp/v2/posts {"content":{"raw":"B"},"status":"draft","title":{"raw":"A"}}`},
		{"find_authors", `{}`, "GET /wp/v2/users?context=view&has_published_posts=1&per_page=20&_fields=description%2Cid%2Clink%2Cname%2Cslug"},
		{"find_comments_to_moderate", `{}`, "GET /wp/v2/comments?context=view&per_page=20&status=hold&_fields=author_name%2Ccontent%2Cdate%2Cid%2Clink%2Cpost%2Cstatus"},
		{"find_posts", `{"tags":[1,2]}`, "GET /wp/v2/posts?context=view&per_page=10&tags[0]=1&tags[1]=2&_fields=date%2Cexcerpt.rendered%2Cid%2Clink%2Ctitle.rendered"},
		{"find_unpublished_posts", `{}`, "GET /wp/v2/posts?context=edit&per_page=10&status[0]=draft&_fields=date%2Cid%2Cmodified%2Cstatus%2Ctitle.raw"},
		{"publish_post", `{"id":4}`, `POST /wp/v2/posts/4 {"status":"publish"}`},
		{"read_page_source", `{"id":4}`, "GET /wp/v2/pages/4?context=edit&_fields=content.raw%2Cdate%2Cid%2Clink%2Cmodified%2Cparent%2Cstatus%2Ctitle.raw"},
		{"read_post", `{"id":4}`, "GET /wp/v2/posts/4?context=view&_fields=author%2Ccategories%2Ccontent.rendered%2Cdate%2Cid%2Clink%2Cmodified%2Cstatus%2Ctags%2Ctitle.rendered"},
		{"read_post_source", `{"id":4}`, "GET /wp/v2/posts/4?context=edit&_fields=categories%2Ccontent.raw%2Cdate%2Cexcerpt.raw%2Cfeatured_media%2Cid%2Clink%2Cmodified%2Cstatus%2Ctags%2Ctitle.raw"},
		{"restore_post", `{"id":4}`, `POST /wp/v2/posts/4 {"status":"draft"}`},
		{"schedule_post", `{"id":4,"date":"2035-01-31T09:00:00"}`, `POST /wp/v2/posts/4 {"date":"2035-01-31T09:00:00","status":"future"}`},
		{"trash_post", `{"id":4}`, "DELETE /wp/v2/posts/4?force=0"},
		{"update_post", `{"id":4,"text":"B","image":0}`, `POST /wp/v2/posts/4 {"content":{"raw":"B"},"featured_media":0}`},
	} {
		r, err := catalog.Profiles["editor"].Tool(one.tool).Request([]byte(one.args))
		if got := shown(r, err); got != one.want {
			t.Errorf("%s %s\n got %s\nwant %s", one.tool, one.args, got, one.want)
		}
	}
}

// Without tags, and whatever else a preset's tool can do without, the tool is
// served; without what it stands on it is not, and the reason is told.
func TestPresetOnLess(t *testing.T) {
	site := readSite(t, wptest.New())
	for _, r := range site.Routes {
		for _, e := range r.Endpoints {
			switch {
			case r.Path == "/wp/v2/posts":
				delete(e.Args, "tags")
			case r.Path == "/wp/v2/posts/{id}" && slices.Contains(e.Methods, "DELETE"):
				delete(e.Args, "force")
			}
		}
	}
	c, err := Parse("curation.yaml", []byte("version: 1\nextends: [preset:wordpress@1]"+wholePreset), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Check(generate.FromSite(site), nil)
	p := catalog.Profiles["editor"]
	if p.Tool("find_posts") == nil || p.Tool("draft_post") == nil || p.Tool("find_posts").ArgumentSchema("tags") != nil {
		t.Error("a site without tags is served no posts")
	}
	if p.Tool("trash_post") != nil || len(findings) != 1 || findings[0].ID != "tool" || findings[0].Message != `DELETE /wp/v2/posts/{id} has no argument "force"` {
		t.Errorf("what cannot be kept from deleting is served: %v", findings)
	}
}
