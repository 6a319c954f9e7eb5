package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// OpenAPI projects operations to an OpenAPI 3.1 document: keys sorted, two
// spaces of indent, one final newline. What OpenAPI cannot say stands in x-wp
// keys: the identity (x-wp-operation), patterns RE2 cannot read
// (x-wp-pattern), and routes whose paths differ from another's in the name of
// a placeholder only (x-wp-paths, the same shape as paths), and operations that
// could not be projected, with the reason (x-wp-omitted).
func OpenAPI(s *Surface) ([]byte, error) {
	doc := &openapi3.T{
		OpenAPI: "3.1.0",
		Info:    &openapi3.Info{Title: s.Name, Version: "1", Description: "The REST API of " + s.Site + " as toolpress found it."},
		Servers: openapi3.Servers{{URL: strings.TrimSuffix(s.Root, "/")}},
		Paths:   openapi3.NewPaths(),
		Components: &openapi3.Components{SecuritySchemes: openapi3.SecuritySchemes{
			"applicationPassword": {Value: &openapi3.SecurityScheme{Type: "http", Scheme: "basic", Description: "A WordPress application password."}},
		}},
		Security: openapi3.SecurityRequirements{{"applicationPassword": []string{}}},
	}
	if doc.Info.Title == "" {
		doc.Info.Title = s.Site
	}
	d := &document{T: doc, names: map[string]int{}, shapes: map[string]string{}, others: map[string]*openapi3.PathItem{}, omitted: map[string]string{}}
	for _, o := range s.Operations {
		d.names[o.Name]++
	}
	for _, o := range s.Operations {
		if err := d.add(o); err != nil {
			d.omitted[o.ID] = err.Error() // one operation, never the document
		}
	}
	doc.Extensions = map[string]any{}
	if len(d.others) > 0 {
		doc.Extensions["x-wp-paths"] = d.others
	}
	if len(d.omitted) > 0 {
		doc.Extensions["x-wp-omitted"] = d.omitted
	}
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encoding the OpenAPI document: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, fmt.Errorf("encoding the OpenAPI document: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// document is an OpenAPI document in the making.
type document struct {
	*openapi3.T
	names   map[string]int                // proposed names, and how often
	shapes  map[string]string             // paths without placeholder names, and the first path of each
	others  map[string]*openapi3.PathItem // paths whose shape another has
	omitted map[string]string             // operations, and why they are not in it
}

// add projects one operation.
func (d *document) add(o *Operation) error {
	op, err := openAPIOperation(o)
	if err != nil {
		return err
	}
	if d.names[o.Name] == 1 {
		op.OperationID = o.Name
	}
	path := o.openAPIPath()
	shape := placeholder.ReplaceAllString(path, "{}")
	if first, there := d.shapes[shape]; there && first != path {
		if d.others[path] == nil {
			d.others[path] = &openapi3.PathItem{}
		}
		d.others[path].SetOperation(o.Method, op)
		return nil
	}
	d.shapes[shape] = path
	item := d.Paths.Value(path)
	if item == nil {
		item = &openapi3.PathItem{}
		d.Paths.Set(path, item)
	}
	item.SetOperation(o.Method, op)
	return nil
}

// openAPIPath is where an operation is asked, with its placeholders.
func (o *Operation) openAPIPath() string {
	if o.Ability != "" {
		return "/wp-abilities/v1/abilities/" + o.Ability + "/run"
	}
	return o.Route
}

func openAPIOperation(o *Operation) (*openapi3.Operation, error) {
	answer, failure := "What the site answers.", "WordPress's error: code, message and data."
	op := &openapi3.Operation{
		Summary:     o.Title,
		Description: o.Description,
		Responses: openapi3.NewResponses(
			openapi3.WithStatus(200, &openapi3.ResponseRef{Value: &openapi3.Response{Description: &answer}}),
			openapi3.WithName("default", &openapi3.Response{Description: &failure}),
		),
		Extensions: map[string]any{"x-wp-operation": o.ID},
	}
	if o.Ability != "" {
		op.Tags = []string{"abilities"}
	} else if o.Namespace != "" {
		op.Tags = []string{o.Namespace}
	}
	var inBody []Arg
	for _, a := range o.Args {
		switch a.In {
		case InPath, InQuery:
			p, err := parameter(a.Wire, string(a.In), a.Required, a.wireSchema())
			if err != nil {
				return nil, err
			}
			op.Parameters = append(op.Parameters, p)
		case InBody:
			inBody = append(inBody, Arg{Name: a.Wire, Required: a.Required, Schema: a.wireSchema()})
		}
	}
	if o.plan.input != noInput {
		return op, openAPIInput(o, op)
	}
	if len(inBody) > 0 {
		return op, setBody(op, InputSchema(inBody, &Schema{}))
	}
	return op, nil
}

// openAPIInput describes an ability's one value, input.
func openAPIInput(o *Operation, op *openapi3.Operation) error {
	input := &Schema{}
	required := false
	if o.plan.input == wholeInput {
		input, required = o.Args[0].Schema, o.Args[0].Required
	} else {
		var args []Arg
		for _, a := range o.Args {
			args = append(args, Arg{Name: a.Wire, Required: a.Required, Schema: a.wireSchema()})
			required = required || a.Required
		}
		input = InputSchema(args, o.Extra)
	}
	if o.Method == "POST" {
		return setBody(op, InputSchema([]Arg{{Name: "input", Required: required, Schema: input}}, nil))
	}
	p, err := parameter("input", "query", required, input)
	if err != nil {
		return err
	}
	op.Parameters = append(op.Parameters, p)
	return nil
}

// wireSchema is the schema of what is sent, where that differs from what is shown.
func (a Arg) wireSchema() *Schema {
	if a.Raw {
		return &Schema{Types: []string{"object"}, Properties: []Property{{Name: "raw", Schema: a.Schema}}}
	}
	return a.Schema
}

// parameter describes one parameter as PHP reads it: lists as name[]=a&name[]=b,
// objects as name[key]=v.
func parameter(name, in string, required bool, s *Schema) (*openapi3.ParameterRef, error) {
	schema, err := openAPISchema(s)
	if err != nil {
		return nil, err
	}
	p := &openapi3.Parameter{Name: name, In: in, Required: required, Description: s.Description, Schema: schema}
	explode := true
	switch {
	case in == "query" && s.Is("array"):
		p.Name, p.Style, p.Explode = name+"[]", "form", &explode
	case in == "query" && s.Is("object"):
		p.Style, p.Explode = "deepObject", &explode
	}
	return &openapi3.ParameterRef{Value: p}, nil
}

func setBody(op *openapi3.Operation, s *Schema) error {
	schema, err := openAPISchema(s)
	if err != nil {
		return err
	}
	op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithContent(openapi3.Content{"application/json": {Schema: schema}})}
	return nil
}

// openAPISchema hands a repaired schema to kin: never what WordPress wrote.
func openAPISchema(s *Schema) (*openapi3.SchemaRef, error) {
	text, err := Encode(s)
	if err != nil {
		return nil, err
	}
	var schema openapi3.Schema
	if err := schema.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("projecting a schema: %w", err)
	}
	return &openapi3.SchemaRef{Value: &schema}, nil
}
