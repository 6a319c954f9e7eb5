package clients

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolpress/discover/wptest/recorded"
	"toolpress/test/npm"
)

// everything exposes a whole site, in a dialect.
const everything = `version: 1
defaults: { dialect: %, confirm: { when: never } }
expose:
  - { route: "/**", writes: true }
  - { ability: "**", writes: true }
tools:
  find_posts: { from: GET /wp/v2/posts, result: { pick: [id, title.rendered] } }
`

// G02–G06, W28: the TypeScript SDK 1.x, which gives up a whole list for one tool
// that it does not take, lists everything that the four recorded sites could
// offer, in both dialects.
func TestRecordings(t *testing.T) {
	node := npm.Install(t)
	for name, tools := range map[string]int{"wordpress-6.1": 99, "wordpress-6.8": 113, "wordpress-7.1": 115, "woocommerce-10.5": 677} {
		t.Run(name, func(t *testing.T) {
			site := httptest.NewServer(recorded.Handler(t, recorded.Dir(t, name)))
			defer site.Close()
			for _, dialect := range []string{"common", "modern"} {
				file := filepath.Join(t.TempDir(), "curation.yaml")
				if err := os.WriteFile(file, []byte(strings.Replace(everything, "%", dialect, 1)), 0o600); err != nil {
					t.Fatal(err)
				}
				url, _ := reach(t, []string{"serve", site.URL, "--curation", file, "--listen", "127.0.0.1:0"})
				cmd := node.Node(t, "list.mjs", url)
				cmd.Dir = node.Programs(t, "list.mjs")
				var got step
				if err := json.Unmarshal([]byte(output(t, cmd, 0)), &got); err != nil {
					t.Fatal(err)
				}
				if len(got.Tools) != tools || !slices.Contains(got.Tools, "find_posts") {
					t.Errorf("%s: %d tools, want %d", dialect, len(got.Tools), tools)
				}
			}
		})
	}
}
