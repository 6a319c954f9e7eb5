// Package presets calls every tool of the presets that come with toolpress, as a
// client does, on a bookshop: the real WordPress of test/wordpress, and the
// embedded one (discover/wptest), which has the same content.
//
//	test/wordpress/site run -- go test ./test/presets
package presets

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"gopkg.in/yaml.v3"

	"toolpress/curate"
)

// Open connects a client to one of the profiles that a curation of this package
// has.
type Open func(t *testing.T, profile string) *mcp.ClientSession

// Person are the options of a client whose user agrees to everything.
func Person() *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		_, rest, _ := strings.Cut(r.Params.Message, "\nTool: ")
		tool, _, _ := strings.Cut(rest, "\n")
		questions.Store(tool, r.Params.Message)
		return &mcp.ElicitResult{Action: "accept"}, nil
	}}
}

// questions are what was asked last of each tool.
var questions sync.Map

// client calls tools, and remembers which.
type client struct {
	session *mcp.ClientSession
	site    string // the bookshop's address, {site} in what is wanted
	called  map[string]bool
}

// call calls a tool and compares what it answers, whole: "*" in what is wanted is
// any value but none. It returns the answer.
func (c *client) call(t *testing.T, tool, arguments, want string) map[string]any {
	t.Helper()
	got, text := c.answer(t, tool, arguments)
	var wanted any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(want, "{site}", c.site)), &wanted); err != nil {
		t.Fatalf("%s: %v in %s", tool, err, want)
	}
	if !fits(got, wanted) {
		t.Errorf("%s %s\n got %s\nwant %s", tool, arguments, text, want)
	}
	return got
}

// answer calls a tool and returns what it answers, read and as it is written.
func (c *client) answer(t *testing.T, tool, arguments string) (map[string]any, string) {
	t.Helper()
	c.called[tool] = true
	result, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil || result.IsError {
		t.Fatalf("%s %s: %v, %s", tool, arguments, err, said(result))
	}
	text, _ := json.Marshal(result.StructuredContent)
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got, string(text)
}

// refused calls a tool that has to refuse, with these words.
func (c *client) refused(t *testing.T, tool, arguments string, words ...string) {
	t.Helper()
	result, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	got := fmt.Sprint(err)
	if err == nil {
		got = said(result)
		if !result.IsError {
			t.Errorf("%s %s is not refused: %s", tool, arguments, got)
		}
	}
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%s %s says %s, not %q", tool, arguments, got, w)
		}
	}
}

func said(result *mcp.CallToolResult) string {
	if result == nil || len(result.Content) == 0 {
		return "nothing"
	}
	text, _ := result.Content[0].(*mcp.TextContent)
	return text.Text
}

// fits reports that an answer is what is wanted.
func fits(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, is := got.(map[string]any)
		if !is || len(object) != len(want) {
			return false
		}
		for name := range want {
			if value, there := object[name]; !there || !fits(value, want[name]) {
				return false
			}
		}
		return true
	case []any:
		list, is := got.([]any)
		return is && slices.EqualFunc(list, want, fits)
	case string:
		return want == "*" && got != nil && got != "" || got == want
	}
	return got == want
}

// tools are the names of the tools that the client lists.
func (c *client) tools(t *testing.T) []string {
	t.Helper()
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// written are the names of the tools that a preset writes, by group.
func written(t *testing.T, preset string) map[string][]string {
	t.Helper()
	text, err := curate.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tools map[string]struct{ Groups []string }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(file.Tools)) {
		for _, group := range file.Tools[name].Groups {
			names[group] = append(names[group], name)
		}
	}
	return names
}
