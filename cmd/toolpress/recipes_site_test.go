package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wptest"
)

// Recipe: each editor's endpoint opens to its own token, offers its own tools, and
// calls as its own user, whose rights WordPress keeps (W58).
func TestRecipeThreeEditors(t *testing.T) {
	site := newStore(t, nil)
	users := site.shop.Users()
	chief, news, trainee := users[1], users[2], users[3]
	contributor(t, site, users[0])
	r := recipeOf(t, "Three editors with different rights", as(site.URL, chief,
		"TRAINEE_TOKEN", "trainee-0123456789", "WP_TRAINEE", trainee.Login, "WP_TRAINEE_PASSWORD", trainee.Password,
		"NEWS_TOKEN", "news-0123456789abc", "WP_NEWS", news.Login, "WP_NEWS_PASSWORD", news.Password,
		"CHIEF_TOKEN", "chief-0123456789ab", "WP_CHIEF", chief.Login, "WP_CHIEF_PASSWORD", chief.Password))
	r.checks("curation.yaml")
	s := r.serve("curation.yaml")
	for endpoint, own := range map[string]string{"trainee": "TRAINEE_TOKEN", "news": "NEWS_TOKEN", "chief": "CHIEF_TOKEN"} {
		for _, token := range []string{"TRAINEE_TOKEN", "NEWS_TOKEN", "CHIEF_TOKEN"} {
			if opened := s.status("/mcp/"+endpoint, r.env[token]) != http.StatusUnauthorized; opened != (token == own) {
				t.Errorf("%s opens %s: %t", token, endpoint, opened)
			}
		}
	}
	const reads = "find_authors find_categories find_comments find_media find_pages find_posts find_tags read_page read_post search_site site_info"
	young, desk, head := s.session("/mcp/trainee", r.env["TRAINEE_TOKEN"]), s.session("/mcp/news", r.env["NEWS_TOKEN"]), s.session("/mcp/chief", r.env["CHIEF_TOKEN"])
	wants(t, toolsOf(t, young), "draft_post "+reads)
	wants(t, toolsOf(t, desk), "draft_post edit_post "+reads)
	wants(t, toolsOf(t, head), "draft_post edit_post "+strings.Replace(reads, "read_page", "publish_post read_page", 1))

	site.asked("")
	draft := drafted(t, said(t, young, "draft_post", `{"title":"Ink","text":"Blue."}`))
	item := drafted(t, said(t, desk, "draft_post", `{"title":"Open late","text":"Until ten."}`))
	wants(t, strings.Join(site.asked("/wp/v2/posts"), "\n"), trainee.Login+` POST /wp/v2/posts {"content":{"raw":"Blue."},"status":"draft","title":{"raw":"Ink"}}`+"\n"+
		news.Login+` POST /wp/v2/posts {"categories":[2],"content":{"raw":"Until ten."},"status":"draft","title":{"raw":"Open late"}}`)
	wants(t, said(t, young, "draft_post", `{"title":"Ink","text":"Blue.","status":"publish"}`), "…status is not an argument")
	wants(t, said(t, young, "draft_post", `{"title":"Ink","text":"Blue.","categories":[3]}`), "…categories is not an argument")
	wants(t, said(t, head, "draft_post", `{"title":"Ink","text":"Blue.","categories":[3]}`), `…"categories":[3]`)
	wants(t, said(t, young, "publish_post", fmt.Sprintf(`{"id":%d}`, draft)), `…unknown tool`)
	wants(t, said(t, desk, "draft_post", `{"title":"x","text":"y","categories":[3]}`), "…categories is not an argument")
	wants(t, said(t, desk, "edit_post", fmt.Sprintf(`{"id":%d,"title":"Open later"}`, item)), fmt.Sprintf(`{"id":%d,"status":"draft","title":{"raw":"Open later"}}`, item))
	// The trainee's draft is another's: WordPress keeps the news desk from it.
	wants(t, said(t, desk, "edit_post", fmt.Sprintf(`{"id":%d,"title":"Mine"}`, draft)), "…rest_cannot_edit")
	wants(t, said(t, head, "publish_post", fmt.Sprintf(`{"id":%d}`, draft)), `…"status":"publish"`)
}

