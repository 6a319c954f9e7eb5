package curate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
}

// Profile is the list of tools one endpoint serves.
type Profile struct {
	Name string
	// Tools in the bytewise order of their names.
	Tools []*Tool
	// Instructions are the server's, for the model; may be empty.
	Instructions string
	// RequireScopes are what a client's token has to be good for (RFC 6749,
	// section 3.3), where tokens have scopes.
	RequireScopes []string
	// TokenEnv name the environment variables that hold the bearer tokens of
	// this endpoint: one of them opens it, and no other token does. Empty: the
	// server's own.
	TokenEnv []Text
	// Auth is as whom the profile's calls are made; zero: as the server's.
	Auth Auth
}

// ProfileNames are the names of the profiles, the default first and then in
// bytewise order.
func (c *Catalog) ProfileNames() []string {
	return slices.SortedFunc(maps.Keys(c.Profiles), func(a, b string) int {
		if (a == DefaultProfile) != (b == DefaultProfile) {
			return map[bool]int{true: -1, false: 1}[a == DefaultProfile]
		}
		return strings.Compare(a, b)
	})
}

// serves reports that a profile has a tool after all.
func (c *Catalog) serves(w Withheld) bool {
	for _, p := range c.Profiles {
		if t := p.Tool(w.Tool); t != nil && t.Operation == w.Operation {
			return true
		}
	}
	return false
}

// Tool returns the named tool, or nil.
func (p *Profile) Tool(name string) *Tool {
	for _, t := range p.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Called returns the tool that a call by this name reaches: by its name, else by
// an alias; or nil.
func (p *Profile) Called(name string) *Tool {
	if t := p.Tool(name); t != nil {
		return t
	}
	for _, t := range p.Tools {
		if slices.Contains(t.Aliases, name) {
			return t
		}
	}
	return nil
}

// Withheld is an operation that is not served, and why.
type Withheld struct {
	Operation string `json:"operation"`
	Tool      string `json:"tool,omitempty"`
	Reason    string `json:"reason"`
}

// NotPermitted is the reason of what the credential may not call.
const NotPermitted = "the site does not let this user call it"

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

	op *generate.Operation
	// renamed pairs the model's name of each visible argument with the
	// operation's; fixed and defaults are values by the operation's name.
	renamed [][2]string
	fixed   []fixedValue
	// reserved are the operation's names that the model does not see: what is
	// hidden, fixed or renamed cannot be sent under them.
	reserved []string
	defaults []fixedValue
	dialect  schema.Dialect
	schema   *schema.Schema // what arguments are checked against
	check    *schema.Check
}

// fixedValue is a value that is sent without being asked for.
type fixedValue struct {
	arg   string
	value any
}

// ResultShape trims an answer before a model sees it.
type ResultShape struct {
	// Pick are the dotted paths kept of an object, or of each item of a list.
	// Empty keeps everything.
	Pick []string
	// MaxBytes bounds the JSON of the result.
	MaxBytes int
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

// Tokens estimates what the tool takes of a model's context: four bytes of its
// JSON to a token. The output schema is the client's and goes to no model: no
// model API has a place for it.
func (t *Tool) Tokens() int {
	seen := t.listed()
	seen.OutputSchema = nil
	text, err := schema.Encode(seen)
	if err != nil {
		return 0
	}
	return Tokens(len(text))
}

// Tokens estimates the tokens of so many bytes of JSON.
func Tokens(bytes int) int { return (bytes + 3) / 4 }

// Tokens estimates what all tools of the profile take.
func (p *Profile) Tokens() int {
	sum := 0
	for _, t := range p.Tools {
		sum += t.Tokens()
	}
	return sum
}

// CatalogFormat begins every catalog.json.
const CatalogFormat = "toolpress/catalog/1"

// Encode writes catalog.json: {format, site, profiles: {NAME: {tools: […]}}},
// each tool as MCP lists it, with the operation it calls in _meta; two spaces
// of indent, one final newline.
func (c *Catalog) Encode() ([]byte, error) {
	type tool struct {
		listed
		Meta map[string]string `json:"_meta"`
	}
	type profile struct {
		Tools []tool `json:"tools"`
	}
	file := struct {
		Format   string             `json:"format"`
		Site     string             `json:"site"`
		Profiles map[string]profile `json:"profiles"`
	}{CatalogFormat, c.Site, map[string]profile{}}
	for name, p := range c.Profiles {
		tools := []tool{}
		for _, t := range p.Tools {
			tools = append(tools, tool{t.listed(), map[string]string{"toolpress/operation": t.Operation}})
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

// Raw estimates what a surface would be without curation: one tool for each
// operation, and their tokens.
func Raw(s *generate.Surface) (tools, tokens int) {
	for _, o := range s.Operations {
		input, err := schema.Encode(generate.InputSchema(o.Args, o.Extra).In(schema.Common))
		if err != nil {
			continue
		}
		t := Tool{Name: o.Name, Title: o.Title, Description: o.Description, InputSchema: input, Annotations: o.Annotations}
		tools++
		tokens += t.Tokens()
	}
	return tools, tokens
}
