package curate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	faultkind "github.com/santhosh-tekuri/jsonschema/v6/kind"

	"toolpress/generate/schema"
)

// maxFaults bounds what a model is told at once, maxShown a name in it, and
// maxNames how many names or values a fault lists.
const (
	maxFaults = 20
	maxShown  = 80
	maxNames  = 20
)

// explain turns a validation's error into sentences, all faults at once, as far as
// a model can read them. root is the schema that given was checked against.
func explain(err error, root *schema.Schema, given any) Faults {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return Faults{err.Error()}
	}
	e := explainer{root: root, given: given}
	e.visit(invalid)
	slices.Sort(e.faults)
	e.faults = slices.Compact(e.faults)
	if e.more += len(e.faults) - maxFaults; e.more > 0 {
		e.faults = append(e.faults[:maxFaults], fmt.Sprintf("and %d more faults", e.more))
	}
	return e.faults
}

type explainer struct {
	root   *schema.Schema
	given  any
	faults Faults
	more   int
}

func (e *explainer) visit(v *jsonschema.ValidationError) {
	switch {
	case len(v.Causes) > 0 && !isVariants(v):
		for _, cause := range v.Causes {
			e.visit(cause)
		}
	case len(e.faults) > maxFaults:
		e.more++
	case isVariants(v):
		e.variants(v)
	default:
		e.sentences(v)
	}
}

func isVariants(v *jsonschema.ValidationError) bool {
	_, is := v.ErrorKind.(*faultkind.AnyOf)
	return is
}