// contributor gives the bookshop's fourth user the role that drafts and no more.
func contributor(t *testing.T, site *store, admin wptest.User) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, site.URL+"/wp-json/wp/v2/users/4", strings.NewReader(`{"roles":["contributor"]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth(admin.Login, admin.Password)
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	_ = answer.Body.Close()
}

// drafted is the id of a draft that a call made.
func drafted(t *testing.T, answer string) int {
	t.Helper()
	var post struct {
		ID     int
		Status string
	}
	if err := json.Unmarshal([]byte(answer), &post); err != nil || post.ID == 0 || post.Status != "draft" {
		t.Fatalf("%s: %v", answer, err)
	}
	return post.ID
}

// Recipe: a post is saved as it was read, and not over what somebody else has saved
// since, nor without its blocks (W80).
func TestRecipeOthersEditToo(t *testing.T) {
	site := newStore(t, nil)
	editor := site.shop.Users()[1]
	r := recipeOf(t, "Texts that others edit too", as(site.URL, editor))
	r.checks("curation.yaml")
	session := r.serve("curation.yaml").session("/mcp", "")
	const text = `<!-- wp:paragraph --><p>Blue.</p><!-- /wp:paragraph -->`
	id := drafted(t, said(t, session, "draft_post", `{"title":"Ink","text":"<!-- wp:paragraph --><p>Blue.</p><!-- /wp:paragraph -->"}`))
	read := said(t, session, "read_post_source", fmt.Sprintf(`{"id":%d}`, id))
	var post struct {
		Text     string `json:"text"`
		Modified string `json:"modified_gmt"`
	}
	if err := json.Unmarshal([]byte(read), &post); err != nil || post.Text != text || post.Modified == "" {
		t.Fatal(read, err)
	}
	site.asked("")
	wants(t, said(t, session, "update_post", fmt.Sprintf(`{"id":%d,"text":"<p>Red.</p>","modified_gmt":%q}`, id, post.Modified)), "…the new text has none: they would be lost.\nNext: read it as it is stored with read_post_source")
	wants(t, said(t, session, "update_post", fmt.Sprintf(`{"id":%d,"title":"Pens"}`, id)), "…modified_gmt is required")
	wants(t, said(t, session, "update_post", fmt.Sprintf(`{"id":%d,"title":"Pens","modified_gmt":"2001-01-01T00:00:00"}`, id)), "…its modified_gmt is "+post.Modified+" now, and no longer 2001-01-01T00:00:00.\nNext: read it again with read_post_source, ")
	if calls := strings.Join(site.asked(""), "\n"); strings.Contains(calls, "POST") {
		t.Errorf("the site was asked %s", calls)
	}
	wants(t, said(t, session, "update_post", fmt.Sprintf(`{"id":%d,"text":"<!-- wp:paragraph --><p>Red.</p><!-- /wp:paragraph -->","modified_gmt":%q}`, id, post.Modified)), fmt.Sprintf(`…"id":%d`, id))
}

// Recipe: both sites get the same tools, and each its own calls, as its own user.
func TestRecipeStagingAndProduction(t *testing.T) {
	staging, production := newStore(t, nil), newStore(t, nil)
	editor, chief := staging.shop.Users()[1], staging.shop.Users()[0]
	env := map[string]string{"STAGING_USER": chief.Login, "STAGING_PASSWORD": chief.Password, "PRODUCTION_USER": editor.Login, "PRODUCTION_PASSWORD": editor.Password}
	r := recipeOf(t, "Staging and production", env, "https://staging.shop.example", staging.URL, "https://shop.example", production.URL)
	var catalogs []string
	for _, file := range []string{"staging.yaml", "production.yaml"} {
		if code, out := r.toolpress(file, "approve", "--all"); code != exitOK || strings.Contains(out, "nothing to approve") != (file == "production.yaml") {
			t.Errorf("%s: exit %d\n%s", file, code, out)
		}
		r.checks(file)
		catalog := filepath.Join(r.dir, file+".json")
		if code, out := r.toolpress(file, "generate", "-o", catalog); code != exitOK {
			t.Fatal(out)
		}
		catalogs = append(catalogs, catalog)
	}
	// They are asked as users of different roles, and the tools are the same.
	if code, out := r.toolpress("staging.yaml", "diff", "--across", catalogs[0], catalogs[1]); code != exitOK || !strings.Contains(out, "nothing changed\n") {
		t.Errorf("the catalogs differ: %s", out)
	}
	if text, err := os.ReadFile(catalogs[0]); err != nil || !strings.Contains(string(text), `"draft_post"`) {
		t.Error(err, string(text))
	}
	session := r.serve("staging.yaml").session("/mcp", "")
	staging.asked("")
	production.asked("")
	drafted(t, said(t, session, "draft_post", `{"title":"Ink","text":"Blue."}`))
	if calls := staging.asked("/wp/v2/posts"); len(calls) != 1 || !strings.HasPrefix(calls[0], chief.Login+" POST ") {
		t.Errorf("staging was asked %q", calls)
	}
	if calls := production.asked(""); len(calls) != 0 {
		t.Errorf("production was asked %q", calls)
	}
}

// Recipe: a model reads Portuguese and nothing else of what the file says; English's
// rule about verbs is not applied to it.
func TestRecipePortuguese(t *testing.T) {
	site := newStore(t, nil)
	env := as(site.URL, site.shop.Users()[1])
	const heading = "Portuguese texts"
	r := recipeOf(t, heading, env)
	r.checks("curation.yaml")
	english := recipeOf(t, heading, env, "lang: pt", "lang: en")
	if code, out := english.toolpress("curation.yaml", "check", "--fail-on", "warning"); code != exitFindings || !strings.Contains(out, "procurar_artigos (no)") {
		t.Errorf("%d %s", code, out)
	}
	session := r.serve("curation.yaml").session("/mcp", "")
	wants(t, toolsOf(t, session), "ler_artigo procurar_artigos")
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(list.Tools)
	for _, word := range []string{" the ", "Find", "Read", "Which", "post"} {
		if strings.Contains(string(text), word) {
			t.Errorf("%q is said: %s", word, text)
		}
	}
	if said := session.InitializeResult().Instructions; !strings.HasPrefix(said, "Responda em português.") || !strings.Contains(said, "Consultar o sítio") {
		t.Errorf("instructions: %s", said)
	}
	for _, tool := range []string{"procurar_artigos", "find_posts"} {
		site.asked("")
		wants(t, said(t, session, tool, `{"palavras":"Middlemarch","por_pagina":5}`), `…"titulo":"Book Club Reads Middlemarch"`)
		if calls := site.asked("/wp/v2/posts"); len(calls) != 1 || calls[0] != "editor GET /wp/v2/posts?_fields=date%2Cexcerpt.rendered%2Cid%2Clink%2Ctitle.rendered&context=view&per_page=5&search=Middlemarch" {
			t.Errorf("%s asked %q", tool, calls)
		}
	}
	wants(t, said(t, session, "procurar_artigos", `{"query":"x"}`), "…query is not an argument")
	wants(t, said(t, session, "ler_artigo", `{"id":6}`), `…"texto":"`)
}

