package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	// sources are where an upload may take its file from.
	sources Sources

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
		switch {
		case a.In == InPath:
			text, err := p.pathValue(a, a.wire(v))
			if err != nil {
				return wp.Request{}, err
			}
			inPath[a.Wire] = text
		case a.In == InQuery:
			if err := a.sendable(v); err != nil {
				return wp.Request{}, err
			}
			if !a.absent(v) {
				value, err := a.queried(v)
				if err != nil {
					return wp.Request{}, &ArgumentError{Name: a.Name, Err: err}
				}
				r.Query = append(r.Query, wp.Param{Name: a.Wire, Value: value})
			}
		case a.In == InBody:
			body[a.Wire] = a.wire(v)
		}
	}
	if len(body) > 0 {
		r.Body = body
	}
	var err error
	if isUpload(o.ID) {
		if r.Body, err = o.file(values); err != nil {
			return wp.Request{}, err
		}
	}
	if r.Segments, err = p.segments(o, inPath); err != nil {
		return wp.Request{}, err
	}
	return r, o.shorten(&r, inPath)
}

func wrong(a Arg, what string) error { return &ArgumentError{Name: a.Name, Err: errors.New(what)} }

// wire is the value as the site takes it: properties under the site's own names.
func (a Arg) wire(v any) any {
	v = a.Schema.OnWire(v)
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
	if strings.Contains(text, "/") && p.params[a.Wire].re() == nil { // else the pattern has one
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
	inQuery := o.sendsQuery()
	switch {
	case p.input == noInput || !there:
	case inQuery && input == nil:
		// To core no input at all is null (WP_Ability::normalize_input).
	case inQuery && p.input == objectInput && len(input.(map[string]any)) == 0:
		// With a default in the schema, nothing at all means the default.
		// Without, core reads the empty text as the empty object.
		if !p.hasDefault {
			r.Query = wp.Query{{Name: "input", Value: ""}}
		}
	case inQuery:
		if err := o.sendable(values); err != nil {
			return wp.Request{}, err
		}
		r.Query = wp.Query{{Name: "input", Value: input}}
	default:
		r.Body = map[string]any{"input": input}
	}
	return r, o.shorten(&r, nil)
}

// value gathers an ability's input.
func (p plan) value(o *Operation, values map[string]any) (any, bool) {
	input := map[string]any{}
	for _, a := range o.Args {
		if v, there := values[a.Name]; there && (v != nil || a.Required || !o.sendsQuery() || p.input == wholeInput) {
			input[a.Wire] = a.wire(v)
			if o.sendsQuery() && a.Style == Brackets {
				input[a.Wire] = bracketed(input[a.Wire])
			}
		}
	}
	if p.input == wholeInput {
		v, there := input["input"]
		return v, there
	}
	maps.Copy(input, o.extra(values))
	return input, true
}

// extra are the values that an open ability takes beside its arguments. What an
// argument is called, here or on the wire, is that argument's alone.
func (o *Operation) extra(values map[string]any) map[string]any {
	extra := map[string]any{}
	if o.Extra != nil {
		maps.Copy(extra, values)
	}
	for _, a := range o.Args {
		delete(extra, a.Name)
		delete(extra, a.Wire)
	}
	return extra
}
