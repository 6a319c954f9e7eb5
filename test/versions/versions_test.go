package versions

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolpress/discover"
)

// variant is a WordPress, and what toolpress has to find out about it.
type variant struct {
	flags []string
	// version is the WordPress, to the second number.
	version string
	// below is where the home lies, root where the REST root lies below it.
	below, root string
	// siteurl is where WordPress's own files lie below the home.
	siteurl string
	// article is the path and query of post 13, below the home.
	article string
	// filtered says that WordPress filters what an editor writes: in a network
	// only its administrators may write any HTML.
	filtered bool
}

const article = "/2025/09/10/book-club-reads-middlemarch/"

var (
	v61          = variant{flags: []string{"--version", "6.1"}, version: "6.1", root: "/wp-json/", article: article}
	v68          = variant{flags: []string{"--version", "6.8"}, version: "6.8", root: "/wp-json/", article: article}
	v71          = variant{version: "7.1", root: "/wp-json/", article: article}
	subdirectory = variant{flags: []string{"--subdirectory", "/blog"}, version: "7.1", below: "/blog", root: "/wp-json/", article: article}
	ownDirectory = variant{flags: []string{"--in", "/wp"}, version: "7.1", siteurl: "/wp", root: "/wp-json/", article: article}
	prefix       = variant{
		flags: []string{"--prefix", "api"}, version: "7.1", root: "/api/", article: article,
	}
	plain = variant{
		flags: []string{"--plain-permalinks"}, version: "7.1", root: "/index.php?rest_route=/", article: "/?p=13",
	}
	network = variant{
		flags: []string{"--multisite"}, version: "7.1", root: "/wp-json/", article: "/blog" + article,
		filtered: true,
	}
)

func TestWordPress61(t *testing.T)      { t.Parallel(); v61.test(t) }
func TestWordPress68(t *testing.T)      { t.Parallel(); v68.test(t) }
func TestWordPress71(t *testing.T)      { t.Parallel(); v71.test(t) }
func TestSubdirectory(t *testing.T)     { t.Parallel(); subdirectory.test(t) }
func TestSiteurlIsNotHome(t *testing.T) { t.Parallel(); ownDirectory.test(t) }
func TestChangedPrefix(t *testing.T)    { t.Parallel(); prefix.test(t) }
func TestPlainPermalinks(t *testing.T)  { t.Parallel(); plain.test(t) }

func (v variant) test(t *testing.T) { v.everything(t, start(t, v.flags...)) }

// everything has to hold for every WordPress. The steps run in order: the
// recordings are made before anything is written.
func (v variant) everything(t *testing.T, s *site) {
	editor := s.as("EDITOR")
	if want := v.below; !strings.HasSuffix(s.home, want) {
		t.Fatalf("the home is %s, want it below %s", s.home, want)
	}
	recording := v.recordings(t, s)
	v.addresses(t, s, recording)
	v.listed(t, s)
	v.credentials(t, s)
	v.calls(t, s)
	v.types(t, editor)

	// From here on there is no site any more.
	tools := editor.checked(t)
	s.stop(t)
	generated(t, s, recording, tools)
}

