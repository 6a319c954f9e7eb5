package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"toolpress/discover/wp"
)

// plan is how a call reaches the site: a route's path with its placeholders,
// or an ability's run with the form of its input.
type plan struct {
	own    *siteRoute
	params map[string]*param
	// among are the routes of the site, to which a value must not lead; nil
	// where the path has no placeholder.
	among *neighbours

	ability    []string
	input      inputForm
	hasDefault bool // the ability's input schema has one
}

// inputForm is what an ability takes.
type inputForm int

const (
	noInput     inputForm = iota // no input_schema: any input at all is refused
	objectInput                  // an object: the arguments are its properties
	wholeInput                   // any other value: the one argument is it
)

func (p plan) request(o *Operation, values map[string]any) (wp.Request, error) {
	if p.ability != nil {
		return p.run(o, values)
	}
	r := wp.Request{Method: o.Method}
	body := map[string]any{}
	inPath := map[string]string{}
	for _, a := range o.Args {
		v, there := values[a.Name]
		if !there {
			if a.In == InPath {
				return wp.Request{}, wrong(a, "is required")
			}
			continue
		}
		v = a.wire(v)
		switch {
		case a.In == InPath:
			text, err := p.pathValue(a, v)
			if err != nil {
				return wp.Request{}, err
			}
			inPath[a.Wire] = text
		case a.In == InQuery && empty(v):
			// "categories=" is not the empty list to every route: nothing is.
		case a.In == InQuery:
			r.Query = append(r.Query, wp.Param{Name: a.Wire, Value: v})
			if err := sendable(a.Name, r.Query[len(r.Query)-1]); err != nil {
				return wp.Request{}, err
			}
		default:
			body[a.Wire] = v
		}
	}
	if len(body) > 0 {
		r.Body = body
	}
	var err error
	r.Segments, err = p.segments(o, inPath)
	return r, err
}

func wrong(a Arg, what string) error { return &ArgumentError{Name: a.Name, Err: errors.New(what)} }

// empty reports an empty list or object.
func empty(v any) bool {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	return isList && len(list) == 0 || isObject && len(object) == 0
}

// sendable finds what a query cannot carry while the argument is still known.
func sendable(name string, p wp.Param) error {
	_, err := (wp.Query{p}).Encode()
	var unsent *wp.ParamError
	switch {
	case errors.As(err, &unsent):
		return &ArgumentError{Name: name, Err: errors.New("cannot be sent: " + unsent.What)}
	case err != nil:
		return &ArgumentError{Name: name, Err: err}
	}
	return nil
}

// wire is the value as the site takes it: properties under the site's own names.
func (a Arg) wire(v any) any {
	v = a.Schema.wire(v)
	if a.Raw {
		return map[string]any{"raw": v}
	}
	return v
}

// pathValue is a value as the text of its placeholder, checked against the
// route's own pattern.
func (p plan) pathValue(a Arg, v any) (string, error) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
		if whole, ok := new(big.Rat).SetString(text); ok && len(text) < 100 && whole.IsInt() {
			text = whole.Num().String() // 12.0 and 1.2e1 are 12
		}
	default:
		return "", wrong(a, "must be text or a number")
	}
	if len(text) > maxPathValue {
		return "", wrong(a, fmt.Sprintf("must not be longer than %d bytes", maxPathValue))
	}
	if re := p.params[a.Wire].re(); re != nil && !re.MatchString(text) {
		return "", wrong(a, "must match ^(?:"+p.params[a.Wire].written+")$")
	}
	if strings.Contains(text, "/") && !p.params[a.Wire].spansSlash() {
		return "", wrong(a, "must not hold a slash")
	}
	if strings.HasPrefix(text, "/") || strings.HasSuffix(text, "/") {
		return "", wrong(a, "must not begin or end with a slash")
	}
	for part := range strings.SplitSeq(text, "/") {
		if part == "" && text != "" {
			continue // core takes theme/home for theme//home, which servers fold
		}
		if err := wp.CheckSegment(part); err != nil {
			return "", &ArgumentError{Name: a.Name, Err: err}
		}
	}
	return text, nil
}

// run builds an ability's call
// (WP_REST_Abilities_V1_Run_Controller::get_input_from_request).
func (p plan) run(o *Operation, values map[string]any) (wp.Request, error) {
	r := wp.Request{Method: o.Method, Segments: append(append([]string{"wp-abilities", "v1", "abilities"}, p.ability...), "run")}
	input, there := p.value(o, values)
	inQuery := o.Method == "GET" || o.Method == "DELETE"
	switch {
	case p.input == noInput || !there:
	case inQuery && p.input == objectInput && len(input.(map[string]any)) == 0:
		// With a default in the schema, nothing at all means the default.
		// Without, core reads the empty text as the empty object.
		if !p.hasDefault {
			r.Query = wp.Query{{Name: "input", Value: ""}}
		}
	case inQuery:
		r.Query = wp.Query{{Name: "input", Value: input}}
	default:
		r.Body = map[string]any{"input": input}
	}
	for _, param := range r.Query {
		if err := p.sendableInput(o, param); err != nil {
			return wp.Request{}, err
		}
	}
	return r, nil
}

// sendableInput names the property of an input that a query cannot carry.
func (p plan) sendableInput(o *Operation, input wp.Param) error {
	named, isObject := input.Value.(map[string]any)
	if !isObject || p.input != objectInput {
		return sendable(input.Name, input)
	}
	for _, a := range o.Args {
		if v, there := named[a.Wire]; there {
			if err := sendable(a.Name, wp.Param{Name: a.Wire, Value: v}); err != nil {
				return err
			}
		}
	}
	return sendable(input.Name, input)
}

// value gathers an ability's input.
func (p plan) value(o *Operation, values map[string]any) (any, bool) {
	if p.input == wholeInput {
		v, there := values["input"]
		return v, there
	}
	input := map[string]any{}
	known := map[string]bool{}
	for _, a := range o.Args {
		known[a.Name], known[a.Wire] = true, true
		if v, there := values[a.Name]; there {
			input[a.Wire] = a.wire(v)
		}
	}
	if o.Extra != nil {
		for name, v := range values {
			// What an argument is called on the wire is that argument's alone.
			if _, taken := input[name]; !known[name] && !taken {
				input[name] = v
			}
		}
	}
	return input, true
}
