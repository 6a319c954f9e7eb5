package presets

import (
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/test/running"
)

// binary is the toolpress that is tested; empty where there is no site.
var binary string

func TestMain(m *testing.M) { os.Exit(running.OnSite(m, "presets", &binary)) }

// Every tool of preset:wordpress@1, on a real WordPress, through the binary.
func TestWordPress(t *testing.T) {
	WordPress(t, func(t *testing.T, profile string) *mcp.ClientSession { return open(t, "wordpress.yaml", profile) })
}

// open starts toolpress for one client, as the bookshop's editor.
func open(t *testing.T, curation, profile string) *mcp.ClientSession {
	t.Helper()
	said := &running.Log{}
	cmd := exec.Command(binary, "serve", "--stdio", "--curation", curation, "--profile", profile)
	cmd.Stderr = said
	cmd.Env = running.Environment("TOOLPRESS_SITE="+os.Getenv("TOOLPRESS_TEST_SITE"),
		"TOOLPRESS_USER="+os.Getenv("TOOLPRESS_TEST_EDITOR_USER"), "TOOLPRESS_PASSWORD="+os.Getenv("TOOLPRESS_TEST_EDITOR_PASSWORD"))
	session, err := mcp.NewClient(&mcp.Implementation{Name: "presets", Version: "1"}, Person()).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("toolpress ended with %v:\n%s", err, said)
		}
	})
	return session
}
