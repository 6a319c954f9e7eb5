package clients

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// The drafts that clients hold a schema against.
var draft2020, draft7 = jsonschema.Draft2020, jsonschema.Draft7

// valid reports what of a schema is not valid by a draft.
func (t *Tool) valid(draft *jsonschema.Draft, report reporter) {
	invalid(compile(t.Input, draft), func(at []string, what string) { report(spot{dotted(input.path, at), pointer(at...)}, what) })
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
		for _, f := range inOrder(leaves(faults)) {
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

// inOrder are faults by their places and what they say: a validator finds them in
// the order that Go's maps have.
func inOrder(faults []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	return slices.SortedFunc(slices.Values(faults), func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(slices.Compare(a.InstanceLocation, b.InstanceLocation), cmp.Compare(a.ErrorKind.LocalizedString(english), b.ErrorKind.LocalizedString(english)))
	})
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

// compile compiles a schema by a draft, whatever draft it says that it is of.
func compile(v any, draft *jsonschema.Draft) error {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(Nowhere{})
	c.UseRegexpEngine(pattern)
	if err := c.AddResource("mem:schema", holdable(undated(v), new(int))); err != nil {
		return err
	}
	_, err := c.Compile("mem:schema")
	return err
}

// undated is a schema without $schema, at any depth.
func undated(v any) any {
	node, isSchema := v.(map[string]any)
	if !isSchema {
		return v
	}
	c := maps.Clone(node)
	delete(c, "$schema")
	for _, keyword := range namedSchemas {
		if named, isMap := c[keyword].(map[string]any); isMap {
			all := maps.Clone(named)
			for name, inner := range all {
				all[name] = undated(inner)
			}
			c[keyword] = all
		}
	}
	for _, keyword := range soleSchemas {
		if inner, there := c[keyword]; there {
			c[keyword] = undated(inner)
		}
	}
	for _, keyword := range listedSchemas {
		if list, isList := c[keyword].([]any); isList {
			all := slices.Clone(list)
			for i := range all {
				all[i] = undated(all[i])
			}
			c[keyword] = all
		}
	}
	return c
}

// holdable is a value with another number in place of each that no client holds,
// each another: whether a schema is valid does not hang on which it is, and a check
// of 1e-999999 is exact, at the cost of a million digits. count is how many there were.
func holdable(v any, count *int) any {
	switch v := v.(type) {
	case json.Number:
		mantissa, _, _ := strings.Cut(strings.ToLower(v.String()), "e")
		if f, err := v.Float64(); err != nil || f == 0 && strings.Trim(mantissa, "-.0") != "" || len(v) > 400 {
			*count++
			return json.Number(strconv.Itoa(unlikely + *count))
		}
	case []any:
		all := slices.Clone(v)
		for i := range all {
			all[i] = holdable(all[i], count)
		}
		return all
	case map[string]any:
		all := maps.Clone(v)
		for name, inner := range all {
			all[name] = holdable(inner, count)
		}
		return all
	}
	return v
}

// unlikely is a number that no schema has.
const unlikely = 7_041_800_000

// pattern takes every expression that ECMAScript might, which RE2 cannot tell of
// one that looks ahead. It refuses what is wrong to both.
func pattern(text string) (jsonschema.Regexp, error) {
	_, err := syntax.Parse(text, syntax.Perl)
	var wrong *syntax.Error
	if errors.As(err, &wrong) && slices.Contains(wrongToAll, wrong.Code) {
		return nil, err
	}
	return unmatched(text), nil
}

var wrongToAll = []syntax.ErrorCode{
	syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash,
	syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp, syntax.ErrInvalidCharRange,
}

// unmatched is an expression that nothing is matched against.
type unmatched string

// MatchString implements [jsonschema.Regexp].
func (unmatched) MatchString(string) bool { return true }

// String implements [jsonschema.Regexp].
func (u unmatched) String() string { return string(u) }

// Nowhere loads nothing: no schema makes toolpress read a file or an address.
type Nowhere struct{}

// Load implements [jsonschema.URLLoader].
func (Nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not loaded", url) }

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
