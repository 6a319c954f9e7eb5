package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolpress/test/chaos/history"
)

// modern and legacy are the eras of MCP.
const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// client is one client of an era, that keeps its connections with others.
type client struct {
	w       *world
	name    string
	token   string
	session string // of a legacy one
	http    *http.Client
	calls   int
}

// connections are what many clients share. Idle ones are closed before the server
// does: it waits 5 s for the first request of one.
func connections(w *world) *http.Client {
	t := &http.Transport{MaxIdleConnsPerHost: 100, IdleConnTimeout: 4 * time.Second, DialContext: (&net.Dialer{}).DialContext}
	w.t.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t, Timeout: patience}
}

// connect makes a client; a legacy one has a session then.
func (w *world) connect(h *http.Client, era, name string, i int) (*client, error) {
	c := &client{w: w, name: name, token: token(i), http: h}
	if era == modern {
		return c, nil
	}
	r := c.request(http.MethodPost, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+legacy+`","capabilities":{},"clientInfo":{"name":"chaos","version":"1"}}}`)
	resp, err := h.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	if c.session = resp.Header.Get("Mcp-Session-Id"); c.session == "" {
		return nil, fmt.Errorf("initialize: %s", resp.Status)
	}
	ready, err := h.Do(c.request(http.MethodPost, "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if err == nil {
		_ = ready.Body.Close()
	}
	return c, err
}

// request is one of the client's era.
func (c *client) request(verb, method, body string) *http.Request {
	r, err := http.NewRequestWithContext(context.Background(), verb, c.w.url, strings.NewReader(body))
	if err != nil {
		panic(err) // an address of ours
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+c.token)
	if method != "" && c.session == "" {
		r.Header.Set("Mcp-Protocol-Version", modern)
		r.Header.Set("Mcp-Method", method)
	}
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
		r.Header.Set("Mcp-Protocol-Version", legacy)
	}
	return r
}

// rpc is the body of a request of the client's era; params are members of its params.
func (c *client) rpc(method, params string) string {
	if c.session == "" {
		params = strings.TrimSuffix(`"_meta":{"io.modelcontextprotocol/protocolVersion":"`+modern+`","io.modelcontextprotocol/clientCapabilities":{}},`+params, ",")
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
}

// answer is a JSON-RPC response.
type answer struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// ask sends a request and reads its answer.
func (c *client) ask(method, name, params string) (got answer, err error) {
	r := c.request(http.MethodPost, method, c.rpc(method, params))
	if name != "" && c.session == "" {
		r.Header.Set("Mcp-Name", name)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return got, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return got, err
	}
	if _, data, event := bytes.Cut(text, []byte("data: ")); event {
		text, _, _ = bytes.Cut(data, []byte("\n"))
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Result == nil && got.Error == nil {
		return got, fmt.Errorf("%s: %s %.300s", method, resp.Status, text)
	}
	return got, nil
}

var marked = regexp.MustCompile(`version-(\d+)\.`)

// versionOf is the version that a tool says it is of; 0 for several, or none.
func versionOf(tool []byte) (version int) {
	for i, found := range marked.FindAllSubmatch(tool, -1) {
		n, _ := strconv.Atoi(string(found[1]))
		if i > 0 && n != version {
			return 0
		}
		version = n
	}
	return version
}

// toolsOf reads a list.
func toolsOf(result json.RawMessage) (map[string]int, error) {
	var list struct {
		Tools      []json.RawMessage
		NextCursor string
	}
	if err := json.Unmarshal(result, &list); err != nil || list.NextCursor != "" {
		return nil, fmt.Errorf("a list of several pages, or none: %.300s %w", result, err)
	}
	tools := map[string]int{}
	for _, text := range list.Tools {
		var tool struct{ Name string }
		if err := json.Unmarshal(text, &tool); err != nil {
			return nil, err
		}
		tools[tool.Name] = versionOf(text)
	}
	return tools, nil
}

// list reads the tools and notes them.
func (c *client) list() (map[string]int, error) {
	began := c.w.now()
	got, err := c.ask("tools/list", "", "")
	ended := c.w.now()
	if err != nil {
		return nil, err
	}
	tools, err := toolsOf(got.Result)
	if err == nil {
		c.w.Add(history.Event{Client: c.name, Kind: history.List, Begin: began, End: ended, Tools: tools})
	}
	return tools, err
}

// call calls a tool and notes what came of it. The argument goes on to the site.
func (c *client) call(tool, argument string) error {
	c.calls++
	e := history.Event{Client: c.name, Kind: history.Call, Tool: tool, ID: fmt.Sprintf("call-%s-%d", c.name, c.calls), Begin: c.w.now()}
	got, err := c.ask("tools/call", tool, `"name":"`+tool+`","arguments":{"`+argument+`":"`+e.ID+`"}`)
	e.End = c.w.now()
	if err != nil {
		c.w.Add(e)
		return err
	}
	var result struct{ IsError bool }
	switch {
	case got.Error != nil && got.Error.Code == -32602 && strings.Contains(got.Error.Message, "unknown tool"):
		e.Outcome = history.Unknown
	case got.Error != nil:
		err = fmt.Errorf("%s: %d %s", tool, got.Error.Code, got.Error.Message)
	case json.Unmarshal(got.Result, &result) == nil && !result.IsError:
		e.Outcome = history.Answered
	}
	c.w.Add(e)
	return err
}

// use lists and calls until the end, as a client that keeps its list for a while.
func (c *client) use(rnd *rand.Rand, end time.Time, argument string) error {
	var names []string
	for time.Now().Before(end) {
		if names == nil || rnd.IntN(3) == 0 {
			tools, err := c.list()
			if err != nil {
				return err
			}
			names = slices.Sorted(maps.Keys(tools))
		}
		if len(names) > 0 {
			if err := c.call(names[rnd.IntN(len(names))], argument); err != nil {
				return err
			}
		}
		time.Sleep(time.Duration(rnd.IntN(20)) * time.Millisecond)
	}
	return nil
}
