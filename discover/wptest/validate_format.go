package wptest

import (
	"fmt"
	"net"
	"net/mail"
	"regexp"
	"slices"
	"strings"
)

func inEnum(value any, kind string, schema map[string]any, param string) *fault {
	var allowed []any
	switch enum := schema["enum"].(type) {
	case []any:
		allowed = enum
	case map[string]any: // PHP's array with gaps in its keys
		for _, v := range enum {
			allowed = append(allowed, v)
		}
	}
	if len(allowed) == 0 {
		return nil
	}
	clean := sanitize(value, map[string]any{"type": kind})
	if slices.Contains(allowed, clean) {
		return nil
	}
	return failed(0, "rest_not_in_enum", fmt.Sprintf("%s is not one of %s.", param, strings.Trim(fmt.Sprint(allowed), "[]")))
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func inFormat(value string, format any, param string) *fault {
	switch format {
	case "date-time":
		if _, _, ok := parseDate(value); !ok {
			return failed(0, "rest_invalid_date", "Not a date.")
		}
	case "email":
		if at, err := mail.ParseAddress(value); err != nil || at.Address != value || !strings.Contains(value[strings.Index(value, "@"):], ".") {
			return failed(0, "rest_invalid_email", "Not an e-mail address.")
		}
	case "ip":
		if net.ParseIP(value) == nil {
			return failed(0, "rest_invalid_ip", param+" is not an IP address.")
		}
	case "uuid":
		if !uuid.MatchString(value) {
			return failed(0, "rest_invalid_uuid", param+" is not a UUID.")
		}
	}
	return nil
}

// oneOf finds the one alternative that takes the value.
func oneOf(value any, alternatives []any, param string) (map[string]any, *fault) {
	var matching []map[string]any
	var titles []string
	var faults []*fault
	var at int
	for i, a := range alternatives {
		schema := a.(map[string]any)
		titles = append(titles, text(schema["title"]))
		f := validate(value, schema, param)
		if f == nil {
			matching = append(matching, schema)
		} else if f.code != "rest_invalid_type" || f.data["param"] != param {
			faults, at = append(faults, f), i
		}
	}
	switch {
	case len(matching) == 1:
		return matching[0], nil
	case len(matching) > 1:
		return nil, failed(0, "rest_one_of_multiple_matches", param+" matches several formats, and should match one.")
	case len(faults) == 1:
		f := failed(0, "rest_no_matching_schema", param+" is not a valid "+titles[at]+". Reason: "+faults[0].message)
		f.data = map[string]any{"position": at}
		return nil, f
	}
	return nil, failed(0, "rest_no_matching_schema", param+" is not a valid "+strings.Join(titles, " or ")+".")
}
