package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	if code != 0 || !strings.Contains(out, "not served: add_category, add_page, add_user: the site does not let this user call it") {
		t.Errorf("%d: %s%s", code, out, said)
	}
}

// Three profiles with three accounts, beside one that calls as the site's own, a
// subscriber's: each lists what its account may call, and what the site tells of
// no account in advance it refuses by the object: an author publishes his own
// post and nobody else's (W27, W58).
func TestProfileAccounts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(name, []byte(`
version: 1
defaults: { confirm: { when: never } }
tools:
  add_page: { from: POST /wp/v2/pages }
  add_post: { from: POST /wp/v2/posts, args: { "*": hidden, title: {}, status: { fix: draft } }, result: { pick: [id, status, author] } }
  add_user: { from: POST /wp/v2/users }
  find_posts: { from: GET /wp/v2/posts }
  publish_post: { from: "POST /wp/v2/posts/{id}", args: { "*": hidden, id: {}, status: { fix: publish } }, result: { pick: [id, status, author] } }
  trash_post: { from: "DELETE /wp/v2/posts/{id}", args: { "*": hidden, id: {} }, result: { pick: [id, status] } }
profiles:
  default: {}
  admin: { auth: { user_env: TOOLPRESS_TEST_ADMIN_USER, password_env: TOOLPRESS_TEST_ADMIN_PASSWORD } }
  author: { auth: { user_env: TOOLPRESS_TEST_AUTHOR_USER, password_env: TOOLPRESS_TEST_AUTHOR_PASSWORD } }
  editor: { auth: { user_env: TOOLPRESS_TEST_EDITOR_USER, password_env: TOOLPRESS_TEST_EDITOR_PASSWORD } }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	url, _ := serve(t, "SUBSCRIBER", name)
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			sessions := map[string]*mcp.ClientSession{}
			for profile, want := range map[string]string{
				"":        "find_posts publish_post trash_post",
				"/admin":  "add_page add_post add_user find_posts publish_post trash_post",
				"/author": "add_post find_posts publish_post trash_post",
				"/editor": "add_page add_post find_posts publish_post trash_post",
			} {
				sessions[profile], _ = connect(t, url+profile, era)
				if got := strings.Join(tools(t, sessions[profile]), " "); got != want {
					t.Errorf("%q lists %s, want %s", profile, got, want)
				}
			}
			var posts []struct{ ID, Author int }
			for _, profile := range []string{"/author", "/editor"} {
				var post struct{ ID, Author int }
				if err := json.Unmarshal([]byte(call(t, sessions[profile], "add_post", `{"title":"Of the profile `+profile+`"}`)), &post); err != nil || post.ID == 0 {
					t.Fatalf("%s: %+v %v", profile, post, err)
				}
				posts = append(posts, post)
			}
			if posts[0].Author == posts[1].Author {
				t.Errorf("both posts are of one user: %+v", posts)
			}
			own, others := fmt.Sprintf(`{"id":%d}`, posts[0].ID), fmt.Sprintf(`{"id":%d}`, posts[1].ID)
			hold(t, call(t, sessions["/author"], "publish_post", others), "error:", "403", "rest_cannot_edit")
			hold(t, call(t, sessions[""], "publish_post", own), "error:", "403", "rest_cannot_edit")
			hold(t, call(t, sessions["/author"], "publish_post", own), `"status":"publish"`, fmt.Sprintf(`"author":%d`, posts[0].Author))
			hold(t, call(t, sessions["/editor"], "publish_post", others), `"status":"publish"`, fmt.Sprintf(`"author":%d`, posts[1].Author))
			for _, post := range []string{own, others} {
				hold(t, call(t, sessions["/editor"], "trash_post", post), `"status":"trash"`)
			}
		})
	}

	broken, wrong := filepath.Join(t.TempDir(), "wrong.yaml"), "TOOLPRESS_TEST_EDITOR_USER, password_env: TOOLPRESS_TEST_AUTHOR_PASSWORD"
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(broken, []byte(strings.Replace(string(text), "TOOLPRESS_TEST_EDITOR_USER, password_env: TOOLPRESS_TEST_EDITOR_PASSWORD", wrong, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, log, code := command(t, "SUBSCRIBER", "serve", "--curation", broken, "--listen", "127.0.0.1:0")
	if code != 4 {
		t.Errorf("%d: %s", code, log)
	}
	hold(t, log, "the account of the profile editor (TOOLPRESS_TEST_EDITOR_USER): ", "TOOLPRESS_TEST_AUTHOR_PASSWORD an application password of this user")
	if strings.Contains(log, os.Getenv("TOOLPRESS_TEST_AUTHOR_PASSWORD")) {
		t.Error("the error holds the password")
	}
}
