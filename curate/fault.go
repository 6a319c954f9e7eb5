package curate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	faultkind "github.com/santhosh-tekuri/jsonschema/v6/kind"

	"toolpress/generate"
)

// explain turns a validation's error into sentences, all faults at once, as far as
// a model can read them.
func explain(err error, root *generate.Schema) Faults {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return Faults{err.Error()}
	}
	var faults Faults
	more := 0
	var visit func(e *jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		switch e.ErrorKind.(type) {
		case *faultkind.AnyOf, *faultkind.OneOf:
			faults = append(faults, place(e.InstanceLocation)+" fits none of the forms the tool takes")
			return
		}
		if len(faults) > maxFaults {
			more++
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
	faults = slices.Compact(faults)
	if more += len(faults) - maxFaults; more > 0 {
		faults = append(faults[:maxFaults], fmt.Sprintf("and %d more faults", more))
	}
	return faults
}

// maxFaults bounds what a model is told at once, maxShown a name in it.
const (
	maxFaults = 20
	maxShown  = 80
	maxNames  = 20
)

// place names an argument as a path: line_items[0].quantity.
func place(location []string) string {
	var b strings.Builder
	for i, part := range location {
		part = generate.CleanText(part, maxShown)
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
		for _, name := range k.Properties[:min(len(k.Properties), maxFaults+1)] {
			out = append(out, unknown(within(name), name, e.InstanceLocation, root))
		}
	case *faultkind.Type:
		var words []string
		for _, w := range k.Want {
			words = append(words, generate.TypeWord(w))
		}
		out = append(out, fmt.Sprintf("%s must be %s, not %s", at, strings.Join(words, " or "), generate.TypeWord(k.Got)))
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
	case len(names) > maxNames:
		fault += "; its arguments are " + strings.Join(names[:maxNames], ", ") + " …"
	case len(names) > 0:
		fault += "; its arguments are " + strings.Join(names, ", ")
	default:
		fault += ", which takes none"
	}
	return fault
}
