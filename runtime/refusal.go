package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// refusal is a request that never reaches the SDK.
type refusal struct {
	status int
	code   int64
	text   string
	data   any
}

func invalid(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf(format, args...)}
}

// refused says what is wrong with a message for its era.
func (e envelope) refused(modern bool, header string) *refusal {
	versions := mcp.SupportedProtocolVersions()
	switch {
	case modern && e.version != "" && (header == "" || header == e.version) &&
		(e.version < modernVersion || !slices.Contains(versions, e.version)):
		return &refusal{
			status: http.StatusBadRequest, code: mcp.CodeUnsupportedProtocolVersion, text: "unsupported protocol version",
			data: mcp.UnsupportedProtocolVersionData{Supported: versions, Requested: clip(e.version, maxCode)},
		}
	case e.batch && (modern || header > batchVersion):
		return invalid("send one message at a time: only revision %s has batches", batchVersion)
	case e.wrong != nil && !modern:
		return &refusal{status: http.StatusOK, code: e.wrong.code, text: e.wrong.text}
	case e.wrong != nil:
		return e.wrong
	case e.id != nil && e.method != "" && !served(e.method, modern):
		// The SDK answers with a bare text, or wants parameters first.
		missing := &refusal{status: http.StatusOK, code: jsonrpc.CodeMethodNotFound, text: fmt.Sprintf("method not found: %q", clip(e.method, maxCode))}
		if modern {
			missing.status = http.StatusNotFound
		}
		return missing
	}
	return nil
}

// served reports whether the SDK serves a request of this method in its era, and
// we let it.
func served(method string, modern bool) bool {
	switch method {
	case "tools/list", "tools/call", "prompts/list", "prompts/get",
		"resources/list", "resources/read", "resources/templates/list":
		return true
	case "initialize", "ping":
		return !modern
	case "server/discover", "subscriptions/listen":
		return modern
	}
	return false
}

// unheard reports a notification that nothing here listens to: it is taken, as
// JSON-RPC has it (2.0, section 4.1). The SDK refuses it, and clients take that
// for a broken connection.
func (e envelope) unheard() bool {
	switch e.method {
	case "notifications/initialized", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed":
		return false
	}
	return e.id == nil && strings.HasPrefix(e.method, "notifications/")
}

// busy asks a client to come back.
func busy(w http.ResponseWriter, id json.RawMessage, text string) {
	w.Header().Set("Retry-After", "5")
	refuse(w, id, &refusal{status: http.StatusServiceUnavailable, code: jsonrpc.CodeInternalError, text: text})
}

// message is the JSON-RPC error, with an id or without.
func (bad *refusal) message(id json.RawMessage) ([]byte, error) {
	type fault struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}
	return json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Error   fault           `json:"error"`
	}{"2.0", id, fault{bad.code, bad.text, bad.data}})
}

// refuse writes a JSON-RPC error; without an id when there is none to answer.
func refuse(w http.ResponseWriter, id json.RawMessage, bad *refusal) {
	text, err := bad.message(id)
	if err != nil {
		http.Error(w, bad.text, bad.status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(bad.status)
	// The client may be gone; there is nobody else to tell.
	_, _ = w.Write(text)
}
