// Package e2e runs the toolpress binary against a real WordPress with the Go
// SDK's client, in both eras of MCP. It needs TOOLPRESS_TEST_SITE and the
// credentials that test/wordpress/site prints:
//
//	test/wordpress/site run -- go test ./test/e2e
package e2e

import (
	"bytes"
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

func TestMain(m *testing.M) { os.Exit(running.OnOwnSite(m, "end to end", &binary)) }

// patience is how long anything may take before it is called broken.
const patience = 20 * time.Second

var eras = []string{"2026-07-28", "2025-11-25"}

// environment is the test site and one of its users.
func environment(role string) []string {
	env := append(os.Environ(), "TOOLPRESS_SITE="+os.Getenv("TOOLPRESS_TEST_SITE"))
	if role == "" {
		return env
	}
	return append(env,
		"TOOLPRESS_USER="+os.Getenv("TOOLPRESS_TEST_"+role+"_USER"),
		"TOOLPRESS_PASSWORD="+os.Getenv("TOOLPRESS_TEST_"+role+"_PASSWORD"))
}

// serve starts toolpress serve as one of the site's users, until the test ends.
func serve(t *testing.T, role, curation string, flags ...string) (string, *running.Log) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"serve", "--curation", curation, "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = environment(role)
	return running.Serve(t, cmd, patience)
}

// connect is the Go SDK's client, speaking one revision. changes gets one value
// for each tools/list_changed.
func connect(t *testing.T, url, revision string) (*mcp.ClientSession, <-chan struct{}) {
	t.Helper()
	changes := make(chan struct{}, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- struct{}{} },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, changes
}

// call calls a tool and returns its structured content as JSON, or the text of
// its error behind "error: ". Both go into the transcript.
func call(t *testing.T, session *mcp.ClientSession, tool, arguments string) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	got := ""
	switch {
	case err != nil:
		got = "protocol error: " + err.Error()
	case result.IsError:
		got = "error: " + result.Content[0].(*mcp.TextContent).Text
	default:
		text, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		got = string(text)
		if text := result.Content[0].(*mcp.TextContent).Text; !same(t, text, got) {
			t.Errorf("%s: the text says %s, the structure %s", tool, text, got)
		}
	}
	t.Logf("%s %s\n→ %.600s", tool, arguments, got)
	return got
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	one, _ := json.Marshal(x)
	two, _ := json.Marshal(y)
	return bytes.Equal(one, two)
}

// tools are the names a client lists.
func tools(t *testing.T, session *mcp.ClientSession) []string {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// command runs toolpress to its end.
func command(t *testing.T, role string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = environment(role)
	cmd.Dir = t.TempDir()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// setExtra makes the site's plugin register one more ability, or no longer.
func setExtra(t *testing.T, on bool) {
	t.Helper()
	asAdmin(t, "POST", "/wp/v2/settings", fmt.Sprintf(`{"bookshop_extra":%t}`, on), nil)
}

// asAdmin sends JSON to the site as its administrator and decodes the answer.
func asAdmin(t *testing.T, method, path, body string, answer any) {
	t.Helper()
	r, err := http.NewRequest(method, os.Getenv("TOOLPRESS_TEST_SITE")+"/wp-json"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth(os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode >= http.StatusMultipleChoices || answer != nil && json.Unmarshal(text, answer) != nil {
		t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, text)
	}
}

// putFile puts a file into the site until the test ends.
func putFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(name) })
}
