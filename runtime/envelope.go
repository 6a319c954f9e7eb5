package runtime

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of an envelope. A batch exists in 2025-03-26 only.
const (
	maxID    = 256
	maxBatch = 20
)

// envelope is what routing needs to know of a body.
type envelope struct {
	batch   bool
	id      json.RawMessage // of a single request; nil without one
	method  string          // of a single request or notification
	version string          // the revision a request's _meta names
	name    string          // what is called, or the uri of what is read
	// arguments are those of a call, nil without any.
	arguments json.RawMessage
	wrong     *refusal // what is wrong with the parameters
}

// openEnvelope reads a body strictly. encoding/json takes "METHOD" for "method" and
// the last of two: then a check before and a decoder behind disagree about
// what is asked (T12).
func openEnvelope(body []byte) (envelope, *refusal) {
	if bad := bulky(body); bad != nil {
		return envelope{}, bad
	}
	if !json.Valid(body) {
		return envelope{}, &refusal{status: http.StatusBadRequest, code: jsonrpc.CodeParseError, text: "the body is not one JSON value"}
	}
	if kind(body) != '[' {
		return openMessage(body)
	}
	batch, err := elements(body)
	if err != nil || len(batch) == 0 || len(batch) > maxBatch {
		return envelope{}, invalid("a batch has 1 to %d messages", maxBatch)
	}
	all := envelope{batch: true}
	for _, raw := range batch {
		one, bad := openMessage(raw)
		if bad == nil {
			bad = one.wrong
		}
		if bad != nil {
			return all, bad
		}
		if one.method == "initialize" {
			return all, invalid("initialize cannot be part of a batch")
		}
		if one.version != "" {
			all.version = one.version
		}
	}
	return all, nil
}

func openMessage(raw json.RawMessage) (e envelope, bad *refusal) {
	list, err := members(raw)
	if err != nil {
		return e, invalid("a message is a JSON object")
	}
	if bad := exact(list, "jsonrpc", "id", "method", "params", "result", "error"); bad != nil {
		return e, bad
	}
	var params json.RawMessage
	for _, m := range list {
		switch m.name {
		case "id":
			if !validID(m.value) {
				return e, invalid("id must be a string of at most %d bytes or an integer", maxID)
			}
			e.id = m.value
		case "method":
			if json.Unmarshal(m.value, &e.method) != nil || e.method == "" {
				return e, invalid("method must be a string")
			}
		case "params":
			params = m.value
		}
	}
	if e.method != "" && params != nil {
		if bad := e.openParams(params); bad != nil {
			return e, bad
		}
	}
	// On the standard streams the SDK ends at what it cannot read.
	if _, err := jsonrpc.DecodeMessage(outline(list)); err != nil {
		return e, invalid(`a message has "jsonrpc": "2.0" and a method, or an id with a result or an error, and is not nested more than 1000 deep`)
	}
	return e, nil
}

// outline is a message without what it carries, which may be large and is read
// elsewhere.
func outline(list []member) []byte {
	small := map[string]json.RawMessage{}
	for _, m := range list {
		if small[m.name] = m.value; m.name == "params" || m.name == "result" {
			small[m.name] = json.RawMessage("{}")
		}
	}
	text, _ := json.Marshal(small) // it was JSON before
	return text
}

// openParams reads what the era and a tool's call depend on. What it returns is
// wrong with the envelope; what is wrong with the parameters goes into e.
func (e *envelope) openParams(params json.RawMessage) (bad *refusal) {
	misfit := func(text string) {
		e.wrong = &refusal{status: http.StatusBadRequest, code: jsonrpc.CodeInvalidParams, text: text}
	}
	list, err := members(params)
	if err != nil {
		misfit("params must be an object")
		return nil
	}
	if bad := exact(list, "_meta", "name", "arguments", "cursor", "uri", "inputResponses", "requestState"); bad != nil {
		return bad
	}
	named := false
	for _, m := range list {
		switch {
		case m.name == "_meta":
			if bad := e.openMeta(m.value, misfit); bad != nil {
				return bad
			}
		case m.name == "name" && e.method != "resources/read", m.name == "uri" && e.method == "resources/read":
			named = json.Unmarshal(m.value, &e.name) == nil && kind(m.value) == '"'
		case m.name == "arguments" && e.method == "tools/call":
			e.arguments = m.value
			if k := kind(m.value); k != '{' && k != 'n' {
				misfit("arguments must be an object")
			}
		case m.name == "cursor" && kind(m.value) != '"' && kind(m.value) != 'n':
			misfit("cursor must be a string, the nextCursor of the page before")
		case e.method != "tools/call":
		case m.name == "inputResponses" && json.Unmarshal(m.value, new(mcp.InputResponseMap)) != nil:
			misfit("inputResponses must be an object, with an answer to each of the inputRequests")
		case m.name == "requestState" && kind(m.value) != '"' && kind(m.value) != 'n':
			misfit("requestState must be a string, as it came with the inputRequests")
		}
	}
	if e.method == "tools/call" && !named {
		misfit("name must be the name of a tool")
	}
	return nil
}

func (e *envelope) openMeta(value json.RawMessage, misfit func(string)) *refusal {
	meta, err := members(value)
	if err != nil {
		misfit("_meta must be an object")
		return nil
	}
	if bad := exact(meta, mcp.MetaKeyProtocolVersion); bad != nil {
		return bad
	}
	for _, m := range meta {
		if m.name == mcp.MetaKeyProtocolVersion && json.Unmarshal(m.value, &e.version) != nil {
			misfit("the protocol version in _meta must be a string")
		}
	}
	return nil
}

// exact refuses members that are there twice, or that differ from another or
// from a known one in case only.
func exact(list []member, known ...string) *refusal {
	seen := map[string]bool{}
	for _, m := range list {
		folded := strings.ToLower(strings.ToUpper(m.name))
		if seen[folded] {
			return invalid("%q is there twice", clip(m.name, maxCode))
		}
		seen[folded] = true
		for _, name := range known {
			if m.name != name && strings.EqualFold(m.name, name) {
				return invalid("%q must be written %q", clip(m.name, maxCode), name)
			}
		}
	}
	return nil
}

// validID accepts what the SDK gives back unchanged: it reads numbers as
// float64.
func validID(raw json.RawMessage) bool {
	if len(raw) > maxID {
		return false
	}
	if kind(raw) == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && n <= 1<<53 && n >= -1<<53
}
