package generate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"toolpress/generate/schema"
)

// operation describes one operation without its place.
func (d *document) operation(o *Operation) (*openapi3.Operation, error) {
	op := &openapi3.Operation{
		Summary: o.Title, Description: o.Description, Responses: openapi3.NewResponses(),
		Extensions: map[string]any{"x-wp-operation": o.ID},
	}
	op.Responses.Set("2XX", &openapi3.ResponseRef{Ref: "#/components/responses/answer"})
	op.Responses.Set("default", &openapi3.ResponseRef{Ref: "#/components/responses/error"})
	if o.Ability != "" {
		op.Tags = []string{"abilities"}
	} else if o.Namespace != "" {
		op.Tags = []string{o.Namespace}
	}
	if o.plan.input != noInput {
		return op, abilityInput(o, op)
	}
	var inBody []Arg
	for _, a := range o.Args {
		var err error
		switch a.In {
		case InPath:
			err = o.addPathParameter(op, a)
		case InQuery:
			err = addQuery(op, a.Wire, a.Required, a.wireSchema(), a.Style)
		case InBody:
			inBody = append(inBody, a.onWire())
		}
		if err != nil {
			return nil, err
		}
	}
	if isUpload(o.ID) {
		return op, o.addFile(op)
	}
	if len(inBody) == 0 {
		return op, nil
	}
	body := InputSchema(inBody, nil)
	body.Closed = d.closed
	return op, setBody(op, body)
}

// abilityInput describes an ability's one value, input
// (WP_REST_Abilities_V1_Run_Controller). Without one, what has no default is
// refused: an object that may be empty goes in a query as "input=" then.
func abilityInput(o *Operation, op *openapi3.Operation) error {
	input, required, mayBeEmpty := &schema.Schema{}, !o.plan.hasDefault, true
	switch {
	case o.plan.input == wholeInput && len(o.Args) == 0:
		return nil // a curation hides it
	case o.plan.input == wholeInput:
		input, required, mayBeEmpty = o.Args[0].wireSchema(), o.Args[0].Required, false
	default:
		var args []Arg
		for _, a := range o.Args {
			args = append(args, a.onWire())
			mayBeEmpty = mayBeEmpty && !a.Required
		}
		input = InputSchema(args, o.Extra)
		required = required || !mayBeEmpty
	}
	switch {
	case o.Method == "POST":
		return setBody(op, InputSchema([]Arg{{Name: "input", Required: required, Schema: input}}, nil))
	case required && mayBeEmpty:
		input = &schema.Schema{AnyOf: []*schema.Schema{input, {Types: []string{"string"}, Enum: []any{""}}}}
	}
	return addQuery(op, "input", required, input, Auto)
}

// onWire is the argument as the site calls and takes it.
func (a Arg) onWire() Arg {
	return Arg{Name: a.Wire, Required: a.Required, Schema: a.wireSchema()}
}

// wireSchema is the schema of what is sent, where that differs from what is shown.
func (a Arg) wireSchema() *schema.Schema {
	s := a.Schema.Clone()
	s.Visit(func(s *schema.Schema) { // what holds a schema is visited first
		s.Default = s.OnWire(s.Default)
		for i, v := range s.Enum {
			s.Enum[i] = s.OnWire(v)
		}
		for i, p := range s.Properties {
			s.Properties[i].Name = cmp.Or(p.Wire, p.Name)
		}
	})
	if a.Raw {
		return &schema.Schema{Types: []string{"object"}, Properties: []schema.Property{{Name: "raw", Required: a.Required, Schema: s}}}
	}
	return s
}

// addPathParameter describes a placeholder of the route.
func (o *Operation) addPathParameter(op *openapi3.Operation, a Arg) error {
	p, err := newParameter(a.Wire, "path", true, a.Schema)
	if err != nil {
		return err
	}
	p.Extensions = map[string]any{}
	param := o.plan.params[a.Wire]
	if !a.Schema.Is("integer") || !digits.MatchString(param.written) {
		p.Extensions["x-wp-pattern"] = param.written
	}
	if param.spansSlash() {
		p.Extensions["x-wp-slash"] = true
	}
	op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p})
	return nil
}

// newParameter has the schema's description for its own: once is enough.
func newParameter(name, in string, required bool, s *schema.Schema) (*openapi3.Parameter, error) {
	plain := *s
	plain.Description = ""
	projected, err := openAPISchema(&plain)
	if err != nil {
		return nil, err
	}
	return &openapi3.Parameter{Name: name, In: in, Required: required, Description: s.Description, Schema: projected}, nil
}

func setBody(op *openapi3.Operation, s *schema.Schema) error {
	projected, err := openAPISchema(s)
	if err != nil {
		return err
	}
	body := openapi3.NewRequestBody().WithContent(openapi3.Content{"application/json": {Schema: projected}})
	body.Required = slices.ContainsFunc(s.Properties, func(p schema.Property) bool { return p.Required })
	op.RequestBody = &openapi3.RequestBodyRef{Value: body}
	return nil
}

// openAPISchema hands a repaired schema to kin: never what WordPress wrote.
func openAPISchema(s *schema.Schema) (*openapi3.SchemaRef, error) {
	s = s.Clone()
	s.Visit(dropDoubtfulFormat)
	text, err := schema.Encode(s)
	if err != nil {
		return nil, err
	}
	var projected openapi3.Schema
	if err := projected.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("projecting a schema: %w", err)
	}
	return &openapi3.SchemaRef{Value: &projected}, nil
}

// dropDoubtfulFormat drops a format where a default or an enum says what the
// values are: WordPress's times need no offset (rest_parse_date in
// wp-includes/rest-api.php), its defaults may be empty, and who reads OpenAPI
// holds either against the format.
func dropDoubtfulFormat(s *schema.Schema) {
	if s.HasDefault || s.Enum != nil {
		s.Format = ""
	}
}
