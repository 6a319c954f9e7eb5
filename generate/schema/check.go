package schema

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
	schema *Schema // without what WordPress does not read
	root   *jsonschema.Schema
	// variants are the compiled members of every anyOf.
	variants map[*Schema]*jsonschema.Schema
}

// Compile makes the check of values for the schema. It is not stricter than
// rest_validate_value_from_schema (wp-includes/rest-api.php), which knows no
// allOf, and leaves every format to the site: core checks four of them, and
// takes dates without an offset. docs/validation.md lists what is left.
func (s *Schema) Compile() (*Check, error) {
	check := &Check{schema: s.Clone(), variants: map[*Schema]*jsonschema.Schema{}}
	check.schema.relax()
	c, err := check.schema.compiler()
	if err != nil {
		return nil, err
	}
	if check.root, err = c.Compile(location); err != nil {
		return nil, fmt.Errorf("compiling a schema: %w", err)
	}
	return check, check.compileVariants(c, check.schema, location+"#")
}

// Validate tells what is wrong with a value that [Check.Coerce] gave. The error
// is a [*jsonschema.ValidationError]. A value that has [Excess] must not get here.
func (c *Check) Validate(v any) error { return c.root.Validate(v) }

func (c *Check) compileVariants(compiler *jsonschema.Compiler, s *Schema, at string) error {
	var err error
	s.each(func(pointer string, sub *Schema) {
		if err == nil && strings.HasPrefix(pointer, "/anyOf/") {
			c.variants[sub], err = compiler.Compile(at + pointer)
		}
		if err == nil {
			err = c.compileVariants(compiler, sub, at+pointer)
		}
	})
	return err
}

// relax drops what WordPress does not read. A variant without a type has its
// parent's (rest_find_any_matching_schema).
func (s *Schema) relax() {
	s.Format, s.AllOf = "", nil
	for _, variant := range s.AnyOf {
		if len(variant.Types) == 0 {
			variant.Types = s.Types
		}
	}
	s.each(func(_ string, sub *Schema) { sub.relax() })
}

// each visits the schemas directly below that are about a value WordPress reads,
// with their JSON pointers.
func (s *Schema) each(visit func(pointer string, sub *Schema)) {
	if s.Items != nil {
		visit("/items", s.Items)
	}
	for _, p := range s.Properties {
		visit("/properties/"+url.PathEscape(pointerEscapes.Replace(p.Name)), p.Schema)
	}
	if s.Additional != nil && !s.Closed {
		visit("/additionalProperties", s.Additional)
	}
	for i, variant := range s.AnyOf {
		visit("/anyOf/"+strconv.Itoa(i), variant)
	}
}

// pointerEscapes are those of RFC 6901.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

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
	c.UseLoader(nowhere{})
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("compiling a schema: %w", err)
	}
	return c, nil
}

// nowhere loads nothing: no schema makes toolpress read a file or an address.
type nowhere struct{}

// Load implements [jsonschema.URLLoader].
func (nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not loaded", url) }
