package wptest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sanitize turns a valid value into one of its schema's type
// (rest_sanitize_value_from_schema).
func sanitize(value any, schema map[string]any) any {
	if alternatives, ok := schema["oneOf"].([]any); ok {
		if match, f := oneOf(value, alternatives, ""); f == nil {
			return sanitize(value, match)
		}
	}
	kind, f := bestType(value, schema, "")
	if f != nil {
		return nil
	}
	switch kind {
	case "null":
		return nil
	case "integer":
		n, _ := number(value)
		return int(n)
	case "number":
		n, _ := number(value)
		return n
	case "boolean":
		b, _ := boolean(value)
		return b
	case "string":
		if s, ok := value.(string); ok {
			if schema["format"] != nil {
				s = strings.TrimSpace(s)
			}
			return s
		}
		return text(value)
	case "array":
		items, _ := schema["items"].(map[string]any)
		list := slices.Clone(listOf(value))
		for i := range list {
			if items != nil {
				list[i] = sanitize(list[i], items)
			}
		}
		return list
	case "object":
		return sanitizeObject(value, schema)
	}
	return value
}

func sanitizeObject(value any, schema map[string]any) any {
	object, _ := value.(map[string]any)
	if len(object) == 0 {
		return []any{} // PHP's empty array
	}
	object = maps.Clone(object)
	below, _ := schema["properties"].(map[string]any)
	for name, v := range object {
		if property, ok := below[name].(map[string]any); ok {
			object[name] = sanitize(v, property)
		} else if schema["additionalProperties"] == false {
			delete(object, name)
		}
	}
	return object
}

// number reads what PHP calls numeric.
func number(value any) (float64, bool) {
	switch v := value.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil && !strings.ContainsAny(v, "xXnNpP_")
	}
	return 0, false
}

// boolean reads what core takes for one (rest_is_boolean).
func boolean(value any) (is, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case int:
		return v == 1, v == 0 || v == 1
	case string:
		switch strings.ToLower(v) {
		case "true", "1":
			return true, true
		case "false", "0":
			return false, true
		}
	}
	return false, false
}

// text is PHP's (string).
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		if v {
			return "1"
		}
	}
	return ""
}

// listOf reads a list, also one written with commas or spaces
// (rest_sanitize_array, wp_parse_list).
func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	list := []any{}
	if scalar(value) {
		for _, word := range strings.FieldsFunc(text(value), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
			list = append(list, word)
		}
	}
	return list
}

// fromJSON reads a body as json_decode( …, true ) does: whole numbers are
// integers, and {} is an empty array.
func fromJSON(data []byte) (any, error) {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, &json.SyntaxError{Offset: dec.InputOffset()}
	}
	return php(v), nil
}

func php(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		n, err := v.Float64()
		if err != nil {
			return v.String() // no number PHP could hold
		}
		return n
	case []any:
		for i := range v {
			v[i] = php(v[i])
		}
	case map[string]any:
		if len(v) == 0 {
			return []any{}
		}
		for k := range v {
			v[k] = php(v[k])
		}
	}
	return v
}

// How WordPress writes a moment over the wire, and how people also do.
const (
	wire   = "2006-01-02T15:04:05"
	spaced = "2006-01-02 15:04:05"
)

// parseDate reads RFC 3339 with or without an offset (rest_parse_date);
// offset tells whether there was one.
func parseDate(value string) (at time.Time, offset, ok bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"} {
		if at, err := time.Parse(layout, value); err == nil {
			return at.UTC(), true, true
		}
	}
	for _, layout := range []string{wire, spaced, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, value); err == nil {
			return at, false, true
		}
	}
	return time.Time{}, false, false
}

// toronto is the site's offset from universal time at a moment of its own
// time: daylight saving from the second Sunday of March to the first of
// November. It spares the binary a time zone database.
func toronto(local time.Time) time.Duration {
	sunday := func(month time.Month, nth int) time.Time {
		first := time.Date(local.Year(), month, 1, 2, 0, 0, 0, time.UTC)
		return first.AddDate(0, 0, (7-int(first.Weekday()))%7+7*(nth-1))
	}
	if local.Before(sunday(time.March, 2)) || !local.Before(sunday(time.November, 1)) {
		return -5 * time.Hour
	}
	return -4 * time.Hour
}

func toGMT(local time.Time) time.Time { return local.Add(-toronto(local)) }

func toLocal(gmt time.Time) time.Time { return gmt.Add(toronto(gmt.Add(-5 * time.Hour))) }
