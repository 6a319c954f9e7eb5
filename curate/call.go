package curate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	faultkind "github.com/santhosh-tekuri/jsonschema/v6/kind"

	"toolpress/discover/wp"
	"toolpress/generate"
)

// Faults are everything wrong with a call's arguments, one sentence each, in
// the model's own argument names. It is an error a model can mend.
type Faults []string

// Error joins the faults.
func (f Faults) Error() string { return strings.Join(f, "; ") }

// compile fixes the tool's input schema and what checks arguments against it.
func (t *Tool) compile(args []generate.Arg, extra *generate.Schema) error {
	generate.SortArgs(args)
	t.schema = generate.InputSchema(args, extra)
	text, err := generate.Encode(t.schema)
	if err != nil {
		return fmt.Errorf("encoding its input schema: %w", err)
	}
	t.InputSchema = text
	t.check, err = compileSchema(t.schema)
	return err
}

func compileSchema(s *generate.Schema) (*jsonschema.Schema, error) {
	text, err := generate.Encode(s)
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

func (nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not loaded", url) }

// Request checks the arguments a model sent (a JSON object, or nothing) and
// builds what is asked of the site. The error is [Faults] when the model can
// mend it.
func (t *Tool) Request(arguments json.RawMessage) (wp.Request, error) {
	given, err := object(arguments)
	if err != nil {
		return wp.Request{}, Faults{err.Error()}
	}
	for _, p := range t.schema.Properties {
		// null for what may be left out is how some clients leave it out.
		if v, there := given[p.Name]; there && v == nil && !p.Required && !(len(p.Schema.Types) == 0 || slices.Contains(p.Schema.Types, "null")) {
			delete(given, p.Name)
		}
	}
	if err := t.check.Validate(map[string]any(given)); err != nil {
		return wp.Request{}, explain(err, t.schema)
	}
	values := map[string]any{}
	for _, d := range t.defaults {
		values[d.arg] = d.value
	}
	for _, pair := range t.renamed {
		if v, there := given[pair[0]]; there {
			values[pair[1]] = v
			delete(given, pair[0])
		}
	}
	for name, v := range given { // only an open ability has any left
		if t.op.Arg(name) == nil {
			values[name] = v
		}
	}
	for _, f := range t.fixed {
		values[f.arg] = f.value
	}
	r, err := t.op.Request(values)
	var wrong *generate.ArgumentError
	if errors.As(err, &wrong) {
		return wp.Request{}, Faults{t.modelName(wrong.Name) + " " + wrong.Err.Error()}
	}
	return r, err
}

// modelName is what the model calls an operation's argument.
func (t *Tool) modelName(arg string) string {
	for _, pair := range t.renamed {
		if pair[1] == arg {
			return pair[0]
		}
	}
	return arg
}

// ArgumentName is what the model calls an argument that the site calls wire;
// wire itself where the model does not see it.
func (t *Tool) ArgumentName(wire string) string {
	for _, a := range t.op.Args {
		if a.Wire == wire {
			return t.modelName(a.Name)
		}
	}
	return wire
}

// object reads arguments as values whose numbers keep their digits.
func object(arguments json.RawMessage) (map[string]any, error) {
	given := map[string]any{}
	if len(bytes.TrimSpace(arguments)) == 0 {
		return given, nil
	}
	dec := json.NewDecoder(bytes.NewReader(arguments))
	dec.UseNumber()
	if err := dec.Decode(&given); err != nil {
		return nil, errors.New("the arguments must be a JSON object")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the arguments must be one JSON object")
	}
	if given == nil { // null
		given = map[string]any{}
	}
	return given, nil
}

// explain turns a validation's error into sentences, all faults at once.
func explain(err error, root *generate.Schema) Faults {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return Faults{err.Error()}
	}
	var faults Faults
	var visit func(e *jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		switch e.ErrorKind.(type) {
		case *faultkind.AnyOf, *faultkind.OneOf:
			faults = append(faults, place(e.InstanceLocation)+" fits none of the forms the tool takes")
			return
		}
		if len(e.Causes) == 0 {
			faults = append(faults, sentences(e, root)...)
		}
		for _, cause := range e.Causes {
			visit(cause)
		}
	}
	visit(invalid)
	slices.Sort(faults)
	return slices.Compact(faults)
}

// place names an argument as a path: line_items[0].quantity.
func place(location []string) string {
	var b strings.Builder
	for i, part := range location {
		switch {
		case strings.Trim(part, "0123456789") == "" && i > 0:
			b.WriteString("[" + part + "]")
		case i > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	if b.Len() == 0 {
		return "the arguments"
	}
	return b.String()
}

func sentences(e *jsonschema.ValidationError, root *generate.Schema) []string {
	at := place(e.InstanceLocation)
	within := func(name string) string { return place(append(slices.Clone(e.InstanceLocation), name)) }
	var out []string
	switch k := e.ErrorKind.(type) {
	case *faultkind.Required:
		for _, name := range k.Missing {
			out = append(out, within(name)+" is required")
		}
	case *faultkind.AdditionalProperties:
		for _, name := range k.Properties {
			out = append(out, unknown(within(name), name, e.InstanceLocation, root))
		}
	case *faultkind.Type:
		var words []string
		for _, w := range k.Want {
			words = append(words, typeWord(w))
		}
		out = append(out, fmt.Sprintf("%s must be %s, not %s", at, strings.Join(words, " or "), typeWord(k.Got)))
	case *faultkind.Enum:
		list, _ := generate.Encode(k.Want)
		got, _ := generate.Encode(k.Got)
		out = append(out, fmt.Sprintf("%s must be one of %s, not %.80s", at, bytes.Trim(list, "[]"), got))
	case *faultkind.Minimum:
		out = append(out, fmt.Sprintf("%s must be %s or more", at, k.Want.RatString()))
	case *faultkind.Maximum:
		out = append(out, fmt.Sprintf("%s must be %s or less", at, k.Want.RatString()))
	case *faultkind.MinLength:
		out = append(out, fmt.Sprintf("%s must have at least %d characters", at, k.Want))
	case *faultkind.MaxLength:
		out = append(out, fmt.Sprintf("%s must have at most %d characters, and has %d", at, k.Want, k.Got))
	case *faultkind.MinItems:
		out = append(out, fmt.Sprintf("%s must have at least %d items", at, k.Want))
	case *faultkind.MaxItems:
		out = append(out, fmt.Sprintf("%s must have at most %d items, and has %d", at, k.Want, k.Got))
	case *faultkind.Pattern:
		out = append(out, fmt.Sprintf("%s must match %s", at, k.Want))
	default:
		out = append(out, at+" does not fit the tool's input schema")
	}
	return out
}

// unknown says what an argument that does not exist may have been meant to be.
func unknown(at, name string, within []string, root *generate.Schema) string {
	if len(within) > 0 {
		return at + " is not a property the tool takes"
	}
	var names []string
	for _, p := range root.Properties {
		names = append(names, p.Name)
	}
	fault := at + " is not an argument of this tool"
	switch hint := nearest(name, names); {
	case hint != "":
		fault += "; did you mean " + hint + "?"
	case len(names) > 0:
		fault += "; its arguments are " + strings.Join(names, ", ")
	default:
		fault += ", which takes none"
	}
	return fault
}

// ArgumentSchema is the schema of an argument by the model's name of it; nil
// when there is none.
func (t *Tool) ArgumentSchema(name string) *generate.Schema {
	if p := t.schema.Property(name); p != nil {
		return p.Schema
	}
	return nil
}
