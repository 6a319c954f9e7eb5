package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wptest"
)

// A dry run prints the very request, without what is secret or private, and sends
// none.
func TestDryRun(t *testing.T) {
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(`version: 1
private: [{ match: { route: "/wp/v2/posts/**" }, fields: [excerpt] }]
tools:
  draft:
    from: POST /wp/v2/posts
    args: { "*": hidden, title: { required: true, rename: headline }, excerpt: {}, password: {}, status: { fix: draft }, tags: {} }
  find: { from: GET /wp/v2/posts, args: { "*": hidden, search: { rename: words }, per_page: {} } }
  read: { from: "GET /wp/v2/posts/{id}", args: { "*": hidden, id: {} }, result: { pick: [id, excerpt.rendered, title.raw, _embedded.author.name], parts: true } }
  trash: { from: "DELETE /wp/v2/posts/{id}", args: { force: { fix: false } } }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	address, toolpress := atBookshop(t, curation)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"draft headline=Dry excerpt=Canary password=Hunter2 tags=3,4", exitOK, "POST " + address + "/wp-json/wp/v2/posts\n" +
			"Authorization: (not shown)\nContent-Type: application/json\n\n" +
			`{"excerpt":"(not shown)","password":"(not shown)","status":"draft","tags":[3,4],"title":{"raw":"Dry"}}` + "\n"},
		{"find words=ships per_page=3", exitOK, "GET " + address + "/wp-json/wp/v2/posts?per_page=3&search=ships\nAuthorization: (not shown)\n"},
		{"read id=1 part=2", exitOK, "GET " + address + "/wp-json/wp/v2/posts/1?_fields=_links.author%2Cid%2Ctitle.raw&_embed=author\nAuthorization: (not shown)\n"},
		{"trash id=1", exitOK, "DELETE " + address + "/wp-json/wp/v2/posts/1?force=0\nAuthorization: (not shown)\n"},
		{"find per_page=1000", exitFailed, "calling find: per_page must be 100 or less"},
	} {
		said, code := toolpress(append([]string{"call", "--dry-run"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d\n%s\nwant\n%s", c.args, code, said, c.want)
		}
	}
	if said, code := toolpress("call", "find", "words=Dry"); code != exitOK || strings.Contains(said, "Dry") {
		t.Errorf("a dry run was sent: exit %d\n%s", code, said)
	}
	// What asks a person is called by one who says so.
	if said, code := toolpress("call", "trash", "id=1"); code != exitUsage || !strings.Contains(said, "asks a person first") || !strings.Contains(said, "--yes") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// atBookshop runs commands with a curation on a bookshop of their own, as its
// editor; each gives what it printed and its exit code.
func atBookshop(t *testing.T, curation string) (address string, toolpress func(args ...string) (string, int)) {
	t.Helper()
	shop := wptest.New()
	address, end, err := startBookshop(shop)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	editor := shop.Users()[1]
	env := map[string]string{"TOOLPRESS_SITE": address, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password}
	return address, func(args ...string) (string, int) {
		var out bytes.Buffer
		code := run(context.Background(), append(args, "--curation", curation), func(name string) string { return env[name] }, nil, &out, &out)
		return out.String(), code
	}
}
