package clients

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/test/npm"
)

// named are the tools of a list that the Inspector printed.
func named(t *testing.T, printed string) (names []string) {
	t.Helper()
	var list struct {
		Tools  []struct{ Name string }
		Result struct{ Tools []struct{ Name string } } // --cli --format json
	}
	if err := json.Unmarshal([]byte(printed), &list); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	for _, tool := range slices.Concat(list.Tools, list.Result.Tools) {
		names = append(names, tool.Name)
	}
	return names
}

func sameTools(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tools listed (+) are not those there are (-):\n%s", diff)
	}
}

var inspectorEras = map[string]string{modern: "modern", legacy: "legacy"}

// One run of the Inspector's --cli is one request: it lists and calls.
func TestInspector(t *testing.T) {
	node := npm.Install(t)
	for _, era := range eras {
		for _, transport := range []string{"http", "stdio"} {
			t.Run(transport+" "+era, func(t *testing.T) {
				t.Parallel()
				file := curation(t)
				target := overStdio(file)
				if transport == "http" {
					address, _ := serve(t, file)
					target = []string{address}
				}
				cli := func(code int, args ...string) string {
					t.Helper()
					args = slices.Concat([]string{node.Modules(".bin", "mcp-inspector"), "--cli"}, target,
						[]string{"--transport", transport, "--protocol-era", inspectorEras[era], "--format", "json"}, args)
					return output(t, node.Node(t, args...), code)
				}
				var hello struct {
					Result struct {
						ProtocolVersion string
						Capabilities    struct{ Tools struct{ ListChanged bool } }
					}
				}
				if err := json.Unmarshal([]byte(cli(0, "--method", "initialize")), &hello); err != nil {
					t.Fatal(err)
				}
				if got := hello.Result; got.ProtocolVersion != era || !got.Capabilities.Tools.ListChanged {
					t.Errorf("%+v", got)
				}
				// --strict: no schema that other clients would not take.
				sameTools(t, tools, named(t, cli(0, "--method", "tools/list", "--strict")))
				books := cli(0, "--method", "tools/call", "--tool-name", "bookshop_search_books", "--tool-arg", "query=Middlemarch")
				id := regexp.MustCompile(`"structuredContent":\{"books":\[\{"id":(\d+),`).FindStringSubmatch(books)
				if id == nil {
					t.Fatal(books)
				}
				set := []string{"--method", "tools/call", "--tool-name", "set_book_price", "--tool-args-json"}
				if got := cli(0, append(set, `{"id":`+id[1]+`,"price":99.5}`)...); strings.Contains(got, "isError") {
					t.Error(got)
				}
				if transport == "http" { // else the shop has gone with the run
					if got := cli(0, "--method", "tools/call", "--tool-name", "book_price", "--tool-arg", "book_id="+id[1]); !strings.Contains(got, `"structuredContent":{"value":99.5}`) {
						t.Error(got)
					}
				}
				if got := cli(5, append(set, `{"id":`+id[1]+`,"price":"much"}`)...); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "- price ") {
					t.Error(got)
				}
			})
		}
	}
}

// The line that demo prints for the Inspector does what it says, with and
// without a token.
func TestInspectorLine(t *testing.T) {
	node := npm.Install(t)
	for _, c := range []struct{ name, token, put string }{
		{name: "no token"},
		{name: "token", token: "correct-horse-battery", put: "correct-horse-battery"},
		{name: "another token", token: "correct-horse-battery", put: "another-horse-battery"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, server := serve(t, curation(t), "TOOLPRESS_TOKEN="+c.token)
			line := printed(t, node, server)
			if strings.Contains(line.Args[2], "Bearer TOKEN") != (c.token != "") {
				t.Fatalf("the line is %q", line.Args[2])
			}
			line.Args[2] = strings.Replace(line.Args[2], "TOKEN", c.put, 1)
			if c.token != c.put {
				output(t, line, 3) // it wants to log in, and has no terminal
				return
			}
			sameTools(t, tools, named(t, output(t, line, 0)))
		})
	}
}

// Neither is the line that serve prints any different, here for the demo's site
// as the demo says it is reached.
func TestInspectorLineOfServe(t *testing.T) {
	t.Parallel()
	node := npm.Install(t)
	_, demo := serve(t, curation(t))
	exported := regexp.MustCompile(`export (TOOLPRESS_SITE=\S+) (TOOLPRESS_USER=\S+) (TOOLPRESS_PASSWORD=)'(.+)'`).FindStringSubmatch(demo.stderr.String())
	if exported == nil {
		t.Fatal(demo.stderr)
	}
	_, server := reach(t, []string{"serve", "--listen", "127.0.0.1:0"}, exported[1], exported[2], exported[3]+exported[4])
	got := named(t, output(t, printed(t, node, server), 0))
	if !slices.Contains(got, "find_posts") || !slices.IsSorted(got) {
		t.Errorf("it lists %v", got)
	}
}

