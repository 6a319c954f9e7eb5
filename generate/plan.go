package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"toolpress/discover/wp"
)

// plan is how a call reaches the site: a route's path with its placeholders,
// or an ability's run with the form of its input.
type plan struct {
	path string
	// params are the placeholders and what their values must match; nil where
	// only the site can tell.
	params map[string]*regexp.Regexp

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
	var body map[string]any
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
		switch a.In {
		case InPath:
			text, err := p.pathValue(a, v)
			if err != nil {
				return wp.Request{}, err
			}
			inPath[a.Wire] = text
		case InQuery:
			r.Query = append(r.Query, wp.Param{Name: a.Wire, Value: v})
			if err := sendable(a.Name, r.Query[len(r.Query)-1]); err != nil {
				return wp.Request{}, err
			}
		default:
			if body == nil {
				body = map[string]any{}
			}
			body[a.Wire] = v
		}
	}
	if body != nil {
		r.Body = body
	}
	r.Segments = p.segments(inPath)
	return r, nil
}

func wrong(a Arg, what string) error { return &ArgumentError{Name: a.Name, Err: errors.New(what)} }

// sendable finds what a query cannot carry while the argument is still known.
func sendable(name string, p wp.Param) error {
	if _, err := (wp.Query{p}).Encode(); err != nil {
		return &ArgumentError{Name: name, Err: fmt.Errorf("cannot be sent: %w", err)}
	}
	return nil
}

// wire is the value as the site takes it.
func (a Arg) wire(v any) any {
	if a.Raw {
		return map[string]any{"raw": v}
	}
	return v
}

// pathValue is a value as the text of its placeholder, checked against the
// route's own pattern: a value never reaches another route.
func (p plan) pathValue(a Arg, v any) (string, error) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	default:
		return "", wrong(a, "must be text or a number")
	}
	re := p.params[a.Wire]
	if re != nil && !re.MatchString(text) {
		return "", wrong(a, "must match "+strings.TrimPrefix(re.String(), "(?i)"))
	}
	if strings.Contains(text, "/") && (re == nil || !spansSlash(re)) {
		return "", wrong(a, "must not hold a slash")
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

// spansSlash reports that a placeholder's pattern accepts a slash.
func spansSlash(re *regexp.Regexp) bool {
	return slices.ContainsFunc([]string{"a/b", "a//b", "1/2", "a/b/c"}, re.MatchString)
}

// segments fills the route's path.
func (p plan) segments(values map[string]string) []string {
	var segments []string
	for part := range strings.SplitSeq(strings.Trim(p.path, "/"), "/") {
		filled := placeholder.ReplaceAllStringFunc(part, func(name string) string { return values[name[1:len(name)-1]] })
		for s := range strings.SplitSeq(filled, "/") {
			if s != "" {
				segments = append(segments, s)
			}
		}
	}
	return segments
}

var placeholder = regexp.MustCompile(`\{[^{}]+\}`)

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
		known[a.Name] = true
		if v, there := values[a.Name]; there {
			input[a.Wire] = a.wire(v)
		}
	}
	if o.Extra != nil {
		for name, v := range values {
			if !known[name] {
				input[name] = v
			}
		}
	}
	return input, true
}
