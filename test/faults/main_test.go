// Package faults runs the toolpress binary against a real WordPress that is killed,
// paused, slowed, cut off or without its database, and counts on the site what came
// of a thousand writes whose connections break. It needs TOOLPRESS_TEST_SITE to know
// that a real WordPress can be had, and then starts sites of its own, which it breaks:
//
//	test/wordpress/site run -- go test -v ./test/faults
package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/test/running"
)

// binary is the toolpress that is tested; empty where there is no site.
var binary string

func TestMain(m *testing.M) { os.Exit(running.OnSite(m, "faults", &binary)) }

// patience is how long anything may take before it is called broken; timeout is
// what the tools of an outage give the site.
const (
	patience = time.Minute
	timeout  = 5 * time.Second
)

// user is who toolpress is on the site.
const user = "EDITOR"

// curation has a tool that reads and one that writes, each with more of its own.
func curation(t *testing.T, more string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "curation.yaml")
	text := `version: 1
defaults: { confirm: { when: never }, calls: 1000/s }
rules: [{ match: { method: GET }, set: { ` + more + ` } }, { match: { method: POST }, set: { ` + more + ` } }]
tools:
  find_posts:
    from: GET /wp/v2/posts
    description: Find published posts by a word.
    args: { "*": hidden, search: { rename: query } }
    result: { pick: [id, title.rendered] }
  draft_post:
    from: POST /wp/v2/posts
    description: Create a draft. Returns its id.
    args: { "*": hidden, title: { required: true }, status: { fix: draft } }
    result: { pick: [id, title.raw] }
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// own starts a WordPress for one test.
func own(t *testing.T) *running.Site {
	t.Helper()
	s, err := running.OwnSite(t)
	if err != nil {
		t.Skipf("SKIP faults: the site is not ours to break: %v", err)
	}
	return s
}

// sidecar is a toolpress that serves, with one client of each era. It is the same
// process until its test ends.
type sidecar struct {
	site    *running.Site
	session *mcp.ClientSession
	said    *running.Log
	changes chan struct{} // one value for each list_changed
}

// serve starts a toolpress of a site, at an address that leads there.
func serve(t *testing.T, site *running.Site, address, curation string, flags ...string) *sidecar {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"serve", address, "--curation", curation, "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = running.Environment("HOME="+t.TempDir(), "TOOLPRESS_USER="+site.Env["TOOLPRESS_TEST_"+user+"_USER"], "TOOLPRESS_PASSWORD="+site.Env["TOOLPRESS_TEST_"+user+"_PASSWORD"])
	url, said := running.Serve(t, cmd, patience)
	s := &sidecar{site: site, said: said, changes: make(chan struct{}, 100)}
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "faults", Version: "1"}, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { s.changes <- struct{}{} },
		})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: era})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		s.session = session
	}
	return s
}

// call calls a tool and returns what a model reads. That holds no markup, no
// address, and nothing of the credential.
func (s *sidecar) call(t *testing.T, tool string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	result, err := s.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Errorf("%s: %v", tool, err)
		return "", true
	}
	text = result.Content[0].(*mcp.TextContent).Text
	for _, never := range append(s.secrets(), "<", "127.0.0.1", "wp-json", ".php") {
		if strings.Contains(text, never) {
			t.Errorf("%s: a model reads %q:\n%s", tool, never, text)
		}
	}
	return text, result.IsError
}

// secrets are the password as it is written and as it is sent.
func (s *sidecar) secrets() []string {
	password := s.site.Env["TOOLPRESS_TEST_"+user+"_PASSWORD"]
	return []string{password, strings.ReplaceAll(password, " ", "")}
}

// tools is the list as a client gets it.
func (s *sidecar) tools(t *testing.T) string {
	t.Helper()
	list, err := s.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unmoved fails where a client was told of a change, or the log has the password.
func (s *sidecar) unmoved(t *testing.T) {
	t.Helper()
	if n := len(s.changes); n > 0 {
		t.Errorf("%d list_changed:\n%s", n, s.said)
	}
	for _, secret := range s.secrets() {
		if strings.Contains(s.said.String(), secret) {
			t.Errorf("the log has the password:\n%s", s.said)
		}
	}
}

// drafts are the titles of all drafts on the site, past toolpress, with the ids of
// each.
func drafts(t *testing.T, site *running.Site) map[string][]int {
	t.Helper()
	found := map[string][]int{}
	for page := 1; ; page++ {
		address := fmt.Sprintf("%s/wp-json/wp/v2/posts?status=draft&context=edit&orderby=id&per_page=100&_fields=id,title&page=%d", site.Env["TOOLPRESS_TEST_SITE"], page)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(site.Env["TOOLPRESS_TEST_ADMIN_USER"], site.Env["TOOLPRESS_TEST_ADMIN_PASSWORD"])
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		var posts []struct {
			ID    int
			Title struct{ Raw string }
		}
		if err != nil || json.Unmarshal(body, &posts) != nil {
			t.Fatalf("%d %v: %.300s", resp.StatusCode, err, body)
		}
		for _, p := range posts {
			found[p.Title.Raw] = append(found[p.Title.Raw], p.ID)
		}
		if resp.Header.Get("X-WP-TotalPages") == fmt.Sprint(page) {
			return found
		}
	}
}
