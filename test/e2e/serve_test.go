package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hold fails unless got holds every text.
func hold(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(got, text) {
			t.Errorf("%s\nlacks %s", got, text)
		}
	}
}

// A post's life: found, drafted, read, changed, published, trashed.
func TestPost(t *testing.T) {
	url, _ := serve(t, "EDITOR", "curation.yaml")
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, _ := connect(t, url, era)
			title := "Rare maps " + era
			hold(t, call(t, session, "find_posts", `{"query":"Middlemarch","per_page":5}`), `"total":1`, "Book Club Reads Middlemarch", `"total_pages":1`)

			var post struct {
				ID     int
				Status string
			}
			drafted := call(t, session, "draft_post", `{"title":"`+title+`","text":"<!-- wp:paragraph --><p>Ten maps.</p><!-- /wp:paragraph -->"}`)
			if err := json.Unmarshal([]byte(drafted), &post); err != nil || post.ID == 0 || post.Status != "draft" {
				t.Fatalf("%s: %v", drafted, err)
			}
			id := `{"id":` + strconv.Itoa(post.ID) + `}`
			hold(t, call(t, session, "find_posts", `{"query":"Rare maps `+era+`"}`), `"total":0`)
			hold(t, call(t, session, "read_draft", id), `"status":"draft"`, title, `Ten maps.`, `wp:paragraph`)
			hold(t, call(t, session, "update_post", `{"id":`+strconv.Itoa(post.ID)+`,"title":"`+title+` and globes"}`), title+" and globes", "Ten maps.")
			hold(t, call(t, session, "publish_post", id), `"status":"publish"`)
			hold(t, call(t, session, "read_post", id), title+" and globes", "Ten maps.")
			hold(t, call(t, session, "find_posts", `{"query":"Rare maps `+era+`"}`), `"total":1`)
			hold(t, call(t, session, "trash_post", id), `"status":"trash"`)
			hold(t, call(t, session, "find_posts", `{"query":"Rare maps `+era+`"}`), `"total":0`)
		})
	}
}

// Every kind of ability: each method, each form of input, each way to fail.
func TestAbilities(t *testing.T) {
	url, _ := serve(t, "EDITOR", "curation.yaml")
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, _ := connect(t, url, era)
			for _, c := range []struct {
				tool, arguments string
				holds           []string
			}{
				{"bookshop_search_books", `{"query":"a","in_stock":false,"tags":["x","y"],"limit":3}`, []string{`"in_stock":false`, `"limit":"integer"`, `"in_stock":"boolean"`, `"tags":["x","y"]`}},
				{"bookshop_shop_hours", `{}`, []string{`{"value":"`}},               // no input, a bare string
				{"bookshop_count_books", `{}`, []string{`{"value":6}`}},             // optional input with a default
				{"bookshop_list_genres", `{}`, []string{`{"items":[`}},              // optional input without one, a list
				{"bookshop_book_price", `{"input":21}`, []string{`{"value":12.5}`}}, // a scalar
				{"bookshop_set_price", `{"id":21,"price":12.5}`, []string{`12.5`}},  // destructive and idempotent: DELETE
				{"bookshop_add_note", `{"text":"call the printer"}`, []string{`"text":"call the printer"`}},
				{"bookshop_restock", `{"id":21,"amount":2}`, []string{`21`}}, // says nothing about itself: POST
				{"bookshop_noisy", `{}`, []string{`{"ok":true}`}},
				{"bookshop_strange_schema", `{"name":"x"}`, []string{`"x"`}},
				{"bookshop_echo", `{"a":{"b":[1,true,null,"c"]}}`, []string{`"method":"POST"`, `{"b":[1,true,null,"c"]}`}},
				{"bookshop_broken_printer", `{}`, []string{"error:", "bookshop_printer_offline", "The printer is offline."}},
				{"bookshop_owner_only", `{}`, []string{"error:", "rest_ability_cannot_execute"}},
				{"bookshop_book_price", `{"input":99}`, []string{"error:", "bookshop_no_such_book"}},
				{"bookshop_search_books", `{"limit":99,"in_stock":"maybe","colour":"red"}`, []string{"error:", "query is required", "limit must be 50 or less", "in_stock must be true or false", "colour is not an argument"}},
			} {
				hold(t, call(t, session, c.tool, c.arguments), c.holds...)
			}
			if got := call(t, session, "bookshop_throws", `{}`); strings.Contains(got, "hunter2") || !strings.Contains(got, "error:") {
				t.Errorf("what an ability threw reaches the model: %s", got)
			}
			for _, absent := range []string{"bookshop_hidden", "bookshop_not_for_agents"} {
				if slices.Contains(tools(t, session), absent) {
					t.Errorf("%s is listed", absent)
				}
				hold(t, call(t, session, absent, `{}`), "protocol error:", "unknown tool")
			}
		})
	}
}

// A subscriber is not served what he may not do, as far as the site tells; what
// it does not tell, it refuses.
func TestForbidden(t *testing.T) {
	url, _ := serve(t, "SUBSCRIBER", "curation.yaml")
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, _ := connect(t, url, era)
			if slices.Contains(tools(t, session), "draft_post") {
				t.Error("a subscriber is served draft_post")
			}
			hold(t, call(t, session, "publish_post", `{"id":4}`), "error:", "403", "rest_cannot_edit", "may not")
			hold(t, call(t, session, "read_draft", `{"id":4}`), "error:", "rest_forbidden_context")
		})
	}
}

