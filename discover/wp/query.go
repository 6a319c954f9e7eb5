package wp

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Query is the query string of a request, in the order it is sent.
type Query []Param

// Param is one named value of a query. Value is what encoding/json with
// UseNumber gives: string, bool, json.Number, []any, map[string]any; Go
// integers are taken too.
type Param struct {
	Name  string
	Value any
}

// Encode writes the query as PHP reads it (php.net, "How to use arrays in
// forms"; WordPress then takes $_GET): lists as name[0]=, objects as
// name[key]=, at any depth. Booleans go as 1 and 0, because a core before 7.1
// hands the callback the string, and "false" is true in PHP. An empty list or
// object goes as the empty string, which rest_sanitize_value_from_schema
// (wp-includes/rest-api.php) reads as empty.
//
// A null cannot be carried: the error is a [*ParamError].
func (q Query) Encode() (string, error) {
	var b strings.Builder
	for _, p := range q {
		if err := encodeParam(&b, p.Name, p.Value); err != nil {
			return "", err
		}
	}
	return b.String(), nil
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

func encodeParam(b *strings.Builder, name string, value any) error {
	switch v := value.(type) {
	case nil:
		return &ParamError{name, "null cannot be sent in a query"}
	case []any:
		if len(v) == 0 {
			writePair(b, name, "")
		}
		for i, item := range v {
			if err := encodeParam(b, name+"["+strconv.Itoa(i)+"]", item); err != nil {
				return err
			}
		}
	case map[string]any:
		if len(v) == 0 {
			writePair(b, name, "")
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "" || strings.ContainsAny(key, "[]") {
				return &ParamError{name, fmt.Sprintf("the key %q cannot be sent in a query: PHP reads it otherwise", key)}
			}
			if err := encodeParam(b, name+"["+key+"]", v[key]); err != nil {
				return err
			}
		}
	default:
		text, err := scalar(value)
		if err != nil {
			return &ParamError{name, err.Error()}
		}
		writePair(b, name, text)
	}
	return nil
}

func scalar(value any) (string, error) {
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