// recordings records the unchanged site twice.
func (v variant) recordings(t *testing.T, s *site) []byte {
	t.Helper()
	recording, site, said := s.as("EDITOR").discover(t, s.home+"/")
	again, _, _ := s.as("EDITOR").discover(t, s.home+"/")
	if !bytes.Equal(recording, again) {
		t.Errorf("two recordings of the unchanged site differ")
	}
	for _, secret := range []string{s.env["EDITOR_PASSWORD"], strings.ReplaceAll(s.env["EDITOR_PASSWORD"], " ", "")} {
		if bytes.Contains(recording, []byte(secret)) {
			t.Error("the recording holds the password")
		}
	}
	equal(t, "site", []any{site.Name, site.URL, site.Timezone, site.ApplicationPasswords}, []any{"Maple Street Books", s.home, "America/Toronto", true})
	equal(t, "user", []any{site.User.Login, site.User.Roles, site.User.Administrator}, []any{"editor", []string{"editor"}, false})
	if !strings.HasPrefix(s.env["VERSION"], v.version+".") {
		t.Errorf("this is WordPress %s, want %s", s.env["VERSION"], v.version)
	}
	equal(t, "version and locale", []string{site.WordPress, site.Locale}, []string{s.env["VERSION"], "en_US"})

	// What a curation keeps, with what the site lets this user call.
	keep := []string{"discover", "--curation", curation, "--kept"}
	kept, _ := s.as("EDITOR").must(t, keep...)
	keptAgain, _ := s.as("EDITOR").must(t, keep...)
	if kept != keptAgain {
		t.Errorf("two recordings of what the curation keeps differ")
	}
	keptSite, err := discover.Decode([]byte(kept))
	if err != nil {
		t.Fatal(err)
	}
	var routes []string
	for _, route := range keptSite.Routes {
		routes = append(routes, route.Path)
	}
	equal(t, "kept routes", routes, []string{
		"/", "/bookshop/v1/echo", "/bookshop/v1/typed", "/wp/v2/categories", "/wp/v2/comments", "/wp/v2/comments/{id}", "/wp/v2/media", "/wp/v2/pages", "/wp/v2/pages/{id}",
		"/wp/v2/posts", "/wp/v2/posts/{id}", "/wp/v2/search", "/wp/v2/tags", "/wp/v2/users",
	})
	equal(t, "permissions", keptSite.Permissions, map[string]string{
		"DELETE /bookshop/v1/typed": "allowed", "GET /bookshop/v1/echo": "allowed", "GET /bookshop/v1/typed": "allowed", "POST /bookshop/v1/typed": "allowed",
		"GET /wp/v2/pages": "allowed", "GET /wp/v2/pages/{id}": "unknown", // no page is the editor's
		"GET /wp/v2/posts": "allowed", "GET /wp/v2/posts/{id}": "allowed", "POST /wp/v2/posts": "allowed",
		"GET /": "unknown", "GET /wp/v2/categories": "allowed", "GET /wp/v2/comments": "allowed", "GET /wp/v2/media": "allowed",
		"GET /wp/v2/search": "allowed", "GET /wp/v2/tags": "allowed", "GET /wp/v2/users": "allowed",
	})

	// The routes are the index's own, all of them.
	status, answer := s.as("EDITOR").ask(t, s.home, "/", "")
	var index struct {
		Namespaces []string
		Routes     map[string]any
	}
	unmarshal(t, string(answer), &index)
	var patterns []string
	for _, route := range site.Routes {
		patterns = append(patterns, route.Pattern)
		if len(route.Endpoints) == 0 {
			t.Errorf("%s has no endpoint", route.Path)
		}
	}
	slices.Sort(patterns)
	slices.Sort(index.Namespaces)
	equal(t, "status of the index", status, 200)
	equal(t, "routes", patterns, slices.Sorted(maps.Keys(index.Routes)))
	equal(t, "namespaces", site.Namespaces, index.Namespaces)

	hold(t, said, "Maple Street Books, "+s.home, "read as     editor (editor)", strconv.Itoa(len(index.Routes)))
	if v.old() {
		equal(t, "abilities", []any{site.AbilitiesAPI, site.Abilities}, []any{discover.AbilitiesAbsent, nil})
		hold(t, said, "none: this WordPress has no Abilities API (it came with 6.9)")
		if slices.Contains(site.Namespaces, "wp-abilities/v1") {
			t.Error("and yet there is its namespace")
		}
		return recording
	}
	var names []string
	for _, ability := range site.Abilities {
		names = append(names, ability.Name)
	}
	equal(t, "abilities API", site.AbilitiesAPI, discover.AbilitiesListed)
	equal(t, "abilities", names, abilities(t, s.as("EDITOR"), s.home))
	return recording
}

// abilities are the names the site itself lists.
func abilities(t *testing.T, as toolpress, home string) []string {
	t.Helper()
	var list []struct{ Name string }
	_, answer := as.ask(t, home, "/wp-abilities/v1/abilities", "&per_page=100")
	unmarshal(t, string(answer), &list)
	var names []string
	for _, ability := range list {
		names = append(names, ability.Name)
	}
	slices.Sort(names)
	return names
}

// old reports a WordPress before the Abilities API.
func (v variant) old() bool { return v.version != "7.1" }

