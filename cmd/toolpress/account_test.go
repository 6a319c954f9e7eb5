package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wptest"
)

// staffed is the bookshop with what each of its users asked, and who is no longer
// let in.
type staffed struct {
	*httptest.Server
	users map[string]wptest.User // by role
	env   map[string]string

	mu      sync.Mutex
	asked   map[string]int // "editor OPTIONS /wp/v2/posts"
	refused map[string]bool
}

// newStaffed is a bookshop that toolpress reads as its author. Each role's account
// is in WP_ROLE and WP_ROLE_PASSWORD.
func newStaffed(t *testing.T) *staffed {
	t.Helper()
	shop := wptest.New()
	s := &staffed{users: map[string]wptest.User{}, env: map[string]string{}, asked: map[string]int{}, refused: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := r.BasicAuth()
		s.mu.Lock()
		s.asked[user+" "+r.Method+" "+strings.TrimPrefix(r.URL.Path, "/wp-json")]++
		if s.refused[user] {
			r.Header.Del("Authorization")
		}
		s.mu.Unlock()
		shop.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	for _, u := range shop.Users() {
		s.users[u.Role] = u
		s.env["WP_"+strings.ToUpper(u.Role)], s.env["WP_"+strings.ToUpper(u.Role)+"_PASSWORD"] = u.Login, u.Password
	}
	author := s.users["author"]
	maps.Copy(s.env, map[string]string{
		"TOOLPRESS_SITE": s.URL, "TOOLPRESS_USER": author.Login, "TOOLPRESS_PASSWORD": author.Password,
		"WP_DESK": s.users["editor"].Login, "WP_DESK_PASSWORD": s.users["editor"].Password,
		"WP_LATE": s.users["subscriber"].Login, "WP_LATE_PASSWORD": s.users["subscriber"].Password,
	})
	return s
}

// send asks the shop itself, as one of its users, and returns the status.
func (s *staffed) send(t *testing.T, role, method, route, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/wp-json"+route, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth(s.users[role].Login, s.users[role].Password)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// count is how often the shop was asked so.
func (s *staffed) count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[what]
}

func (s *staffed) refuse(login string, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[login] = refused
}

// run runs a command in the shop's environment, and returns all it says.
func (s *staffed) run(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := run(t.Context(), args, func(name string) string { return s.env[name] }, strings.NewReader(""), &out, &out)
	return code, out.String()
}

const accounts = `version: 1
defaults: { confirm: { when: never } }
tools:
  add_category: { from: POST /wp/v2/categories }
  add_page: { from: POST /wp/v2/pages }
  add_post: { from: POST /wp/v2/posts }
  add_user: { from: POST /wp/v2/users }
  find_posts: { from: GET /wp/v2/posts }
profiles:
  default: {}
  admin: { auth: { user_env: WP_ADMINISTRATOR, password_env: WP_ADMINISTRATOR_PASSWORD } }
  author: { auth: { user_env: WP_AUTHOR, password_env: WP_AUTHOR_PASSWORD } }
  desk: { auth: { user_env: WP_DESK, password_env: WP_DESK_PASSWORD }, tools: { add_page: false } }
  editor: { auth: { user_env: WP_EDITOR, password_env: WP_EDITOR_PASSWORD } }
  reader: { read_only: true, auth: { user_env: WP_SUBSCRIBER, password_env: WP_SUBSCRIBER_PASSWORD } }
`

func writeCuration(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each profile lists what its own account may call, more than the site's account
// may or less: what is listed goes through, as that user, and what is not the
// shop refuses him. Each account is asked once, however many profiles have it
// (W27, W58).
func TestProfilesServeWhatTheirAccountsMayCall(t *testing.T) {
	shop := newStaffed(t)
	name := filepath.Join(t.TempDir(), "curation.yaml")
	writeCuration(t, name, accounts)
	log := startIn(t, shop.env, nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--curation", name)
	log.Await(t, "Inspector", patience)

	// The author is the site's own account and a profile's, the editor two profiles'.
	shop.mu.Lock()
	asked := maps.Clone(shop.asked)
	shop.mu.Unlock()
	maps.DeleteFunc(asked, func(what string, _ int) bool {
		return !strings.Contains(what, "OPTIONS") && !strings.Contains(what, "/users/me")
	})
	want := map[string]int{"subscriber OPTIONS /wp/v2/posts": 1}
	for _, login := range []string{"admin", "author", "editor", "subscriber"} {
		want[login+" GET /wp/v2/users/me"] = 1
		for _, collection := range []string{"categories", "pages", "posts", "users"} {
			if login != "subscriber" {
				want[login+" OPTIONS /wp/v2/"+collection] = 1
			}
		}
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}

	_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
	url := strings.Fields(rest)[0]
	tools := map[string]struct{ route, body string }{
		"add_category": {"/wp/v2/categories", `{"name":"by NAME"}`},
		"add_page":     {"/wp/v2/pages", `{"title":"by NAME"}`},
		"add_post":     {"/wp/v2/posts", `{"title":"by NAME"}`},
		"add_user":     {"/wp/v2/users", `{"username":"by-NAME","email":"by-NAME@example.com","password":"a long one"}`},
		"find_posts":   {"/wp/v2/posts", `{}`},
	}
	for profile, c := range map[string]struct{ role, tools string }{
		"default": {"author", "add_post find_posts"},
		"admin":   {"administrator", "add_category add_page add_post add_user find_posts"},
		"author":  {"author", "add_post find_posts"},
		"desk":    {"editor", "add_category add_post find_posts"},
		"editor":  {"editor", "add_category add_page add_post find_posts"},
		"reader":  {"subscriber", "find_posts"},
	} {
		session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: strings.TrimSuffix(url, "/mcp") + endpoint(profile)}, eras[0])
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, tool := range list.Tools {
			listed = append(listed, tool.Name)
		}
		if got := strings.Join(listed, " "); got != c.tools {
			t.Errorf("%s lists %s, want %s", profile, got, c.tools)
		}
		for tool, call := range tools {
			method, body := http.MethodPost, strings.ReplaceAll(call.body, "NAME", profile)
			if tool == "find_posts" {
				method = http.MethodGet
			}
			as := shop.users[c.role].Login + " " + method + " " + call.route
			switch before := shop.count(as); {
			case slices.Contains(listed, tool):
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(body)})
				if err != nil || result.IsError || shop.count(as) != before+1 {
					t.Errorf("%s lists %s: %+v, %v; asked as its user %d times more", profile, tool, result, err, shop.count(as)-before)
				}
			case profile == "desk" && tool == "add_page":
			default:
				if status := shop.send(t, c.role, method, call.route, body); status != http.StatusForbidden {
					t.Errorf("%s does not list %s, and the shop answers its user with %d", profile, tool, status)
				}
			}
		}
	}

	// A profile that an edit brings is asked about at once, not at the next poll;
	// until then it has what the site's own account may call.
	writeCuration(t, name, accounts+"  late: { auth: { user_env: WP_LATE, password_env: WP_LATE_PASSWORD } }\n")
	log.Await(t, "the curation changed: late: 2 tools (+add_post +find_posts)", patience)
	log.Await(t, "the site changed: late: 1 tool (-add_post)", patience)
}