// Recipe: nothing of the plugin is a tool, neither what exposes everything nor an
// entry that names it makes one.
func TestRecipeExcludedPlugin(t *testing.T) {
	site := newStore(t, nil)
	env := as(site.URL, site.shop.Users()[1])
	const heading, exclusion = "Nothing of one plugin", "exclude:\n  - { vendor: bookshop }\n"
	r := recipeOf(t, heading, env)
	r.checks("curation.yaml")
	tools := toolsOf(t, r.serve("curation.yaml").session("/mcp", ""))
	if strings.Contains(tools, "bookshop") || !strings.Contains(tools, "core_get_site_info") {
		t.Errorf("tools: %s", tools)
	}
	without := recipeOf(t, heading, env, exclusion, "")
	if tools := toolsOf(t, without.serve("curation.yaml").session("/mcp", "")); !strings.Contains(tools, "bookshop_search_books") {
		t.Errorf("without the exclusion: %s", tools)
	}
	naming := recipeOf(t, heading, env, exclusion, exclusion+"tools:\n  hours: { from: \"ability:bookshop/shop-hours\" }\n  typed: { from: GET /bookshop/v1/typed }\n")
	if code, out := naming.toolpress("curation.yaml", "check"); code != exitFindings || strings.Count(out, "is excluded") != 2 {
		t.Errorf("%d %s", code, out)
	}
	if code, out := r.toolpress("curation.yaml", "explain", "ability:bookshop/search-books"); code != exitOK || !strings.Contains(out, "excluded at "+filepath.Join(r.dir, "curation.yaml")+":") {
		t.Errorf("%d %s", code, out)
	}
}
