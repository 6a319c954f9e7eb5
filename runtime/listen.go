package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/generate/schema"
)

// What this server says of its own accord (2026-07-28, patterns, "Subscriptions").
const (
	methodListen      = "subscriptions/listen"
	noticeListChanged = "notifications/tools/list_changed"
	noticeListening   = "notifications/subscriptions/acknowledged"
)

// listen holds a stream open for a request of subscriptions/listen over HTTP.
func (s *Server) listen(w *writer, r *http.Request, e *endpoint, id json.RawMessage) {
	who := r.Header.Get(principalHeader)
	if full := s.streams.take(who, s.opts.MaxStreams, s.opts.MaxStreamsEach); full != "" {
		busy(w, id, full)
		return
	}
	defer s.streams.leave(who)
	wanted, refused := e.wanted(r)
	if wanted == nil {
		refused.to(w)
		return
	}
	s.attend(r.Context(), e, id, wanted, w)
}

// attend runs one listen until its client is gone, which ends ctx and is not
// answered, or the server ends it, which it says with the request's result.
func (s *Server) attend(ctx context.Context, e *endpoint, id json.RawMessage, wanted *mcp.NotificationSubscriptions, to outlet) {
	// There is one list here, and no resource.
	given := mcp.NotificationSubscriptions{ToolsListChanged: wanted.ToolsListChanged}
	say := s.listenScript(id, given)
	if !given.ToolsListChanged {
		if s.say(to, say.opening) == nil {
			s.close(to, say)
		}
		return
	}
	sub := &subscriber{}
	e.audience.join(sub)
	defer e.audience.leave(sub)
	s.carry(ctx, sub, to, say, s.ending.Done(), e.audience.end())
}

// listenScript is what the stream of a listen says; every message names the
// request.
func (s *Server) listenScript(id json.RawMessage, given mcp.NotificationSubscriptions) script {
	named := map[string]any{mcp.MetaKeySubscriptionID: id}
	return script{
		opening: notification(noticeListening, map[string]any{"_meta": named, "notifications": given}),
		notice:  notification(noticeListChanged, map[string]any{"_meta": named}),
		closing: encoded(listenResponse{"2.0", id, listenResult{"complete", map[string]any{
			mcp.MetaKeySubscriptionID: id, mcp.MetaKeyServerInfo: s.implementation(),
		}}}),
	}
}

type listenResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  listenResult    `json:"result"`
}

// listenResult is SubscriptionsListenResult: the stream has ended, and was not
// cut.
type listenResult struct {
	ResultType string         `json:"resultType"`
	Meta       map[string]any `json:"_meta"`
}

// sessionScript is what a session is told, which has no request to name.
func sessionScript() script {
	return script{notice: notification(noticeListChanged, map[string]any{})}
}

func notification(method string, params map[string]any) []byte {
	return encoded(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// encoded writes what cannot fail: ids that were read, and texts.
func encoded(v any) []byte {
	text, _ := schema.Encode(v)
	return text
}

// wanting is the context key of the channel that takes what a listen asks for.
type wanting struct{}

// wanted reads what a listen asks for, or says how it is refused. The SDK checks
// the request like any other; where its own stream would begin it comes to
// [wants], so that this needs no checks of its own.
func (e *endpoint) wanted(r *http.Request) (*mcp.NotificationSubscriptions, *captured) {
	found := make(chan *mcp.NotificationSubscriptions, 1)
	answer := &captured{header: http.Header{}}
	e.modern.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), wanting{}, found)))
	select {
	case wanted := <-found:
		return wanted, nil
	default:
		return nil, answer
	}
}

// wants hands over what a listen asks for, and ends it.
func wants(ctx context.Context, req *mcp.SubscriptionsListenRequest) (mcp.Result, error) {
	found, ok := ctx.Value(wanting{}).(chan *mcp.NotificationSubscriptions)
	switch {
	case !ok: // in a batch
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "a listen is a request of its own, of " + modernVersion}
	case req.Params.Notifications == nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "notifications is missing: name what to listen to, as {\"toolsListChanged\":true}"}
	}
	found <- req.Params.Notifications
	return &mcp.SubscriptionsListenResult{}, nil
}

// captured is an answer of the SDK that is looked at first.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements [http.ResponseWriter].
func (c *captured) Header() http.Header { return c.header }

// WriteHeader implements [http.ResponseWriter].
func (c *captured) WriteHeader(status int) { c.status = status }

// Write implements [http.ResponseWriter].
func (c *captured) Write(p []byte) (int, error) { return c.body.Write(p) }

// to passes the answer on.
func (c *captured) to(w http.ResponseWriter) {
	maps.Copy(w.Header(), c.header)
	if c.status != 0 {
		w.WriteHeader(c.status)
	}
	_, _ = w.Write(c.body.Bytes()) // the client may be gone
}

// message is the JSON-RPC error that the answer is, as an event or bare; nil for
// any other text.
func (c *captured) message() []byte {
	text := c.body.Bytes()
	if _, data, event := bytes.Cut(text, []byte("data: ")); event {
		text = data
	}
	if text = bytes.TrimSpace(text); !json.Valid(text) {
		return nil
	}
	return text
}
