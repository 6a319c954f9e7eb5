package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// G49: routes of a real site that answer with files.
func TestFiles(t *testing.T) {
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(`version: 1
tools:
  cover: { from: "GET /bookshop/v1/cover/{id}" }
  sample: { from: "GET /bookshop/v1/sample/{id}" }
  prices: { from: GET /bookshop/v1/price-list }
  leaflet: { from: GET /bookshop/v1/leaflet }
  receipt: { from: "GET /bookshop/v1/receipt/{id}" }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	at, _ := serve(t, "EDITOR", curation)
	for _, era := range append(eras[:2:2], "2025-03-26") {
		session, _ := connect(t, at, era)
		ask := func(tool, arguments string) *mcp.CallToolResult {
			t.Helper()
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
			if err != nil {
				t.Fatalf("%s %s: %v", era, tool, err)
			}
			text, _ := json.Marshal(res)
			t.Logf("%s\n→ %.400s", tool, text)
			return res
		}
		if c, is := ask("cover", `{"id":21}`).Content[1].(*mcp.ImageContent); !is || c.MIMEType != "image/png" {
			t.Errorf("%s: cover: %+v", era, c)
		} else if picture, err := png.Decode(bytes.NewReader(c.Data)); err != nil || picture.Bounds().Dx() != 1 {
			t.Errorf("%s: cover: %v", era, err)
		}
		if c, is := ask("sample", `{"id":21}`).Content[1].(*mcp.AudioContent); !is || c.MIMEType != "audio/wav" || len(c.Data) != 124 {
			t.Errorf("%s: sample: %+v", era, c)
		}
		for tool, want := range map[string]string{"prices": "/wp-json/bookshop/v1/price-list text/csv 61", "leaflet": "/wp-json/bookshop/v1/leaflet text/html 103"} {
			res := ask(tool, "{}")
			path, _, _ := strings.Cut(want, " ")
			address := os.Getenv("TOOLPRESS_TEST_SITE") + path
			if era < "2025-06-18" {
				if text := res.Content[0].(*mcp.TextContent).Text; len(res.Content) != 1 || !strings.HasSuffix(text, "\n"+address) {
					t.Errorf("%s: %s: %s", era, tool, text)
				}
				continue
			}
			link, is := res.Content[1].(*mcp.ResourceLink)
			if !is || link.URI != address || fmt.Sprint(path, " ", link.MIMEType, " ", *link.Size) != want {
				t.Errorf("%s: %s: %+v", era, tool, link)
			}
		}
		// Without its credential the site does not give it.
		if res := ask("receipt", `{"id":21}`); !res.IsError || len(res.Content) != 1 || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "receipt-21.pdf, application/pdf, 28 bytes") {
			t.Errorf("%s: receipt: %+v", era, res)
		}
	}
	said, stderr, code := command(t, "EDITOR", "call", "--curation", curation, "prices")
	if want := "\n" + os.Getenv("TOOLPRESS_TEST_SITE") + "/wp-json/bookshop/v1/price-list\n"; code != 0 || !strings.HasSuffix(said, want) {
		t.Errorf("%d %s %s", code, said, stderr)
	}
}