// addresses discovers the site from whatever a person may paste.
func (v variant) addresses(t *testing.T, s *site, recording []byte) {
	t.Helper()
	_, bare, _ := strings.Cut(s.home, "://")
	type pasted struct {
		name, address, root string
		from                discover.RootSource
	}
	addresses := []pasted{
		{"without scheme or slash", bare, v.root, ""},
		{"article without scheme", bare + v.article, v.root, discover.FromLink},
		{"article that is not there", s.home + "/2025/no-such-article/", v.root, ""},
		{"wp-admin", s.home + v.siteurl + "/wp-admin/", v.root, discover.FromLink},
		{"wp-login.php", s.home + v.siteurl + "/wp-login.php", v.root, discover.FromLink},
	}
	if v.siteurl != "" {
		addresses = append(
			addresses,
			pasted{"siteurl", s.home + v.siteurl + "/", v.root, discover.FromLink}, // a 404 of the home's
			pasted{"siteurl without slash", s.home + v.siteurl, v.root, discover.FromLink},
			pasted{"wp-admin below the home", s.home + "/wp-admin/", v.root, discover.FromLink},
			pasted{"wp-login.php below the home", s.home + "/wp-login.php", v.root, discover.FromLink},
		)
	}
	for _, c := range addresses {
		t.Run(c.name, func(t *testing.T) {
			got, site, _ := s.as("EDITOR").discover(t, c.address)
			equal(t, "url, root", []string{site.URL, site.Root}, []string{s.home, s.home + c.root})
			if c.from != "" && site.RootFrom != c.from {
				t.Errorf("found by %s, want %s", site.RootFrom, c.from)
			}
			if site.RootFrom == discover.FromLink && !bytes.Equal(got, recording) {
				t.Error("the recording is another than the front page's")
			}
		})
	}
	if v.below == "" {
		return
	}
	t.Run("above the site", func(t *testing.T) {
		above := strings.TrimSuffix(s.home, v.below)
		_, said, code := s.as("EDITOR").on("").run(t, "discover", above)
		equal(t, "exit code", code, 4)
		hold(t, said, "no WordPress REST API found at "+above, "is it a page of a WordPress site?")
	})
}

// preset are the tools of preset:wordpress@1 that only read.
var preset = []string{
	"find_authors", "find_categories", "find_comments", "find_media", "find_pages", "find_posts", "find_tags", "read_page", "read_post", "search_site", "site_info",
}

// listed are the tools without a curation, and with one.
func (v variant) listed(t *testing.T, s *site) {
	t.Helper()
	builtIn := preset
	own := slices.Concat([]string{"draft_post"}, preset, []string{"typed_delete", "typed_get", "typed_post", "untyped_get"})
	if !v.old() {
		builtIn = slices.Concat([]string{
			"bookshop_book_price", "bookshop_broken_printer", "bookshop_count_books", "bookshop_list_genres", "bookshop_noisy",
			"bookshop_owner_only", "bookshop_search_books", "bookshop_shop_hours", "bookshop_strange_schema", "bookshop_throws",
			"core_get_environment_info", "core_get_site_info", "core_get_user_info",
		}, builtIn)
	}
	equal(t, "tools without a curation", s.as("EDITOR").checked(t), builtIn)
	equal(t, "tools of the curation", s.as("EDITOR").checked(t, curation), own)
}

// credentials are wrong in three ways; WordPress answers all three alike, in
// every version, and toolpress says what it may be.
func (v variant) credentials(t *testing.T, s *site) {
	t.Helper()
	const made = "abcd efgh ijkl mnop qrst uvwx"
	stranger := s.as("EDITOR").with(made)
	stranger.user = "stranger"
	for name, p := range map[string]toolpress{
		"wrong application password": s.as("EDITOR").with(made),
		"login password":             s.as("EDITOR").with("editor"),
		"unknown user":               stranger,
	} {
		if len(v.flags) > 0 && !v.old() && name != "wrong application password" {
			continue // where the site lies changes nothing more
		}
		t.Run(name, func(t *testing.T) {
			status, answer := p.ask(t, s.home, "/wp/v2/users/me", "&context=edit")
			equal(t, "WordPress's own answer", []any{status, json.RawMessage(answer)},
				[]any{401, json.RawMessage(`{"code":"rest_not_logged_in","message":"You are not currently logged in.","data":{"status":401}}`)})
			out, said, code := p.run(t, "discover")
			equal(t, "exit code", code, 4)
			equal(t, "recording", out, "")
			hold(t, said, "the site does not take the credential", "401 rest_not_logged_in: You are not currently logged in.",
				"either the application password is not one of this user's", "or the web server strips the Authorization header")
			if strings.Contains(said, made) {
				t.Errorf("the password is said:\n%s", said)
			}
		})
	}
}

// calls finds, reads and writes.
func (v variant) calls(t *testing.T, s *site) {
	t.Helper()
	editor := s.as("EDITOR")
	const excerpt = "Eight parts, eight Wednesdays. Newcomers are welcome."
	equal(t, "find_posts", editor.call(t, "find_posts", "query=Middlemarch", "per_page=2"), map[string]any{
		"items": []any{map[string]any{
			"id": 13, "date": "2025-09-10T19:00:00", "link": s.home + v.article,
			"title": "Book Club Reads Middlemarch", "excerpt": excerpt,
		}},
		"total": 1, "total_pages": 1,
	})
	equal(t, "read_post", editor.call(t, "read_post", "id=13"), map[string]any{
		"id": 13, "date": "2025-09-10T19:00:00", "modified": "2025-09-10T19:00:00", "link": s.home + v.article,
		"title": "Book Club Reads Middlemarch", "text": excerpt, "status": "publish",
		"author": 2, "categories": []int{3}, "tags": []int{4},
	})
	v.drafts(t, editor, s.home)
	if !v.old() {
		// An ability, whose input goes into the query.
		found := editor.call(t, "bookshop_search_books", `--input={"query":"a","in_stock":false,"tags":["poetry","travel"],"limit":1}`)
		equal(t, "an ability's input", found["echo"], map[string]any{
			"input": map[string]any{"query": "a", "in_stock": false, "tags": []string{"poetry", "travel"}, "limit": 1},
			"types": map[string]any{"query": "string", "in_stock": "boolean", "tags": []string{"string", "string"}, "limit": "integer"},
		})
	}
}

