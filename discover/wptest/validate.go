package wptest

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// validate checks a value as rest_validate_value_from_schema does
// (wp-includes/rest-api.php): strings that look like a number or a boolean are
// one, an unknown type takes everything.
func validate(value any, schema map[string]any, param string) *fault {
	if alternatives, ok := schema["oneOf"].([]any); ok {
		if _, f := oneOf(value, alternatives, param); f != nil {
			return f
		}
	}
	kind, f := bestType(value, schema, param)
	if f != nil {
		return f
	}
	if f := ofType(value, kind, schema, param); f != nil {
		return f
	}
	if f := inEnum(value, kind, schema, param); f != nil {
		return f
	}
	if kind == "string" {
		return inFormat(text(value), schema["format"], param)
	}
	return nil
}

func wrongType(param, kind string) *fault {
	return &fault{code: "rest_invalid_type", message: param + " is not of type " + kind + ".", data: map[string]any{"param": param}}
}

// bestType picks one of several types (rest_get_best_type_for_value).
func bestType(value any, schema map[string]any, param string) (string, *fault) {
	types, ok := schema["type"].([]any)
	if !ok {
		kind, _ := schema["type"].(string)
		return kind, nil
	}
	if value == "" && slices.Contains(types, any("string")) {
		return "string", nil
	}
	var names []string
	for _, t := range types {
		if is(value, t.(string)) {
			return t.(string), nil
		}
		names = append(names, t.(string))
	}
	return "", wrongType(param, strings.Join(names, ","))
}

// is tells whether PHP would take the value for one of the type.
func is(value any, kind string) bool {
	switch kind {
	case "null":
		return value == nil || value == ""
	case "boolean":
		_, ok := boolean(value)
		return ok
	case "integer":
		n, ok := number(value)
		return ok && n == float64(int(n))
	case "number":
		_, ok := number(value)
		return ok
	case "string":
		_, ok := value.(string)
		return ok
	case "array":
		_, isList := value.([]any)
		return isList || scalar(value)
	case "object":
		_, isMap := value.(map[string]any)
		list, isList := value.([]any)
		return isMap || isList && len(list) == 0 || value == ""
	}
	return true
}

func scalar(value any) bool {
	switch value.(type) {
	case string, int, float64, bool:
		return true
	}
	return false
}

func ofType(value any, kind string, schema map[string]any, param string) *fault {
	if !is(value, kind) {
		return wrongType(param, kind)
	}
	switch kind {
	case "integer", "number":
		return inBounds(value, schema, param)
	case "string":
		return inLength(value.(string), schema, param)
	case "array":
		return validateList(listOf(value), schema, param)
	case "object":
		object, _ := value.(map[string]any)
		return validateObject(object, schema, param)
	}
	return nil
}

func inBounds(value any, schema map[string]any, param string) *fault {
	n, _ := number(value)
	least, hasLeast := number(schema["minimum"])
	most, hasMost := number(schema["maximum"])
	switch {
	case hasLeast && hasMost && (n < least || n > most):
		return failed(0, "rest_out_of_bounds", fmt.Sprintf("%s must be between %v and %v.", param, least, most))
	case hasLeast && n < least:
		return failed(0, "rest_out_of_bounds", fmt.Sprintf("%s must be %v or more.", param, least))
	case hasMost && n > most:
		return failed(0, "rest_out_of_bounds", fmt.Sprintf("%s must be %v or less.", param, most))
	}
	return nil
}

func inLength(value string, schema map[string]any, param string) *fault {
	length := float64(utf8.RuneCountInString(value))
	if least, ok := number(schema["minLength"]); ok && length < least {
		return failed(0, "rest_too_short", fmt.Sprintf("%s must have %v characters or more.", param, least))
	}
	if most, ok := number(schema["maxLength"]); ok && length > most {
		return failed(0, "rest_too_long", fmt.Sprintf("%s must have %v characters or less.", param, most))
	}
	if pattern, ok := schema["pattern"].(string); ok {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(value) {
			return failed(0, "rest_invalid_pattern", param+" does not match the pattern "+pattern+".")
		}
	}
	return nil
}

func validateList(list []any, schema map[string]any, param string) *fault {
	items, _ := schema["items"].(map[string]any)
	for i, item := range list {
		if items == nil {
			break
		}
		if f := validate(item, items, param+"["+strconv.Itoa(i)+"]"); f != nil {
			return f
		}
	}
	if schema["uniqueItems"] == true {
		for i := range list {
			if slices.ContainsFunc(list[:i], func(other any) bool { return reflect.DeepEqual(other, list[i]) }) {
				return failed(0, "rest_duplicate_items", param+" holds something twice.")
			}
		}
	}
	return nil
}

func validateObject(object, schema map[string]any, param string) *fault {
	below, _ := schema["properties"].(map[string]any)
	required, listed := schema["required"].([]any)
	if !listed {
		for name, property := range below {
			if s, ok := property.(map[string]any); ok && s["required"] == true {
				required = append(required, name)
			}
		}
	}
	for _, name := range required {
		if _, ok := object[name.(string)]; !ok {
			return failed(0, "rest_property_required", fmt.Sprintf("%v is a required property of %s.", name, param))
		}
	}
	for name, value := range object {
		if property, ok := below[name].(map[string]any); ok {
			if f := validate(value, property, param+"["+name+"]"); f != nil {
				return f
			}
			continue
		}
		if schema["additionalProperties"] == false {
			return failed(0, "rest_additional_properties_forbidden", name+" is not a property of this object.")
		}
	}
	return nil
}
