package generate

import (
	"errors"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// Operation is one thing the site could be asked to do.
type Operation struct {
	// ID is the identity everything else is keyed by: "GET /wp/v2/posts/{id}"
	// or "ability:acme/search". It never depends on a generated name.
	ID string
	// Name is the proposed tool name; it depends on the identity alone, and on
	// whether the endpoint pages or edits, never on a neighbour.
	Name        string
	Title       string
	Description string

	// Method is what is sent. Namespace and Route are empty for an ability;
	// Ability and Category for a route.
	Method    string
	Namespace string
	Route     string
	Ability   string
	Category  string
	// Spellings are the methods of the route that mean this operation: POST,
	// PUT and PATCH on one endpoint are the same callback.
	Spellings []string
	// AgentOptOut is an ability's own meta.mcp.public: false.
	AgentOptOut bool
	// Plumbing says why the operation is of use to other software only; empty
	// where it is not. Nothing that chooses many operations at once takes it.
	Plumbing string
	// SameAs is the ID of an ability that does the same as this route; empty
	// where none is known. Of the two, a tool should be the ability.
	SameAs string

	Args []Arg
	// Extra describes further arguments that an ability's input takes beside
	// the named ones; nil takes none.
	Extra       *schema.Schema
	Annotations Annotations
	// Object is what a route's own schema says of its answer; zero for an ability.
	Object Object
	// Unsaid marks an ability that writes and whose author does not say whether it
	// may destroy something: Annotations assume that it may.
	Unsaid  bool
	Repairs []schema.Repair

	plan plan
	// answer are the properties of what a route answers, as the site wrote them.
	answer map[string]any
}

// Arg is one argument of an operation.
type Arg struct {
	// Name is safe for every client: ^[a-zA-Z_][a-zA-Z0-9_]{0,63}$. Wire is what the
	// site calls it.
	Name string
	Wire string
	In   Place
	// Required says that the site refuses a call without it.
	Required bool
	Schema   *schema.Schema
	// Raw says that the site takes an object with this value as its "raw".
	Raw bool
	// Style is how a query writes it.
	Style Style
}

// ArgumentError is an argument whose value cannot be sent.
type ArgumentError struct {
	// Name is the argument's own, as in [Arg].
	Name string
	Err  error
}

// Error begins with the argument's name: "id must match ^[\d]+$".
func (e *ArgumentError) Error() string { return e.Name + " " + e.Err.Error() }

// Unwrap returns what is wrong, without the name.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Place is where an argument travels.
type Place string

// The places of an argument. Whole is an ability's input that is not an
// object: the one argument is the input itself. InFile and InFilename are an
// upload's: the body, in base64, and its name; InFilePath and InFileAddress say
// where the body is instead ([Sources]).
const (
	InPath        Place = "path"
	InQuery       Place = "query"
	InBody        Place = "body"
	InInput       Place = "input"
	Whole         Place = "whole input"
	InFile        Place = "file"
	InFilename    Place = "file name"
	InFilePath    Place = "file path"
	InFileAddress Place = "file address"
)

// Annotations are MCP's tool hints, always explicit.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Arg returns the argument of that name, or nil.
func (o *Operation) Arg(name string) *Arg {
	for i := range o.Args {
		if o.Args[i].Name == name {
			return &o.Args[i]
		}
	}
	return nil
}

// Sendable tells why a value of an argument cannot be sent, without its name;
// nil when it can.
func (o *Operation) Sendable(a Arg, v any) error {
	var err error
	switch {
	case a.In == InPath:
		_, err = o.plan.pathValue(a, a.wire(v))
	case a.In == InQuery, o.sendsQuery():
		err = a.sendable(v)
	case a.In == InFile:
		_, err = content(a, v)
	case a.In == InFilename:
		_, err = filename(a, v)
	case a.In == InFilePath, a.In == InFileAddress:
		_, err = o.source(a, v)
	}
	var wrong *ArgumentError
	if errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}

// Request builds the call from values by argument name, as encoding/json with
// UseNumber decodes them. The error is an [*ArgumentError].
func (o *Operation) Request(values map[string]any) (wp.Request, error) {
	return o.plan.request(o, values)
}