// An account that cannot log in is named with its profile and its variables, and
// no password is; what does not ask as it goes on.
func TestProfileAccountFails(t *testing.T) {
	shop := newStaffed(t)
	name := filepath.Join(t.TempDir(), "curation.yaml")
	writeCuration(t, name, accounts)
	shop.env["WP_EDITOR_PASSWORD"] = "kept secr etfr omal l"
	for _, args := range [][]string{{"serve", "--stdio"}, {"check"}, {"explain", "add_page"}} {
		code, out := shop.run(t, append(args, "--curation", name)...)
		for _, text := range []string{
			name + ":14:31: the account of the profile editor (WP_EDITOR): asking the site who we are: the site does not take the credential: ", "rest_not_logged_in",
			"hint: WP_EDITOR has to hold the login name of a user, and WP_EDITOR_PASSWORD an application password of this user",
		} {
			if code != exitSite || !strings.Contains(out, text) {
				t.Errorf("%v: %d %s\nlacks %s", args, code, out, text)
			}
		}
		if strings.Contains(out, "secr") {
			t.Errorf("%v tells a password: %s", args, out)
		}
	}
	catalog := filepath.Join(t.TempDir(), "catalog.json")
	for _, args := range [][]string{{"generate", "-o", catalog}, {"discover", "-o", catalog}, {"call", "find_posts"}, {"call", "find_posts", "--profile", "desk"}} {
		if code, out := shop.run(t, append(args, "--curation", name)...); code != exitOK {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}

	// Without the variable check goes on, with what is known.
	shop.env["WP_EDITOR_PASSWORD"] = ""
	code, out := shop.run(t, "check", name)
	for _, text := range []string{
		"the account of the profile editor is not there: WP_EDITOR_PASSWORD is empty or not set: its tools are listed as the site's own account may call them",
		"profile admin, at /mcp/admin: 5 tools", "profile desk, at /mcp/desk: 3 tools", "profile editor, at /mcp/editor: 2 tools",
	} {
		if code != exitOK || !strings.Contains(out, text) {
			t.Errorf("%d %s\nlacks %s", code, out, text)
		}
	}
	// A recording holds what the site's own account may call.
	_, out = shop.run(t, "check", "--from", catalog, name)
	if !strings.Contains(out, "profile admin, at /mcp/admin: 2 tools") || !strings.Contains(out, "add_page: the site does not let this user call it") {
		t.Error(out)
	}
}

// Explain says in which profile a tool is not, and as whom the site was asked; so
// does check.
func TestExplainSaysWhoMayNot(t *testing.T) {
	shop := newStaffed(t)
	name := filepath.Join(t.TempDir(), "curation.yaml")
	writeCuration(t, name, accounts)
	for _, c := range []struct{ args, says []string }{
		{[]string{"explain", "add_page"}, []string{
			"add_page, served by admin, editor: ",
			"not served by default: add_page (POST /wp/v2/pages): the site does not let the account of the profile default (the site's own) call it",
			"not served by author: add_page (POST /wp/v2/pages): the site does not let the account of the profile author (WP_AUTHOR) call it",
			"not served by desk: add_page (POST /wp/v2/pages): the profile desk leaves it out",
			"not served by reader: add_page (POST /wp/v2/pages): the profile reader only reads",
		}},
		{[]string{"check"}, []string{
			"5:3: warning: add_page", "add_page: the site does not let the accounts of the profiles default (the site's own), author (WP_AUTHOR) call it",
			"add_user: the site does not let the accounts of the profiles default (the site's own), author (WP_AUTHOR), desk (WP_DESK), editor (WP_EDITOR) call it",
		}},
	} {
		code, out := shop.run(t, append(c.args, "--curation", name)...)
		for _, text := range c.says {
			if code != exitOK || !strings.Contains(out, text) {
				t.Errorf("%v: %d %s\nlacks %s", c.args, code, out, text)
			}
		}
	}
}

// An account that the site no longer takes keeps its profile's tools, which is
// told once; the other profiles follow what their accounts may.
func TestProfileAccountFailsLater(t *testing.T) {
	shop := newStaffed(t)
	name := filepath.Join(t.TempDir(), "curation.yaml")
	writeCuration(t, name, strings.Replace(accounts, "read_only: true, ", "", 1))
	log := startIn(t, shop.env, nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--curation", name, "--poll", "20ms")
	log.Await(t, "Inspector", patience)
	shop.refuse("editor", true)
	log.Await(t, "the account of the profiles desk, editor (WP_DESK): asking the site who we are: the site does not take the credential", patience)
	log.Await(t, "its tools stay as they were", patience)
	if status := shop.send(t, "administrator", http.MethodPost, "/wp/v2/users/4", `{"roles":["contributor"]}`); status != http.StatusOK {
		t.Fatal(status)
	}
	log.Await(t, "the site changed: reader: 2 tools (+add_post)", patience)
	_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
	session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: strings.TrimSuffix(strings.Fields(rest)[0], "/mcp") + "/mcp/editor"}, eras[0])
	if list, err := session.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 4 {
		t.Errorf("%+v %v", list, err)
	}
	shop.refuse("editor", false)
	log.Await(t, "the account of the profiles desk, editor (WP_DESK) can be asked again", patience)
	if n := strings.Count(log.String(), "does not take the credential"); n != 1 {
		t.Errorf("told %d times:\n%s", n, log)
	}
	if strings.Contains(log.String(), shop.users["editor"].Password) {
		t.Error("the log holds a password")
	}
}
