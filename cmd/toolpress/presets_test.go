package main

import (
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/test/presets"
)

// Every tool of preset:wordpress@1, on the embedded WordPress; test/presets does
// the same on a real one.
func TestWordPressPreset(t *testing.T) {
	out := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--curation", "../../test/presets/wordpress.yaml")
	out.Await(t, "Inspector", patience)
	_, rest, _ := strings.Cut(out.String(), "serving MCP at ")
	address := strings.Fields(rest)[0]
	presets.WordPress(t, func(t *testing.T, profile string) *mcp.ClientSession {
		at := address
		if profile != "default" {
			at += "/" + profile
		}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, presets.Person()).
			Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		return session
	})
}