// printed is the line for the Inspector that a server printed, with the version
// put in, where npx finds it installed.
func printed(t *testing.T, node *npm.Packages, server *process) *exec.Cmd {
	t.Helper()
	name := "@modelcontextprotocol/inspector"
	_, line, _ := strings.Cut(server.stderr.String(), "  Inspector ")
	line, _, _ = strings.Cut(strings.TrimSpace(line), "\n")
	if !strings.HasPrefix(line, "npx "+name+" --cli http://127.0.0.1:") {
		t.Fatalf("the line is %q", line)
	}
	cmd := exec.Command("sh", "-c", strings.Replace(line, name, name+"@"+npm.Version(t, name), 1))
	cmd.Dir, cmd.Env = node.Dir, node.Environment(t)
	return cmd
}

// The Inspector's mcpdo holds a connection open between commands. In the modern
// era it takes a list from its cache for the minute that toolpress allows,
// unless list_changed comes: that the new list is there at once is the notice.
// In the legacy era it asks every time; and no command of either prints a
// notice, so there it only shows that a connection outlives the change.
func TestInspectorListChanged(t *testing.T) {
	node := npm.Install(t)
	for _, era := range eras {
		for _, transport := range []string{"http", "stdio"} {
			t.Run(transport+" "+era, func(t *testing.T) {
				t.Parallel()
				file := curation(t)
				target, asked := overStdio(file), &atomic.Int64{}
				if transport == "http" {
					address, _ := serve(t, file)
					target = []string{counting(t, address, asked)}
				}
				mcpdo := startMcpdo(t, node)
				mcpdo(slices.Concat([]string{"connect", "--connection", "shop", "--era", inspectorEras[era], "--transport", transport, "--"}, target)...)
				list := func() []string { return named(t, mcpdo("@shop", "tools/list")) }
				sameTools(t, tools, list())
				sameTools(t, tools, list())
				// Modern: once for both, and in each once more for the schemas as
				// they came, where over HTTP it looks for wrong header annotations.
				if n := asked.Load(); transport == "http" && n != map[string]int64{modern: 3, legacy: 2}[era] {
					t.Errorf("two lists asked %d times", n)
				}
				edit(t, file)
				var got []string
				await(t, func() bool { got = list(); return !slices.Equal(got, tools) }, func() string { return "the edit was not told" })
				sameTools(t, edited, got)
				if got := mcpdo("@shop", "tools/call", "bookshop_search_books", "query:=Middlemarch"); !strings.Contains(got, `"title": "Middlemarch"`) {
					t.Error(got)
				}
				mcpdo("disconnect", "shop")
			})
		}
	}
}

// counting stands before a server and counts the lists it is asked for.
func counting(t *testing.T, address string, lists *atomic.Int64) string {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			body, _ := io.ReadAll(r.In.Body) // a short one comes whole
			if bytes.Contains(body, []byte(`"method":"tools/list"`)) {
				lists.Add(1)
			}
			r.Out.Body = io.NopCloser(bytes.NewReader(body))
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
		},
		FlushInterval: -1, // every event at once
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL + target.Path
}

// startMcpdo returns what runs a command of mcpdo and returns what it printed. Its
// daemon is the test's own and ends with it.
func startMcpdo(t *testing.T, node *npm.Packages) func(args ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcpdo-") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	build := node.Modules("@modelcontextprotocol", "inspector", "clients", "mcpdo", "build")
	env := append(node.Environment(t), "MCP_INSPECTOR_DAEMON_DIR="+dir, "MCP_INSPECTOR_DAEMON_TOKEN=of-this-test-only")
	cmd := node.Node(t, filepath.Join(build, "mcpdod.js"))
	cmd.Env = env
	daemon := start(t, cmd)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		daemon.end(t, 0)
	})
	await(t, func() bool { _, err := os.Stat(filepath.Join(dir, "mcpdod.sock")); return err == nil }, daemon.stderr.String)
	return func(args ...string) string {
		t.Helper()
		cmd := node.Node(t, append([]string{filepath.Join(build, "mcp-bin.js"), "--format", "json"}, args...)...)
		cmd.Env = env
		return output(t, cmd, 0)
	}
}
