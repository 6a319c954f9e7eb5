package runtime

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
)

// paramHeader begins the header that carries an argument (transports, "Custom
// Headers from Tool Parameters", 2026-07-28).
const paramHeader = "Mcp-Param-"

func mismatch(format string, args ...any) *refusal {
	bad := invalid(format, args...)
	bad.code = mcp.CodeHeaderMismatch
	return bad
}

// agree checks that the headers of a request of 2026-07-28 say what its body
// does: whoever routes or filters by them must not see another request than the
// one that is served (transports, "Request Headers"). The SDK checks less, and
// for a tool with a union type nothing.
func agree(h http.Header, e envelope, t *curate.Tool) *refusal {
	if e.method == "" { // an answer to nothing: no request has headers to agree with
		return nil
	}
	named := e.method == "tools/call" || e.method == "prompts/get" || e.method == "resources/read"
	for _, c := range []struct {
		name, body string
		needed     bool
	}{
		{"Mcp-Protocol-Version", e.version, e.version != ""},
		{"Mcp-Method", e.method, true},
		{"Mcp-Name", e.name, named},
	} {
		value, bad := single(h, c.name)
		switch {
		case bad != nil:
			return bad
		case !c.needed:
		case value == "":
			return mismatch("the header %s is missing", c.name)
		case value != c.body:
			return mismatch("the header %s says %q, and the body %q", c.name, clip(value, maxCode), clip(c.body, maxCode))
		}
	}
	if e.method != "tools/call" || t == nil || len(t.Headers) == 0 {
		return nil
	}
	return agreeArguments(h, e.arguments, t.Headers)
}

// agreeArguments checks the headers that carry arguments. One that no argument
// of the tool has is nobody's: a proxy knows it from no schema.
func agreeArguments(h http.Header, arguments json.RawMessage, headers map[string]string) *refusal {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &given) // what is no object is refused later
	for _, arg := range slices.Sorted(maps.Keys(headers)) {
		name := paramHeader + headers[arg]
		value, bad := single(h, name)
		if bad != nil {
			return bad
		}
		sent := len(h.Values(name)) > 0
		in, there := given[arg]
		there = there && kind(in) != 'n'
		switch {
		case !there && sent:
			return mismatch("the header %s is there, and the argument %s is not", name, arg)
		case there && !sent:
			return mismatch("the header %s is missing: it carries the argument %s", name, arg)
		case there && !carries(value, in):
			return mismatch("the header %s does not say what the argument %s does", name, arg)
		}
	}
	return nil
}

// single is the one value of a header, decoded; empty without one.
func single(h http.Header, name string) (string, *refusal) {
	values := h.Values(name)
	switch len(values) {
	case 0:
		return "", nil
	case 1:
	default:
		return "", mismatch("the header %s is there twice", name)
	}
	encoded, ok := strings.CutPrefix(values[0], "=?base64?")
	if !ok {
		return values[0], nil
	}
	if encoded, ok = strings.CutSuffix(encoded, "?="); !ok {
		return values[0], nil
	}
	value, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", mismatch("the header %s is not valid Base64", name)
	}
	return string(value), nil
}

// plainName undoes the Base64 form of Mcp-Name, which the SDK takes literally
// (transports, "Value Encoding", 2026-07-28).
func plainName(h http.Header, e envelope) {
	if h.Get("Mcp-Name") != "" {
		h.Set("Mcp-Name", e.name)
	}
}

// carries reports whether a header's value is the argument's: text as it is,
// numbers by what they are worth, true and false in small letters.
func carries(header string, in json.RawMessage) bool {
	var text string
	switch kind(in) {
	case '"':
		return json.Unmarshal(in, &text) == nil && text == header
	case 't', 'f':
		return string(in) == header
	case '{', '[':
		return false
	}
	if len(header) > maxNumber || len(in) > maxNumber || !json.Valid([]byte(header)) {
		return false
	}
	a, isA := new(big.Rat).SetString(header)
	b, isB := new(big.Rat).SetString(string(in))
	return isA && isB && a.Cmp(b) == 0
}

// maxNumber bounds a number in a header: 1e999999999 is one, and large.
const maxNumber = 24
