package generate

import (
	"bytes"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Takes reports that a value is one the schema accepts. Where the schema cannot
// be compiled it takes everything: the site decides.
func (s *Schema) Takes(v any) bool {
	check, err := s.Compile()
	return err != nil || check.Validate(v) == nil
}

// Compile makes what checks values, as encoding/json with UseNumber decodes
// them, against the schema.
func (s *Schema) Compile() (*jsonschema.Schema, error) {
	text, err := Encode(s)
	if err != nil {
		return nil, fmt.Errorf("encoding a schema: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("reading a schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nowhere{})
	if err := c.AddResource("mem:schema", doc); err != nil {
		return nil, fmt.Errorf("compiling a schema: %w", err)
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		return nil, fmt.Errorf("compiling a schema: %w", err)
	}
	return compiled, nil
}

// nowhere loads nothing: no schema makes toolpress read a file or an address.
type nowhere struct{}

// Load implements [jsonschema.URLLoader].
func (nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not loaded", url) }
