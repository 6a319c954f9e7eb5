package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

const picture = "\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR"

// uploads is a catalog whose tool upload takes a file from directories and hosts; more
// are other keys of its entry.
func uploads(t *testing.T, roots, hosts, more string) *curate.Catalog {
	t.Helper()
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{{
		Path: "/wp/v2/media", Pattern: "/wp/v2/media", Namespace: "wp/v2",
		Endpoints: []discover.Endpoint{{Methods: []string{"POST"}, Args: map[string]any{"title": map[string]any{"type": "string"}}}},
	}}}
	c, err := curate.Parse("curation.yaml", fmt.Appendf(nil, "version: 1\nsite: { media: { roots: [%s], hosts: [%q] } }\ndefaults: { confirm: { when: never } }\ntools:\n  upload: { from: POST /wp/v2/media, args: { path: {}, address: {} }%s }\n", roots, hosts, more), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if errs := findings.Errors(); len(errs) > 0 || made.Profiles[curate.DefaultProfile] == nil {
		t.Fatal(findings, made.Withheld)
	}
	return made
}

// library is a site that keeps what it is sent. fails is what it does instead, by the
// count of its calls; nil: nothing.
type library struct {
	got   []string
	fails func(n int, f wp.File) error
	n     int
}

func (l *library) Do(_ context.Context, r wp.Request) (*wp.Response, error) {
	l.n++
	f := r.Body.(wp.File)
	if l.fails != nil {
		if err := l.fails(l.n, f); err != nil {
			return nil, err
		}
	}
	data := f.Data
	if f.Content != nil {
		data, _ = io.ReadAll(f.Content)
	}
	l.got = append(l.got, fmt.Sprintf("%s %s %d %t", f.Name, f.Type, len(data), f.From == nil && bytes.HasPrefix(data, []byte(picture))))
	return &wp.Response{Status: http.StatusCreated, Header: http.Header{}, JSON: json.RawMessage(`{"id":7}`)}, nil
}

func textOf(t *testing.T, res *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// W81: a call sends the file of a path and of an address. One that cannot be had is not
// sent; the model is told what to do, and the operator where it was looked for.
func TestUploadSources(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "shelf.png"), []byte(picture), 0o600); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/door.png" {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, picture)
	}))
	defer web.Close()
	var log logs
	var audit bytes.Buffer
	site := &library{}
	s := NewServer(uploads(t, root, strings.TrimPrefix(web.URL, "http://"), ""), Options{Site: site, Log: log.logger(), Audit: &audit, AuditValues: true})
	call := func(arguments string) string {
		t.Helper()
		res, err := s.Call(t.Context(), curate.DefaultProfile, "upload", json.RawMessage(arguments))
		return textOf(t, res, err)
	}
	for arguments, want := range map[string]string{
		`{"path":"shelf.png","title":"x"}`:                  `{"id":7}`,
		`{"address":"` + web.URL + `/door.png?sig=CANARY"}`: `{"id":7}`,
		`{"path":"gone.png"}`:                               "Nothing was sent: there is no such file in the directory that files are taken from.\nNext: give the path of a file that is there",
		`{"address":"` + web.URL + `/gone.png?sig=CANARY"}`: "Nothing was sent: there is no file at the address: it answers with status 404.\nNext: correct the address, or name another.",
		`{"path":"../shelf.png"}`:                           "Nothing was sent: the arguments are not right.\n- path must not hold . or ..",
	} {
		if got := call(arguments); !strings.HasPrefix(got, want) || strings.Contains(got, root) {
			t.Errorf("%s: %s\nwant %s", arguments, got, want)
		}
	}
	got := strings.Join(site.got, "\n")
	if len(site.got) != 2 || !strings.Contains(got, "shelf.png image/png 16 true") || !strings.Contains(got, "door.png image/png 16 true") {
		t.Errorf("the site got\n%s", got)
	}
	if !strings.Contains(log.String(), root) {
		t.Errorf("the log does not say where:\n%s", log.String())
	}
	if strings.Count(audit.String(), `"outcome":"failed","error":"file"`) != 2 || strings.Count(audit.String(), "/door.png?[redacted]") != 1 {
		t.Errorf("%s", audit.String())
	}
	if strings.Contains(log.String()+audit.String(), "CANARY") { // T40
		t.Errorf("a query is told:\n%s%s", log.String(), audit.String())
	}
}

