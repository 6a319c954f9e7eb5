package runtime

import (
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wp"
)

// Bounds of a trace context, as headers. The specifications let more through;
// web servers in front of WordPress take 8 KiB for all headers together.
const (
	maxTraceState = 512 // bytes; W3C Trace Context, 3.3.1.5: at least these
	maxBaggage    = 4096
	maxEntries    = 32 // of tracestate (3.3.1.1); of baggage we take no more
)

// The grammar of W3C Trace Context (section 3) and W3C Baggage (section 3.3).
// What is not exactly so never becomes a header.
var (
	traceParent = regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$`)
	zeros       = regexp.MustCompile(`-0+-`)
	traceEntry  = regexp.MustCompile(`^([a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=([\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e])$`)
	bagEntry    = regexp.MustCompile("^" + bagPair + `([ \t]*;[ \t]*` + bagToken + `([ \t]*=[ \t]*` + bagValue + `)?)*$`)
)

const (
	bagToken = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
	bagValue = `[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*`
	bagPair  = bagToken + `[ \t]*=[ \t]*` + bagValue
)

// traceOf reads the trace context of a request's _meta (MCP 2026-07-28, reserved
// by SEP-414; clients of before send it too). Of a part that is not well formed
// nothing is sent, and of tracestate nothing without traceparent.
func traceOf(meta mcp.Meta) wp.Trace {
	var t wp.Trace
	if parent, _ := meta["traceparent"].(string); traceParent.MatchString(parent) && !zeros.MatchString(parent[2:]) {
		t.Parent = parent
		if state, _ := meta["tracestate"].(string); len(state) <= maxTraceState {
			t.State = entries(state, traceEntry)
		}
	}
	if baggage, _ := meta["baggage"].(string); len(baggage) <= maxBaggage {
		t.Baggage = entries(baggage, bagEntry)
	}
	return t
}

// entries are the parts of a list between commas, or nothing when one of them is
// not well formed, there are too many, or a key is there twice.
func entries(list string, form *regexp.Regexp) string {
	seen := map[string]bool{}
	var kept []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.Trim(part, " \t"); part == "" {
			continue
		}
		key, _, _ := strings.Cut(part, "=")
		if key = strings.TrimRight(key, " \t"); !form.MatchString(part) || seen[key] || len(kept) == maxEntries {
			return ""
		}
		seen[key] = true
		kept = append(kept, part)
	}
	return strings.Join(kept, ",")
}
