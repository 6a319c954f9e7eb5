package schema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"toolpress/generate/clients"
)

// Takes reports that a value is one the schema accepts as it is, with no
// coercion and with every keyword that is published. Where the schema cannot be
// compiled it takes everything: the site decides.
func (s *Schema) Takes(v any) bool {
	c, err := s.compiler()
	if err != nil {
		return true
	}
	compiled, err := c.Compile(location)
	return err != nil || compiled.Validate(v) == nil
}

// Check tells whether a site takes a value, before it is sent. It is safe for
// use by many goroutines.
type Check struct {
	schema   *Schema // without what WordPress does not read
	root     *jsonschema.Schema
	patterns map[string]*regexp.Regexp // all of the schema's
}

// ErrTooMuch is why a value is not checked: it would cost more than any call is
// worth, since many values meet many forms of each.
var ErrTooMuch = errors.New("the arguments are too deep or too many to check: send fewer in one call")

// Compile makes the check of values for the schema. It is not stricter than
// rest_validate_value_from_schema (wp-includes/rest-api.php), which knows no
// allOf, and leaves every format to the site: core checks four of them, and
// takes dates without an offset. docs/validation.md lists what is left.
func (s *Schema) Compile() (*Check, error) {
	check := &Check{schema: s.Clone(), patterns: map[string]*regexp.Regexp{}}
	check.schema.relax()
	check.schema.Visit(func(sub *Schema) {
		if sub.Pattern != "" {
			check.patterns[sub.Pattern], _ = regexp.Compile(sub.Pattern)
		}
	})
	c, err := check.schema.compiler()
	if err != nil {
		return nil, err
	}
	if check.root, err = c.Compile(location); err != nil {
		return nil, fmt.Errorf("compiling a schema: %w", err)
	}
	return check, nil
}

// Validate tells what is wrong with a value that [Check.Coerce] gave. The error
// is a [*jsonschema.ValidationError], or [ErrTooMuch]. A value that has [Excess]
// must not get here.
func (c *Check) Validate(v any) error {
	j := judge{bounded: true, left: maxSteps}
	if j.walk(c.schema, v); j.spent() {
		return ErrTooMuch
	}
	return c.root.Validate(v)
}

// walk takes the steps that validating a value takes at most.
func (j *judge) walk(s *Schema, v any) {
	if s == nil || !j.enter(s) || !s.hasType(v) {
		return
	}
	for _, variant := range s.AnyOf {
		j.walk(variant, v)
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			j.walk(s.Items, item)
		}
	case map[string]any:
		for name, inner := range v {
			if p := s.Property(name); p != nil {
				j.walk(p.Schema, inner)
			} else {
				j.walk(s.Additional, inner)
			}
		}
	}
}

// relax drops what WordPress does not read. A variant without a type has its
// parent's (rest_find_any_matching_schema).
func (s *Schema) relax() {
	if s == nil {
		return
	}
	s.Format, s.AllOf = "", nil
	for _, variant := range s.AnyOf {
		if len(variant.Types) == 0 {
			variant.Types = s.Types
		}
		variant.relax()
	}
	s.Items.relax()
	s.Additional.relax()
	for _, p := range s.Properties {
		p.Schema.relax()
	}
}

// location is where a compiler finds the schema.
const location = "mem:schema"

// compiler makes a compiler that holds the schema and nothing else.
func (s *Schema) compiler() (*jsonschema.Compiler, error) {
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
	c.UseLoader(clients.Nowhere{})
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("compiling a schema: %w", err)
	}
	return c, nil
}
