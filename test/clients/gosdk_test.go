package clients

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/test/running"
)

// step is one thing a client did, as each of them reports it.
type step struct {
	Step     string   `json:"step"`
	Protocol string   `json:"protocol,omitempty"`
	Server   string   `json:"server,omitempty"`
	Tools    []string `json:"tools,omitempty"`
	Value    any      `json:"value,omitempty"`
	// Agree: the text is the structured content; every tool takes an object; what
	// a person agreed to was done.
	Agree   bool `json:"agree,omitempty"`
	IsError bool `json:"isError,omitempty"`
	Code    int  `json:"code,omitempty"`
}

// script is what a client reports that speaks a revision.
func script(revision string) []step {
	return []step{
		{Step: "connect", Protocol: revision, Server: "toolpress"},
		{Step: "list", Tools: tools, Agree: true},
		{Step: "read", Value: "Middlemarch", Agree: true},
		{Step: "write", Agree: true},
		{Step: "read", Value: 99.5, Agree: true},
		{Step: "ask", Value: question, IsError: true},
		{Step: "ask", Value: question, Agree: true},
		{Step: "wrong", IsError: true, Value: "price"},
		{Step: "unknown", Code: jsonrpc.CodeInvalidParams},
		{Step: "listening"},
		{Step: "changed"},
		{Step: "list", Tools: edited, Agree: true},
	}
}

// compare holds what a client reported against the script.
func compare(t *testing.T, got []step, revision string) {
	t.Helper()
	if diff := cmp.Diff(script(revision), got); diff != "" {
		t.Errorf("what the client did (+) is not what it should (-):\n%s", diff)
	}
}

// The Go SDK's client, of a server it reaches and of one it starts.
func TestGoSDK(t *testing.T) {
	for _, era := range eras {
		t.Run("http "+era, func(t *testing.T) {
			t.Parallel()
			file := curation(t)
			url, _ := serve(t, file)
			useGoSDK(t, &mcp.StreamableClientTransport{Endpoint: url}, era, file)
		})
		t.Run("stdio "+era, func(t *testing.T) {
			t.Parallel()
			file := curation(t)
			args := overStdio(file)
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Env = running.Environment()
			said := &running.Log{}
			cmd.Stderr = said
			useGoSDK(t, &mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, era, file)
			// In order: at the end of its standard input, as TestLines shows.
			if !cmd.ProcessState.Success() || !strings.HasSuffix(said.String(), "stopped\n") {
				t.Errorf("toolpress ended with %v:\n%s", cmd.ProcessState, said)
			}
		})
	}
}

// useGoSDK does what steps.mjs does, and closes the session.
func useGoSDK(t *testing.T, transport mcp.Transport, revision, file string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	changed := make(chan struct{}, 100)
	who := &person{answers: []*mcp.ElicitResult{{Action: "decline"}, {Action: "accept", Content: map[string]any{"who": "Ana"}}}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "gosdk", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler:     who.answer,
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	}).Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}()
	hello := session.InitializeResult()
	got := []step{{Step: "connect", Protocol: hello.ProtocolVersion, Server: hello.ServerInfo.Name}, list(ctx, t, session)}

	found, agree := call(ctx, t, session, "bookshop_search_books", map[string]any{"query": "Middlemarch"})
	book := found["books"].([]any)[0].(map[string]any)
	got = append(got, step{Step: "read", Value: book["title"], Agree: agree})
	_, agree = call(ctx, t, session, "set_book_price", map[string]any{"id": book["id"], "price": 99.5})
	got = append(got, step{Step: "write", Agree: agree})
	read, agree := call(ctx, t, session, "book_price", map[string]any{"book_id": book["id"]})
	got = append(got, step{Step: "read", Value: read["value"], Agree: agree})

	got = append(got, who.isAsked(ctx, t, session)...)

	wrong, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "set_book_price", Arguments: map[string]any{"id": book["id"], "price": "much"}})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\bprice\b`).FindString(wrong.Content[0].(*mcp.TextContent).Text)
	got = append(got, step{Step: "wrong", IsError: wrong.IsError, Value: named})
	_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "burn_book"})
	refused, unknown := errors.AsType[*jsonrpc.Error](err)
	if !unknown {
		t.Fatalf("an unknown tool: %v", err)
	}
	got = append(got, step{Step: "unknown", Code: int(refused.Code)}, step{Step: "listening"})

	edit(t, file)
	select {
	case <-changed:
		got = append(got, step{Step: "changed"})
	case <-time.After(patience):
		t.Fatal("the edit was not told")
	}
	compare(t, append(got, list(ctx, t, session)), revision)
}

// person answers questions, in order.
type person struct {
	answers []*mcp.ElicitResult
	asked   string
}

func (p *person) answer(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.asked, _, _ = strings.Cut(r.Params.Message, "\n")
	answer := p.answers[0]
	p.answers = p.answers[1:]
	return answer, nil
}

// isAsked calls what asks first: to a no, and to a yes.
func (p *person) isAsked(ctx context.Context, t *testing.T, session *mcp.ClientSession) (got []step) {
	t.Helper()
	for _, text := range []string{"no", "yes"} {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "leave_note", Arguments: map[string]any{"text": text}})
		if err != nil {
			t.Fatal(err)
		}
		note, _ := result.StructuredContent.(map[string]any)
		got = append(got, step{Step: "ask", Value: p.asked, IsError: result.IsError, Agree: note["text"] == text})
		p.asked = ""
	}
	return got
}

func list(ctx context.Context, t *testing.T, session *mcp.ClientSession) step {
	t.Helper()
	result, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := step{Step: "list", Agree: true}
	for _, tool := range result.Tools {
		schema, _ := tool.InputSchema.(map[string]any)
		s.Tools, s.Agree = append(s.Tools, tool.Name), s.Agree && schema["type"] == "object"
	}
	return s
}

// call returns what a tool returned, and whether its text says the same.
func call(ctx context.Context, t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (map[string]any, bool) {
	t.Helper()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		t.Fatalf("%s: %+v, %v", tool, result, err)
	}
	var said any
	if err := json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &said); err != nil {
		t.Fatal(err)
	}
	content, _ := result.StructuredContent.(map[string]any)
	return content, reflect.DeepEqual(said, result.StructuredContent)
}
