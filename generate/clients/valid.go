package clients

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// The drafts that clients hold a schema against.
var draft2020, draft7 = jsonschema.Draft2020, jsonschema.Draft7

// valid reports what of a schema is not valid by a draft.
func (t *Tool) valid(draft *jsonschema.Draft, report func(path, what string)) {
	invalid(compile(t.Input, draft), func(at []string, what string) { report(dotted("inputSchema", at), what) })
}

// invalid reports each fault of a schema that does not compile.
func invalid(err error, report func(at []string, what string)) {
	var schema *jsonschema.SchemaValidationError
	if errors.As(err, &schema) {
		err = schema.Err
	}
	var faults *jsonschema.ValidationError
	switch {
	case err == nil:
	case errors.As(err, &faults):
		for _, f := range leaves(faults) {
			report(f.InstanceLocation, f.ErrorKind.LocalizedString(english))
		}
	default:
		report(nil, firstLine(err.Error()))
	}
}

var english = message.NewPrinter(language.English)

// leaves are the faults that others are made of.
func leaves(e *jsonschema.ValidationError) (all []*jsonschema.ValidationError) {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// dotted is a place in a schema as [Refusal] has it: without the keyword
// properties, but with properties of that name.
func dotted(path string, at []string) string {
	for i := 0; i < len(at); i++ {
		if at[i] == "properties" && i+1 < len(at) {
			i++
		}
		path += "." + at[i]
	}
	return path
}

func compile(v any, draft *jsonschema.Draft) error {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(nowhere{})
	if err := c.AddResource("mem:schema", v); err != nil {
		return err
	}
	_, err := c.Compile("mem:schema")
	return err
}

// nowhere loads nothing: no schema makes a check read a file or an address.
type nowhere struct{}

// Load implements [jsonschema.URLLoader].
func (nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not loaded", url) }

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