// variants explains why no variant of an anyOf takes a value: the types it may
// have, or what is wrong for the only variant of its type.
func (e *explainer) variants(v *jsonschema.ValidationError) {
	var types []string
	var near []*jsonschema.ValidationError
	got := ""
	for _, cause := range v.Causes {
		kind, isType := cause.ErrorKind.(*faultkind.Type)
		if !isType || len(cause.InstanceLocation) != len(v.InstanceLocation) {
			near = append(near, cause)
			continue
		}
		got = kind.Got
		for _, t := range kind.Want {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	if len(near) > 1 {
		near = slices.DeleteFunc(near, func(cause *jsonschema.ValidationError) bool { return ofAnotherKind(cause, len(v.InstanceLocation)) })
	}
	switch {
	case len(near) == 1:
		e.visit(near[0])
	case len(near) == 0 && got != "":
		e.wrongType(v.InstanceLocation, types, got)
	default:
		e.say(v.InstanceLocation, "fits none of the forms the tool takes")
	}
}

// ofAnotherKind reports that a variant is not meant: a property of the value,
// which is so many levels deep, has a value of another variant's enum.
func ofAnotherKind(v *jsonschema.ValidationError, depth int) bool {
	if _, is := v.ErrorKind.(*faultkind.Enum); is && len(v.InstanceLocation) == depth+1 {
		return true
	}
	return slices.ContainsFunc(v.Causes, func(cause *jsonschema.ValidationError) bool { return ofAnotherKind(cause, depth) })
}

func (e *explainer) say(at []string, format string, args ...any) {
	e.faults = append(e.faults, place(at)+" "+fmt.Sprintf(format, args...))
}

func (e *explainer) sentences(v *jsonschema.ValidationError) {
	at := v.InstanceLocation
	switch k := v.ErrorKind.(type) {
	case *faultkind.Required:
		for _, name := range k.Missing {
			e.say(below(at, name), "is required")
		}
	case *faultkind.AdditionalProperties:
		slices.Sort(k.Properties)
		for _, name := range k.Properties[:min(len(k.Properties), maxFaults+1)] {
			e.faults = append(e.faults, unknown(below(at, name), e.root))
		}
	case *faultkind.Type:
		e.wrongType(at, k.Want, k.Got)
	case *faultkind.Enum:
		e.say(at, "must be one of %s, not %s%s", allowed(k.Want, k.Got), brief(k.Got), e.leaveOut(at))
	case *faultkind.Pattern:
		e.say(at, "must match %s, not %s%s", k.Want, brief(k.Got), e.leaveOut(at))
	case *faultkind.UniqueItems:
		e.say(at, "must not hold an item twice: items %d and %d are alike", k.Duplicates[0], k.Duplicates[1])
	default:
		e.say(at, "%s", bound(v.ErrorKind))
	}
}

func (e *explainer) wrongType(at, want []string, got string) {
	var words []string
	for _, t := range want {
		words = append(words, schema.TypeWord(t))
	}
	word := schema.TypeWord(got)
	if e.saysNull(at) {
		word = `the text "null"`
	}
	e.say(at, "must be %s, not %s%s", strings.Join(words, " or "), word, cmp.Or(e.leaveOut(at), e.quoted(at)))
}

// quoted is how a number is written where text is wanted, as for money: with the
// digits it has.
func (e *explainer) quoted(at []string) string {
	n, isNumber := e.value(at).(json.Number)
	if s := schemaAt(e.root, at); !isNumber || s == nil || !s.Takes(n.String()) {
		return ""
	}
	return ": write " + brief(n.String())
}

// saysNull reports that the value at a place is the text "null", which some
// clients send for what they mean to leave out (G42).
func (e *explainer) saysNull(at []string) bool { return e.value(at) == "null" }

// value is what was given at a place; nil where nothing was.
func (e *explainer) value(at []string) any {
	v := e.given
	for _, part := range at {
		switch in := v.(type) {
		case map[string]any:
			v = in[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		}
	}
	return v
}

// leaveOut is what to do about the text "null" where nothing has to be.
func (e *explainer) leaveOut(at []string) string {
	if len(at) == 0 || !e.saysNull(at) {
		return ""
	}
	holder := schemaAt(e.root, at[:len(at)-1])
	if holder == nil || holder.Property(at[len(at)-1]) == nil || holder.Property(at[len(at)-1]).Required {
		return ""
	}
	return "; leave it out instead"
}

// schemaAt is the schema of the value at a place, in the first variant that has
// the place; nil where none has.
func schemaAt(s *schema.Schema, at []string) *schema.Schema {
	if s == nil || len(at) == 0 {
		return s
	}
	var next *schema.Schema
	switch p := s.Property(at[0]); {
	case p != nil:
		next = p.Schema
	case s.Items != nil && isIndex(at[0]):
		next = s.Items
	default:
		next = s.Additional
	}
	if found := schemaAt(next, at[1:]); found != nil {
		return found
	}
	for _, v := range s.AnyOf {
		if found := schemaAt(v, at); found != nil {
			return found
		}
	}
	return nil
}

// bound is what a value has to be to lie within its schema's bounds.
func bound(kind jsonschema.ErrorKind) string {
	switch k := kind.(type) {
	case *faultkind.Minimum:
		return fmt.Sprintf("must be %s or more", k.Want.RatString())
	case *faultkind.Maximum:
		return fmt.Sprintf("must be %s or less", k.Want.RatString())
	case *faultkind.ExclusiveMinimum:
		return fmt.Sprintf("must be more than %s", k.Want.RatString())
	case *faultkind.ExclusiveMaximum:
		return fmt.Sprintf("must be less than %s", k.Want.RatString())
	case *faultkind.MultipleOf:
		return fmt.Sprintf("must be a multiple of %s", k.Want.RatString())
	case *faultkind.MinLength:
		return fmt.Sprintf("must have at least %d characters", k.Want)
	case *faultkind.MaxLength:
		return fmt.Sprintf("must have at most %d characters, and has %d", k.Want, k.Got)
	case *faultkind.MinItems:
		return fmt.Sprintf("must have at least %d items", k.Want)
	case *faultkind.MaxItems:
		return fmt.Sprintf("must have at most %d items, and has %d", k.Want, k.Got)
	case *faultkind.MinProperties:
		return fmt.Sprintf("must have at least %d properties", k.Want)
	case *faultkind.MaxProperties:
		return fmt.Sprintf("must have at most %d properties, and has %d", k.Want, k.Got)
	}
	return "does not fit the tool's input schema"
}
