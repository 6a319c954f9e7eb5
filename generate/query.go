package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// absent reports a value that a route's query does not name: null, where the
// argument may be left out, and mostly what is empty. "categories=" is not the
// empty list to every route, and nothing is; but where the site has a default,
// nothing would mean that.
func (a Arg) absent(v any) bool {
	return v == nil && !a.Required || empty(v) && (!a.Schema.HasDefault || empty(a.Schema.Default))
}

// empty reports an empty list or object.
func empty(v any) bool {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	return isList && len(list) == 0 || isObject && len(object) == 0
}

// sendable finds what a query cannot carry while the argument is still known.
func (a Arg) sendable(v any) error {
	if a.In == InQuery && a.absent(v) || v == nil && !a.Required {
		return nil
	}
	value, err := a.queried(v)
	if err != nil {
		return &ArgumentError{Name: a.Name, Err: err}
	}
	p := wp.Param{Name: a.Wire, Value: value}
	own := p.Name
	if a.In == InInput {
		p, own = wp.Param{Name: "input", Value: map[string]any{a.Wire: p.Value}}, "input["+a.Wire+"]"
	}
	_, err = (wp.Query{p}).Encode()
	var unsent *wp.ParamError
	at, isLost := lost(a.Schema, v)
	switch {
	case errors.As(err, &unsent):
		return &ArgumentError{Name: a.Name, Err: unsendable(unsent.What, strings.TrimPrefix(unsent.Path, own))}
	case isLost:
		return &ArgumentError{Name: a.Name, Err: unsendable("an empty list or object would arrive in a query as an empty text", at)}
	}
	return err
}

// unsendable says why a value cannot be sent; at is PHP's spelling of the place in
// it, [tags][0], which a model reads as tags[0].
func unsendable(what, at string) error {
	keys, nested := strings.CutPrefix(at, "[")
	if !nested {
		return errors.New("cannot be sent: " + what)
	}
	var place strings.Builder
	for key := range strings.SplitSeq(strings.TrimSuffix(keys, "]"), "][") {
		if strings.Trim(key, "0123456789") == "" {
			place.WriteString("[" + key + "]")
		} else {
			place.WriteString("." + key)
		}
	}
	return errors.New("cannot be sent: " + what + " (at " + strings.TrimPrefix(place.String(), ".") + ")")
}

// lost finds an empty list or object that goes as the empty text and is not read
// back as one: core does that only where the schema wants a list or an object
// and no text (rest_get_best_type_for_value).
func lost(s *schema.Schema, v any) (at string, is bool) {
	if s == nil {
		s = &schema.Schema{}
	}
	if empty(v) {
		read := s.ReadsEmpty()
		return "", read != "array" && read != "object"
	}
	for _, variant := range s.AnyOf {
		if at, is = lost(variant, v); !is {
			return "", false
		}
	}
	if is {
		return at, true
	}
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if at, is := lost(s.Items, item); is {
				return "[" + strconv.Itoa(i) + "]" + at, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			sub := s.Additional
			if p := s.Property(name); p != nil {
				sub = p.Schema
			}
			if at, is := lost(sub, v[name]); is {
				return "[" + name + "]" + at, true
			}
		}
	}
	return "", false
}

// sendable names the part of an ability's input that a query cannot carry.
func (o *Operation) sendable(values map[string]any) error {
	args := slices.Clone(o.Args)
	for _, name := range slices.Sorted(maps.Keys(o.extra(values))) {
		args = append(args, Arg{Name: name, Wire: name, In: InInput, Schema: o.Extra})
	}
	for _, a := range args {
		if v, there := values[a.Name]; there {
			if err := a.sendable(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// shorten keeps a call below what web servers take (W19): a route's list of
// integers goes with commas where brackets take too much. What is too long even
// so is an error that names the argument that takes the most; another method
// would be another call. inPath are the texts of path arguments by wire name.
func (o *Operation) shorten(r *wp.Request, inPath map[string]string) error {
	for {
		size, err := r.Size()
		if err != nil || size <= wp.MaxTarget {
			return err
		}
		if !o.useCommas(r.Query) {
			return &ArgumentError{Name: o.largest(r, inPath), Err: fmt.Errorf(
				"is too large: path and query would have %d bytes, and web servers refuse more than %d", size, wp.MaxTarget)}
		}
	}
}

// useCommas writes the longest list of integers of a route's query as one text,
// which core reads as the list (wp_parse_list). Only there no item can hold a
// comma; an ability's callback may get the text itself.
func (o *Operation) useCommas(q wp.Query) bool {
	most, longest := 0, -1
	for i, p := range q {
		if list, is := p.Value.([]any); is && len(list) > most && o.integers(p.Name) && !slices.ContainsFunc(list, notInteger) {
			most, longest = len(list), i
		}
	}
	if longest < 0 {
		return false
	}
	var words []string
	for _, item := range q[longest].Value.([]any) {
		words = append(words, item.(json.Number).String())
	}
	q[longest].Value = strings.Join(words, ",")
	return true
}

// integers reports that an argument of a route's query is a list of integers and
// of nothing else.
func (o *Operation) integers(wire string) bool {
	return slices.ContainsFunc(o.Args, func(a Arg) bool {
		return a.In == InQuery && a.Wire == wire && a.Schema.Is("array") && a.Schema.Items != nil && a.Schema.Items.Is("integer")
	})
}

func notInteger(v any) bool {
	n, isNumber := v.(json.Number)
	return !isNumber || strings.ContainsAny(n.String(), ".eE")
}

// largest is the argument that takes the most of a request's path and query.
func (o *Operation) largest(r *wp.Request, inPath map[string]string) string {
	name, most := "", -1
	weigh := func(argument string, bytes int) {
		if bytes > most {
			name, most = argument, bytes
		}
	}
	for _, a := range o.Args {
		weigh(a.Name, len(url.PathEscape(inPath[a.Wire])))
	}
	for _, p := range r.Query {
		named, isObject := p.Value.(map[string]any)
		if o.Ability == "" || !isObject || o.plan.input == wholeInput {
			named = map[string]any{p.Name: p.Value}
		}
		for _, wire := range slices.Sorted(maps.Keys(named)) {
			text, _ := (wp.Query{{Name: "input", Value: map[string]any{wire: named[wire]}}}).Encode()
			weigh(o.nameOf(wire), len(text))
		}
	}
	return name
}

// nameOf is the name of the argument that the site calls wire, or wire itself.
func (o *Operation) nameOf(wire string) string {
	for _, a := range o.Args {
		if a.Wire == wire {
			return a.Name
		}
	}
	return wire
}
