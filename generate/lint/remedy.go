package lint

import (
	"slices"
	"strings"

	"toolpress/generate/schema"
)

// mend is the remedy for what breaks a rule at a path. Of what clients refuse there
// are the place and what stands there; of the rest, what the rule's remedy lacks.
func (r Rule) mend(path string, args ...any) string {
	p, what := place{}, ""
	for _, a := range args {
		switch a := a.(type) {
		case place:
			p = a
		case string:
			what = a
		}
	}
	name, value := p.property, ""
	if r.with != nil {
		name, value = r.with(p, what)
	}
	return schema.Legible(strings.NewReplacer("{at}", shown(path), "{leave}", value, "{name}", name, "{value}", value).Replace(r.remedy), maxRemedy)
}

// maxRemedy bounds a remedy, which may have a name of the site in it, in bytes.
const maxRemedy = 600

// leave is what to leave out: the whole of an input without properties.
func leave(p place, _ string) (name, value string) {
	if p.at == "" {
		return "", "`" + p.root + "`"
	}
	return "", "`" + strings.TrimPrefix(p.path(), p.root+".") + "`"
}

// safeName is a name of a property that every client takes.
func safeName(p place, _ string) (name, value string) { return p.property, schema.SafeName(p.property) }

// types are what PHP and WordPress call the types of JSON Schema.
var types = map[string]string{
	"date-time": "'type' => 'string', 'format' => 'date-time'", "date": "'type' => 'string'", "bool": "'type' => 'boolean'",
	"int": "'type' => 'integer'", "float": "'type' => 'number'", "double": "'type' => 'number'", "text": "'type' => 'string'",
}

func knownType(p place, _ string) (name, value string) {
	written, _ := member(p.schema, "type").(string)
	if value = types[written]; value == "" {
		value = "one of the types string, integer, number, boolean, array and object"
	}
	return "", value
}

// oneType is the first type of several that is not null.
func oneType(p place, _ string) (name, value string) {
	list, _ := member(p.schema, "type").([]any)
	for _, v := range list {
		if text, _ := v.(string); text != "null" && slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, text) {
			return "", text
		}
	}
	return "", "string"
}

func bound(p place, _ string) (name, value string) {
	if strings.HasPrefix(p.keyword, "exclusiveMax") {
		return "exclusiveMaximum", "maximum"
	}
	return "exclusiveMinimum", "minimum"
}

func keyword(p place, _ string) (name, value string) { return p.keyword, "" }

func message(_ place, what string) (name, value string) { return "", what }
