package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"toolpress/generate/schema"
)

// carriage is how a value reaches a callback.
type carriage int

const (
	asJSON      carriage = iota // with its type
	asText                      // a query: every scalar is a text
	asTyped                     // a query that core coerced to the schema
	asTypedJSON                 // JSON that core coerced to the schema
)

// differs compares what PHP has (bookshop_exact) with what was meant, with
// types; it names the first place, and is empty where all is as it was meant.
func (how carriage) differs(exact any, s *schema.Schema, meant any) string {
	pair, _ := exact.([]any)
	if len(pair) != 2 {
		return fmt.Sprintf(": PHP has %v", exact)
	}
	if s == nil {
		s = &schema.Schema{}
	}
	switch {
	case how == asTyped && len(s.Types) == 0:
		how = asText
	case how == asTypedJSON && len(s.Types) == 0:
		how = asJSON
	}
	switch meant := meant.(type) {
	case []any:
		if len(meant) == 0 {
			return how.empty(pair)
		}
		got, _ := pair[1].([]any)
		if pair[0] != "list" || len(got) != len(meant) {
			return fmt.Sprintf(": PHP has %v", pair)
		}
		for i := range meant {
			if d := how.differs(got[i], s.Items, meant[i]); d != "" {
				return "[" + strconv.Itoa(i) + "]" + d
			}
		}
		return ""
	case map[string]any:
		if len(meant) == 0 {
			return how.empty(pair)
		}
		got := members(pair)
		if len(got) != len(meant) {
			return fmt.Sprintf(": PHP has %v", pair)
		}
		for _, name := range slices.Sorted(maps.Keys(meant)) {
			sub := s.Additional
			if p := s.Property(name); p != nil {
				sub = p.Schema
			}
			if d := how.differs(got[name], sub, meant[name]); d != "" {
				return "[" + name + "]" + d
			}
		}
		return ""
	}
	if want := how.scalar(s, meant); pair[0] != want[0] || pair[0] != "float" && pair[1] != want[1] || pair[0] == "float" && !sameNumber(pair[1].(string), want[1].(string), true) {
		return fmt.Sprintf(": PHP has %q, meant was %q", pair, want)
	}
	return ""
}

// empty is how an empty list or object arrives.
func (how carriage) empty(pair []any) string {
	list, isList := pair[1].([]any)
	if how == asText && pair[0] == "string" && pair[1] == "" || how != asText && isList && len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(": PHP has %v for an empty value", pair)
}

// members are an array's items by their keys, which PHP does not tell from a
// list's where they count from 0.
func members(pair []any) map[string]any {
	got := map[string]any{}
	items, _ := pair[1].([]any)
	for i, item := range items {
		if pair[0] == "list" {
			got[strconv.Itoa(i)] = item
			continue
		}
		got[item.([]any)[0].(string)] = item.([]any)[1]
	}
	return got
}

// scalar is PHP's type and value of a scalar.
func (how carriage) scalar(s *schema.Schema, meant any) [2]any {
	text := fmt.Sprint(meant)
	n, isNumber := meant.(json.Number)
	b, isBool := meant.(bool)
	_, err := strconv.ParseInt(text, 10, 64)
	switch {
	case meant == nil:
		return [2]any{"NULL", nil}
	case how == asText && isBool:
		return [2]any{"string", strconv.Itoa(map[bool]int{true: 1}[b])}
	case how == asText:
		return [2]any{"string", text}
	case isBool:
		return [2]any{"boolean", b}
	case isNumber && (how == asJSON && (err != nil || strings.HasPrefix(text, "-0")) || how != asJSON && s.Is("number")):
		return [2]any{"float", n.String()}
	case isNumber:
		return [2]any{"int", text}
	}
	return [2]any{"string", text}
}
