package runtime

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/generate/schema"
)

// listPage is one page of a profile's list: whole results, as either era gets them.
type listPage struct {
	legacy, modern json.RawMessage
}

// paginate encodes a list in pages of at most opts.PageSize tools. Most lists
// are one page: many clients never ask for a second.
func (s *Server) paginate(tools []json.RawMessage, digest string) []listPage {
	var pages []listPage
	for {
		n := min(len(tools), s.opts.PageSize)
		result := modernList{
			Meta:       map[string]any{mcp.MetaKeyServerInfo: s.implementation()},
			ResultType: "complete",
			TTL:        s.opts.TTL.Milliseconds(),
			Scope:      cacheScope,
		}
		// What is encoded here cannot fail: valid JSON and strings.
		result.Tools, _ = schema.Encode(append([]json.RawMessage{}, tools[:n]...))
		if tools = tools[n:]; len(tools) > 0 {
			result.Next = cursor(digest, len(pages)+1)
		}
		var p listPage
		p.modern, _ = schema.Encode(result)
		p.legacy, _ = schema.Encode(legacyList{Tools: result.Tools, Next: result.Next})
		if pages = append(pages, p); len(tools) == 0 {
			return pages
		}
	}
}

// legacyList is ListToolsResult of 2025-11-25 and before.
type legacyList struct {
	Tools json.RawMessage `json:"tools"`
	Next  string          `json:"nextCursor,omitempty"`
}

// modernList is ListToolsResult of 2026-07-28.
type modernList struct {
	Meta       map[string]any  `json:"_meta"`
	ResultType string          `json:"resultType"`
	TTL        int64           `json:"ttlMs"`
	Scope      string          `json:"cacheScope"`
	Tools      json.RawMessage `json:"tools"`
	Next       string          `json:"nextCursor,omitempty"`
}

// digestOf names a list by its bytes.
func digestOf(list json.RawMessage) string {
	sum := sha256.Sum256(list)
	return hex.EncodeToString(sum[:8])
}

// cursor names a page of one list. It is nobody's secret and opens nothing: a
// forged one leads to a page that its client may read anyway.
func cursor(digest string, page int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(digest + "." + strconv.Itoa(page)))
}

// page finds the page that a cursor names. One of another list is refused: with
// the pages before it, it would make up a list that never was.
func (p *profile) page(at string) (listPage, error) {
	if at == "" {
		return p.pages[0], nil
	}
	text, _ := base64.RawURLEncoding.DecodeString(at)
	digest, number, _ := strings.Cut(string(text), ".")
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 1 || cursor(digest, n) != at || len(digest) != len(p.digest):
		return listPage{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor: list from the start, without a cursor"}
	case digest != p.digest:
		return listPage{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the list has changed since the page before: list from the start, without a cursor"}
	case n >= len(p.pages):
		return listPage{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor: the list has no such page"}
	}
	return p.pages[n], nil
}