// Saving the curation changes the list, tells those who listen, and a broken
// save changes nothing.
func TestCurationReload(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "curation.yaml")
			save := func(text string) {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			save("version: 1\nexpose: [{ ability: bookshop/shop-hours }]\n")
			url, said := serve(t, "EDITOR", name)
			session, changes := connect(t, url, era)
			if got := tools(t, session); !slices.Equal(got, []string{"bookshop_shop_hours"}) {
				t.Fatalf("%v", got)
			}
			start := time.Now()
			save("version: 1\nexpose: [{ ability: \"bookshop/{shop-hours,count}*\" }, { ability: bookshop/s* }]\n")
			await(t, changes)
			t.Logf("from saving curation.yaml to list_changed: %v", time.Since(start).Round(time.Millisecond))
			want := []string{"bookshop_search_books", "bookshop_shop_hours", "bookshop_strange_schema"}
			if got := tools(t, session); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			save("version: 1\nexpos: []\n")
			said.Await(t, "the tools stay as they were", patience)
			hold(t, said.String(), name+`:2:1: a curation has no key "expos"`, `did you mean "expose"?`)
			// An entry that matches nothing is an error too, though the file reads well.
			save("version: 1\nexpose: [{ ability: bookshop/c* }]\ntools: { find: { from: GET /wp/v2/post } }\n")
			said.Await(t, `did you mean "GET /wp/v2/posts"?`, patience)
			said.Await(t, name+" is not used", patience)
			if got := tools(t, session); !slices.Equal(got, want) {
				t.Errorf("after a broken save: %v", got)
			}
			if len(changes) != 0 {
				t.Errorf("%d more notifications", len(changes))
			}
		})
	}
}

// The plugin begins to register an ability: the next poll finds it, and those
// who listen are told.
func TestSiteChanges(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			setExtra(t, false)
			t.Cleanup(func() { setExtra(t, false) })
			url, _ := serve(t, "EDITOR", "curation.yaml", "--poll", "100ms")
			session, changes := connect(t, url, era)
			if slices.Contains(tools(t, session), "bookshop_new_arrivals") {
				t.Fatal("it is there already")
			}
			setExtra(t, true)
			await(t, changes)
			if got := tools(t, session); !slices.Contains(got, "bookshop_new_arrivals") {
				t.Fatalf("%v", got)
			}
			call(t, session, "bookshop_new_arrivals", `{}`)
			if len(changes) != 0 {
				t.Errorf("%d more notifications", len(changes))
			}
		})
	}
}

func await(t *testing.T, changes <-chan struct{}) {
	t.Helper()
	select {
	case <-changes:
	case <-time.After(20 * time.Second):
		t.Fatal("no list_changed came")
	}
}

// The command line, on the real site: byte-stable files, calls and exit codes.
func TestCommands(t *testing.T) {
	dir := t.TempDir()
	curation, err := filepath.Abs("curation.yaml")
	if err != nil {
		t.Fatal(err)
	}
	annotated := filepath.Join(filepath.Dir(curation), "..", "..", "curation.yaml")
	file := func(name string) string { return filepath.Join(dir, name) }
	read := func(name string) string {
		data, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, n := range []string{"1", "2"} {
		_, said, code := command(t, "EDITOR", "discover", "-o", file("site"+n+".json"))
		if code != 0 {
			t.Fatalf("%d: %s", code, said)
		}
		hold(t, said, "Maple Street Books", "read as     editor (editor)", "5 requests")
		if _, said, code := command(t, "", "generate", "--from", file("site"+n+".json"), "--curation", curation, "-o", file("catalog"+n+".json"), "--openapi", file("openapi"+n+".json")); code != 0 {
			t.Fatalf("%d: %s", code, said)
		}
	}
	for _, name := range []string{"site", "catalog", "openapi"} {
		if read(name+"1.json") != read(name+"2.json") {
			t.Errorf("%s.json differs from run to run", name)
		}
	}
	if strings.Contains(read("site1.json"), os.Getenv("TOOLPRESS_TEST_EDITOR_PASSWORD")) {
		t.Error("the recording holds the password")
	}
	out, said, code := command(t, "EDITOR", "call", "find_posts", "query=Middlemarch", "per_page=1")
	if code != 0 {
		t.Fatalf("%d: %s", code, said)
	}
	hold(t, out, "Book Club Reads Middlemarch")
	lists := filepath.Join(dir, "lists.yaml")
	if err := os.WriteFile(lists, []byte("version: 1\ntools: { find: { from: GET /wp/v2/posts, result: { pick: [id] } } }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, said, _ = command(t, "EDITOR", "call", "--curation", lists, "find", "include=4,5", "status=publish,draft", "order=asc", "orderby=id"); !strings.Contains(out, `"id": 4`) || !strings.Contains(out, `"total": 2`) {
		t.Errorf("lists on the command line: %s%s", out, said)
	}
	for _, c := range []struct {
		role string
		args []string
		code int
		says string
	}{
		{"EDITOR", []string{"call", "find_posts", "per_page=51"}, 1, "per_page must be 50 or less"},
		{"EDITOR", []string{"call", "find_post"}, 2, `there is no tool "find_post"`},
		{"EDITOR", []string{"check", curation}, 0, "the whole site would be"},
		{"EDITOR", []string{"check", annotated}, 0, "\n"},
		{"EDITOR", []string{"discover", "--site", "http://127.0.0.1:1"}, 4, "nothing answers there"},
		{"EDITOR", []string{"serve", "http://shop.example", "--listen", "127.0.0.1:0"}, 2, "only over https"},
		{"", []string{"discover"}, 0, "nobody: only what is public"},
	} {
		out, said, code := command(t, c.role, c.args...)
		said = out + said
		if c.args[0] == "check" && strings.Contains(said, "curation.yaml:") {
			t.Errorf("%v has findings:\n%s", c.args, said)
		}
		if code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%v: exit %d, want %d and %q:\n%s", c.args, code, c.code, c.says, said)
		}
	}
}
