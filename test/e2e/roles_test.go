package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is served differs by who toolpress is: routes without placeholders by
// what OPTIONS allows, items by nothing but what proves that they may be.
func TestRoles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(name, []byte(`
version: 1
defaults: { confirm: { when: never } }
tools:
  add_category: { from: POST /wp/v2/categories }
  add_page: { from: POST /wp/v2/pages }
  add_post: { from: POST /wp/v2/posts }
  add_user: { from: POST /wp/v2/users }
  change_post: { from: "POST /wp/v2/posts/{id}" }
  find_posts: { from: GET /wp/v2/posts }
  read_post: { from: "GET /wp/v2/posts/{id}" }
  upload: { from: POST /wp/v2/media }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	for role, want := range map[string]string{
		"ADMIN":      "add_category add_page add_post add_user change_post find_posts read_post upload",
		"EDITOR":     "add_category add_page add_post change_post find_posts read_post upload",
		"AUTHOR":     "add_post change_post find_posts read_post upload",
		"SUBSCRIBER": "change_post find_posts read_post",
		"":           "change_post find_posts read_post",
	} {
		out, said, code := command(t, role, "check", "--json", name)
		if code != 0 {
			t.Fatalf("%s: %d %s", role, code, said)
		}
		var checked struct {
			Profiles map[string]struct{ Tools []struct{ Name string } }
			Findings []struct{ ID, Message string }
		}
		if err := json.Unmarshal([]byte(out), &checked); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range checked.Profiles["default"].Tools {
			names = append(names, tool.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q is served %s, want %s", role, got, want)
		}
		denied := false
		for _, f := range checked.Findings {
			denied = denied || f.ID == "not-permitted"
		}
		if denied != (role != "ADMIN") {
			t.Errorf("%q: %+v", role, checked.Findings)
		}
	}

	// A recording made with the curation holds what was found; an author's own
	// post proves that it may be changed.
	site := filepath.Join(t.TempDir(), "site.json")
	if _, said, code := command(t, "AUTHOR", "discover", "--curation", name, "-o", site); code != 0 {
		t.Fatal(said)
	}
	var recorded struct{ Permissions map[string]string }
	text, err := os.ReadFile(site)
	if err == nil {
		err = json.Unmarshal(text, &recorded)
	}
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"POST /wp/v2/posts": "allowed", "POST /wp/v2/pages": "denied", "POST /wp/v2/users": "denied",
		"POST /wp/v2/posts/{id}": "allowed", "GET /wp/v2/posts/{id}": "allowed",
	} {
		if got := recorded.Permissions[id]; got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	out, said, code := command(t, "", "check", "--from", site, name)
	if code != 0 || !strings.Contains(out, "not served: add_page (POST /wp/v2/pages): the site does not let this user call it") {
		t.Errorf("%d: %s%s", code, out, said)
	}
}
