package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

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
	case e.wrong != nil && !modern:
		return &refusal{status: http.StatusOK, code: e.wrong.code, text: e.wrong.text}
	case e.wrong != nil:
		return e.wrong
	case !modern && e.id != nil && e.method != "" && !legacyMethod(e.method):
		// The SDK answers with a bare text.
		return &refusal{status: http.StatusOK, code: jsonrpc.CodeMethodNotFound, text: fmt.Sprintf("method not found: %q", clip(e.method, maxCode))}
	}
	return nil
}

// legacyMethod reports whether the SDK serves a request of this method to a
// session, and we let it.
func legacyMethod(method string) bool {
	switch method {
	case "initialize", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get",
		"resources/list", "resources/read", "resources/templates/list":
		return true
	}
	return false
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
