package wp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Query is the query string of a request, in the order it is sent.
type Query []Param

// Param is one named value of a query. Value is what encoding/json with
// UseNumber gives: string, bool, json.Number, []any, map[string]any; Go
// integers are taken too, and [Items].
type Param struct {
	Name  string
	Value any
}

// Items is a list that goes as name[]=, without the index of each item. Where
// some of its items are lists or objects it goes as any list: PHP would make an
// item of each of their members.
type Items []any

// Encode writes the query as PHP reads it (php.net, "How to use arrays in
// forms"; WordPress then takes $_GET): lists as name[0]=, objects as
// name[key]=, at any depth. Booleans go as 1 and 0, because a core before 7.1
// hands the callback the string, and "false" is true in PHP. An empty list or
// object goes as the empty string, which rest_sanitize_value_from_schema
// (wp-includes/rest-api.php) reads as empty.
//
// What PHP would read otherwise cannot be carried: a null, a name that
// [CheckParamName] refuses, some keys, and nesting beyond 64 levels. The error
// is a [*ParamError].
func (q Query) Encode() (string, error) {
	var b strings.Builder
	for _, p := range q {
		if err := CheckParamName(p.Name); err != nil {
			return "", &ParamError{p.Name, "the name " + err.Error()}
		}
		name := p.Name
		switch p.Value.(type) {
		case []any, Items, map[string]any:
			name = strings.TrimSuffix(name, "[]") // include[] with several is include[0], include[1]
		}
		if err := encodeParam(&b, name, p.Value, 0); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// CheckParamName refuses a name that PHP reads as another one in a query: it
// makes "_" of a dot, a space and a bracket that is not closed, cuts at a NUL
// byte, and drops a parameter without a name (php_register_variable_ex in
// main/php_variables.c). filter[x] and include[] are what plugins read as
// members of filter and include. In a JSON body every name is fine.
func CheckParamName(name string) error {
	switch {
	case name == "":
		return errors.New("must not be empty")
	case !paramName.MatchString(name):
		return fmt.Errorf("%q cannot be sent in a query: PHP reads a dot, a space or a bracket in it otherwise", name)
	}
	return nil
}

var paramName = regexp.MustCompile(`^[^\[ .\x00]+(?:\[[^\[\]\x00]*\])*$`)

// checkKey refuses a key of an object that PHP reads otherwise: it ends one at
// the first "]", numbers an empty one or a single white space, and cuts at NUL.
func checkKey(key string) error {
	if key == "" || strings.ContainsAny(key, "]\x00") || len(key) == 1 && strings.Contains(" \t\n\v\f\r", key) {
		return fmt.Errorf("the key %q cannot be sent in a query: PHP reads it otherwise", key)
	}
	return nil
}

// ParamError is a value that a query cannot carry.
type ParamError struct {
	// Path is the place, as PHP spells it: input[tags][0].
	Path string
	// What says why, without the place.
	What string
}

// Error begins with the path.
func (e *ParamError) Error() string { return e.Path + ": " + e.What }

func encodeParam(b *strings.Builder, name string, value any, depth int) error {
	if depth > maxNesting {
		return &ParamError{name[:min(len(name), maxPlace)], fmt.Sprintf("nesting beyond %d levels cannot be sent in a query", maxNesting)}
	}
	switch v := value.(type) {
	case nil:
		return &ParamError{name, "null cannot be sent in a query"}
	case []any:
		return encodeList(b, name, v, strconv.Itoa, depth)
	case Items:
		key := func(int) string { return "" }
		if slices.ContainsFunc(v, nested) {
			key = strconv.Itoa
		}
		return encodeList(b, name, v, key, depth)
	case map[string]any:
		if len(v) == 0 {
			writePair(b, name, "")
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := checkKey(key); err != nil {
				return &ParamError{name, err.Error()}
			}
			if err := encodeParam(b, name+"["+key+"]", v[key], depth+1); err != nil {
				return err
			}
		}
	default:
		text, err := Scalar(value)
		if err != nil {
			return &ParamError{name, err.Error()}
		}
		writePair(b, name, text)
	}
	return nil
}

// encodeList writes a list; key is that of the item at an index.
func encodeList(b *strings.Builder, name string, list []any, key func(int) string, depth int) error {
	if len(list) == 0 {
		writePair(b, name, "")
	}
	for i, item := range list {
		if err := encodeParam(b, name+"["+key(i)+"]", item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// nested reports a list or an object.
func nested(v any) bool {
	switch v.(type) {
	case []any, Items, map[string]any:
		return true
	}
	return false
}

// Scalar is a text, a number, true or false as a query has it: 1 and 0 for the
// last two. Anything else is an error.
func Scalar(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		if v {
			return "1", nil
		}
		return "0", nil
	case json.Number:
		return v.String(), nil
	case int:
		return strconv.Itoa(v), nil
	}
	return "", fmt.Errorf("a %T cannot be sent in a query", value)
}

func writePair(b *strings.Builder, name, value string) {
	if b.Len() > 0 {
		b.WriteByte('&')
	}
	b.WriteString(url.QueryEscape(name))
	b.WriteByte('=')
	b.WriteString(url.QueryEscape(value))
}