// W78, W81: a file whose source breaks off while it is sent is not sent again, and the
// model is told that the outcome is unknown. One that met no site goes whole with the
// next attempt.
func TestUploadIsNotRepeated(t *testing.T) {
	root := t.TempDir()
	large := picture + strings.Repeat("x", 5<<20)
	if err := os.WriteFile(filepath.Join(root, "large.png"), []byte(large), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fails func(n int, f wp.File) error
		want  string
		calls int
	}{
		{func(_ int, f wp.File) error {
			_, _ = io.CopyN(io.Discard, f.Content, 1<<20)
			return &wp.Error{Kind: wp.Unread, Method: "POST", Sent: true}
		}, "The file broke off while it was sent to the site.\nThe outcome is unknown: the change may have been made.\nNext: do not repeat the call.", 1},
		{func(int, wp.File) error {
			return &wp.Error{Kind: wp.NotJSON, Method: "POST", Sent: true, Status: http.StatusRequestEntityTooLarge, Err: wp.ErrPage}
		}, "The site's web server refused the call with status 413: its body is too large.\nNext: send less: a smaller file", 1},
		{func(n int, _ wp.File) error {
			if n > 1 {
				return nil
			}
			return &wp.Error{Kind: wp.Unreachable, Method: "POST"}
		}, `{"id":7}`, 2},
	} {
		site := &library{fails: c.fails}
		s, _ := serve(t, uploads(t, root, "images.example", ""), Options{Site: site})
		res, err := s.Call(t.Context(), curate.DefaultProfile, "upload", json.RawMessage(`{"path":"large.png"}`))
		if got := textOf(t, res, err); !strings.HasPrefix(got, c.want) || site.n != c.calls {
			t.Errorf("%d calls: %s\nwant %s", site.n, got, c.want)
		}
		if c.calls == 2 && (len(site.got) != 1 || site.got[0] != fmt.Sprintf("large.png image/png %d true", len(large))) {
			t.Errorf("%q", site.got)
		}
	}
}

// A key is one of what was asked: a repetition opens nothing, whatever became of the
// file, and what was not sent for want of it is sent once it is there.
func TestUploadIsRemembered(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "shelf.png")
	site := &library{}
	s, _ := serve(t, uploads(t, root, "images.example", ", idempotency: { window: 1h }"), Options{Site: site})
	call := func() string {
		t.Helper()
		res, err := s.Call(t.Context(), curate.DefaultProfile, "upload", json.RawMessage(`{"path":"shelf.png"}`))
		return textOf(t, res, err)
	}
	if got := call(); !strings.Contains(got, "no such file") {
		t.Errorf("%s", got)
	}
	if err := os.WriteFile(name, []byte(picture), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := call(); got != `{"id":7}` {
		t.Errorf("%s", got)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if got := call(); got != `{"id":7}` || site.n != 1 {
		t.Errorf("%s after %d calls", got, site.n)
	}
}

// A person is asked before a file is looked for, and sees where it would come from; a
// confirmation is good for that file alone.
func TestUploadIsConfirmed(t *testing.T) {
	site := &library{}
	s, web := serve(t, uploads(t, t.TempDir(), "images.example", ", confirm: { when: always, ask: \"Publish {path}?\" }"), Options{Site: site})
	asked := ""
	session := connect(t, web.URL+"/mcp", "2025-11-25", nil, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked = r.Params.Message
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
	}})
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "upload", Arguments: map[string]any{"path": "2026/shelf.png"}})
	if got := textOf(t, res, err); !strings.Contains(got, "no such file") || !strings.HasPrefix(asked, "Publish 2026/shelf.png?") || site.n != 0 {
		t.Errorf("%s\n%s", asked, got)
	}
	tool := s.current.Load().profiles[curate.DefaultProfile].byName["upload"]
	digests := map[string]bool{}
	for _, arguments := range []string{`{"path":"a.png"}`, `{"path":"b.png"}`, `{"address":"https://images.example/a.png"}`, `{"address":"https://images.example/a.png?v=2"}`} {
		r, err := tool.Request(json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		d, err := digestCall(r)
		if err != nil {
			t.Fatal(err)
		}
		digests[string(d)] = true
	}
	if len(digests) != 4 {
		t.Errorf("%d digests of 4 files", len(digests))
	}
}

// A directory that the operator takes off the list is closed with the next catalog.
func TestUploadSourcesAreSwapped(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(before, "shelf.png"), []byte(picture), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := serve(t, uploads(t, before, "images.example", ""), Options{Site: &library{}})
	for _, want := range []string{`{"id":7}`, "Nothing was sent: there is no such file"} {
		res, err := s.Call(t.Context(), curate.DefaultProfile, "upload", json.RawMessage(`{"path":"shelf.png"}`))
		if got := textOf(t, res, err); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
		s.Swap(uploads(t, after, "images.example", ""))
	}
}