// drafts writes a post, and looks for it past toolpress.
func (v variant) drafts(t *testing.T, p toolpress, home string) {
	t.Helper()
	title := `Déjà vu: <10 & "cheap"`
	drafted := p.on(home).call(t, "--curation", curation, "draft_post", "title="+title)
	if v.filtered {
		title = html.EscapeString(title)
		title = strings.ReplaceAll(title, "&#34;", "&quot;")
	}
	id, _ := drafted["id"].(float64)
	equal(t, "draft_post", drafted, map[string]any{"id": id, "status": "draft", "title": title})
	status, answer := p.ask(t, home, "/wp/v2/posts/"+strconv.Itoa(int(id)), "&context=edit&_fields=status,title.raw")
	equal(t, "the draft", []any{status, json.RawMessage(answer)}, []any{200, map[string]any{"status": "draft", "title": map[string]any{"raw": title}}})
}

// types: what PHP received is what was meant, in a query and in a body.
func (v variant) types(t *testing.T, p toolpress) {
	t.Helper()
	const full = `{"s":"false","n":7,"x":9.5,"b":false,"list":[3,1],"words":["a,b","c d","é&=?#+%20"],
		"obj":{"name":"n","count":2,"inner":{"flag":true,"tags":["x","y"]}}}`
	// An empty list of its own name is not sent: "list=" is one to some routes only.
	const sparse = `{"s":"","b":true,"list":[],"obj":{"inner":{"flag":false,"tags":[]}}}`
	const sparseInQuery = `{"s":"","b":true,"obj":{"inner":{"flag":false,"tags":[]}}}`
	for i, c := range []struct{ tool, input, in, want string }{
		{"typed_get", full, "query_params", full},
		{"typed_get", sparse, "query_params", sparseInQuery},
		{"typed_delete", full, "query_params", full},
		{"typed_post", full, "json_params", full},
		{"typed_post", sparse, "json_params", sparse},
		{"untyped_get", full, "query_params", `{"s":"false","n":"7","x":"9.5","b":"0","list":["3","1"],"words":["a,b","c d","é&=?#+%20"],
			"obj":{"name":"n","count":"2","inner":{"flag":"1","tags":["x","y"]}}}`},
	} {
		if len(v.flags) > 0 && !v.old() && i > 0 {
			break // where the site lies changes the way of one query, if any
		}
		var want any
		unmarshal(t, c.want, &want)
		got := p.call(t, "--curation", curation, c.tool, "--input", c.input)
		received, _ := got[c.in].(map[string]any)
		delete(received, "rest_route") // how the route came, with plain permalinks
		equal(t, c.tool+": what PHP received", []any{received, got["user"]}, []any{want, "editor"})
	}
}

// generated makes the catalog and the OpenAPI document of a recording whose
// site is gone.
func generated(t *testing.T, s *site, recording []byte, tools []string) {
	t.Helper()
	file := func(name string) string { return filepath.Join(s.work, name) }
	if err := os.WriteFile(file("site.json"), recording, 0o600); err != nil {
		t.Fatal(err)
	}
	s.as("EDITOR").on("").must(t, "generate", "--from", file("site.json"), "-o", file("catalog.json"), "--openapi", file("openapi.json"))
	read := func(name string) string {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var catalog struct {
		Profiles map[string]struct{ Tools []struct{ Name string } }
	}
	unmarshal(t, read("catalog.json"), &catalog)
	var names []string
	for _, tool := range catalog.Profiles["default"].Tools {
		names = append(names, tool.Name)
	}
	equal(t, "tools of the catalog", names, tools)
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	unmarshal(t, read("openapi.json"), &document)
	equal(t, "OpenAPI", document.OpenAPI, "3.1.0")
	for _, path := range []string{"/wp/v2/posts", "/wp/v2/posts/{id}", "/bookshop/v1/typed"} {
		if document.Paths[path]["get"] == nil {
			t.Errorf("the OpenAPI document has no GET %s", path)
		}
	}
}
