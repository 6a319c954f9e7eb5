package curate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"toolpress/curate/change"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// Catalog is what is served: the tools of each profile. It is immutable once
// applied, and the runtime holds it behind one atomic pointer.
type Catalog struct {
	// Site is the address of the site, without credentials.
	Site string
	// Profiles by name, at least one. Where none is written, it is
	// [DefaultProfile].
	Profiles map[string]*Profile
	// Withheld are operations a curation asked for that no profile serves.
	Withheld []Withheld
	// MadeOf is what it was made of, as far as who made it says so.
	MadeOf *change.MadeOf

	prefix string     // the server's
	passed []Withheld // what else is not served, or not everywhere, for [Catalog.Explain]
	waits  []*waiting // of the lock, also where nothing waits
}

// Withheld is an operation that is not served, and why.
type Withheld struct {
	Operation string `json:"operation"`
	Tool      string `json:"tool,omitempty"`
	// Profile is the one that does not serve it; empty: none does.
	Profile string `json:"profile,omitempty"`
	Reason  string `json:"reason"`
}

// NotPermitted is the reason of what the site's own account may not call.
const NotPermitted = "the site does not let this user call it"

// What the lock keeps from every profile, and why.
const (
	NotApproved  = "it is not approved yet"
	ChangedSince = "the site has changed it since it was approved"
)

// Tool is one operation as a model sees it.
type Tool struct {
	Name        string
	Title       string
	Description string
	// InputSchema is JSON Schema 2020-12 in the curation's dialect: root "type":
	// "object", "properties" always there, no combinator at the root, compact, in
	// a fixed order.
	InputSchema json.RawMessage
	// OutputSchema describes what Result leaves of an answer; nil where nothing is
	// picked. Nothing in it is required.
	OutputSchema json.RawMessage
	Annotations  generate.Annotations
	// Aliases are old names of the tool: it can be called by them, and no list
	// has them.
	Aliases []string
	// Operation is the identity of what the tool calls.
	Operation string
	// Result says how an answer is trimmed.
	Result ResultShape
	// Timeout bounds one call; zero: the server's own.
	Timeout time.Duration
	// Cache is how long an answer may be kept; zero: not at all. Only a tool whose
	// operation reads has one.
	Cache time.Duration
	// Confirm is what a person is asked first, where [Tool.Asks].
	Confirm Confirm
	// Idempotency makes a call that is repeated one; nil: every call is made.
	Idempotency *Idempotency
	// Unmodified makes a call only where nobody has changed what the model read; nil:
	// every call is made.
	Unmodified *Unmodified

	// Headers are the names of the HTTP headers that carry arguments besides, by
	// the model's name of the argument (MCP, x-mcp-header).
	Headers map[string]string

	// What follows nothing enforces yet.

	// Scopes are what a client's token has to be good for (RFC 6749, section
	// 3.3), the tool's own and those of its groups, sorted.
	Scopes []string
	// Calls bounds the calls of one principal; zero: no bound.
	Calls Rate

	op      *generate.Operation
	method  string   // what a call is sent by; op's, but where the lock holds that
	own     []string // arguments that are toolpress's and are never sent
	files   []string // arguments one of which gives an upload its file, where there are several
	trim    wp.Query // what asks the site for no more than Result keeps
	members          // how its arguments are sent
	dialect schema.Dialect
	schema  *schema.Schema // what arguments are checked against
	check   *schema.Check
	record  record // what set all this
}

// MarshalJSON writes the tool as MCP's tools/list does.
func (t *Tool) MarshalJSON() ([]byte, error) { return schema.Encode(t.listed()) }

type listed struct {
	Name         string               `json:"name"`
	Title        string               `json:"title,omitempty"`
	Description  string               `json:"description"`
	InputSchema  json.RawMessage      `json:"inputSchema"`
	OutputSchema json.RawMessage      `json:"outputSchema,omitempty"`
	Annotations  generate.Annotations `json:"annotations"`
}

func (t *Tool) listed() listed {
	return listed{t.Name, t.Title, t.Description, t.InputSchema, t.OutputSchema, t.Annotations}
}

// Encode writes catalog.json: {format, site, made_of, profiles: {NAME: {tools:
// […]}}}, each tool as MCP lists it, with the operation it calls and its old names
// in _meta; two spaces of indent, one final newline. [change.DecodeCatalog] reads
// it.
func (c *Catalog) Encode() ([]byte, error) {
	type meta struct {
		Operation string   `json:"toolpress/operation"`
		Aliases   []string `json:"toolpress/aliases,omitempty"`
	}
	type tool struct {
		listed
		Meta meta `json:"_meta"`
	}
	type profile struct {
		Tools []tool `json:"tools"`
	}
	file := struct {
		Format   string             `json:"format"`
		Site     string             `json:"site"`
		MadeOf   *change.MadeOf     `json:"made_of,omitempty"`
		Profiles map[string]profile `json:"profiles"`
	}{change.CatalogFormat, c.Site, c.MadeOf, map[string]profile{}}
	for name, p := range c.Profiles {
		tools := []tool{}
		for _, t := range p.Tools {
			tools = append(tools, tool{t.listed(), meta{t.Operation, t.Aliases}})
		}
		file.Profiles[name] = profile{tools}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file); err != nil {
		return nil, fmt.Errorf("encoding the catalog: %w", err)
	}
	return b.Bytes(), nil
}
