package lint

import (
	"regexp"
	"slices"
	"strings"

	"toolpress/generate/clients"
	"toolpress/generate/schema"
)

// schemas holds what a subject takes, and what an ability answers, against the
// table of clients.
func (r *report) schemas(s *subject) {
	tool := clients.Tool{Name: "name", Input: s.input}
	if s.input == nil {
		tool.Input = map[string]any{"type": "object", "properties": map[string]any{}}
	}
	if s.ability != nil {
		tool.Output = s.ability.OutputSchema
	}
	for _, refusal := range clients.Check(tool) {
		root, written := s.key, s.input
		if strings.HasPrefix(refusal.Path, "outputSchema") {
			root, written = "output_schema", tool.Output
		}
		p := locate(root, written, refusal.At)
		if ofKeyword[refusal.Client+"/"+refusal.Rule] {
			cut := strings.LastIndexByte(refusal.At, '/')
			p = locate(root, written, refusal.At[:cut])
			p.keyword = refusal.At[cut+1:]
			p.value = member(p.schema, p.keyword)
		}
		id := broken(refusal, p)
		if _, isSchema := p.schema.(map[string]any); id == "invalid-schema" && isSchema && p.keyword == "" && strings.HasSuffix(p.at, "[]") {
			continue // draft-07 takes a list there too, and says that it is none; what is wrong is said of the schema
		}
		if p.root != "args" && alternative.MatchString(p.at) && (id == "no-properties" || id == "required-unknown" || id == "no-type") {
			id, p = "root-combinator", locate(root, written, "") // no fault but that of the whole
		}
		refusal.What = stands(refusal, p, id)
		r.refused(s, id, p, refusal)
	}
}

// alternative is one that the root is put together of.
var alternative = regexp.MustCompile(`^(?:anyOf|oneOf|allOf)\[\d+\]$`)

// stands is what stands at a place. A validator says what it wants there, which
// means something where it is not the rule's own sentence.
func stands(refusal clients.Refusal, p place, id string) string {
	switch {
	case id == "root-combinator" && refusal.Rule != "root-combinator" && refusal.Rule != "root-keywords":
		return ""
	case refusal.Rule != "draft-2020-12" && refusal.Rule != "draft-07" && refusal.Rule != "output":
		return refusal.What
	case p.keyword == "":
		return schema.Brief(p.value)
	case id == "invalid-schema" || id == "pattern" || id == "enum-values":
		return p.keyword + ": " + schema.Brief(p.value) + ", " + refusal.What
	}
	return p.keyword + ": " + schema.Brief(p.value)
}

// refused adds what a client refuses, at the severity of the client's rule.
func (r *report) refused(s *subject, id string, p place, refusal clients.Refusal) {
	rule := r.refuses[refusal.Client+"/"+refusal.Rule]
	path := p.path()
	if id == "internal-keyword" || id == "other-keyword" || id == "exclusive-bound" { // each has a remedy of its own
		path += "." + p.keyword
	}
	f := Finding{
		ID: id, Severity: Error, Path: path, Message: refusal.What, Remedy: r.rules[id].mend(p.path(), p, refusal.What),
		Clients: []Client{{refusal.Client, rule.Refuses, rule.Source, rule.Contested}},
	}
	if refusal.Contested {
		f.Severity = Warning
	}
	r.put(f, s)
}

// say adds to what stands at the place.
func (f *Finding) say(message string) {
	if f.Message == "" {
		f.Message = message
	} else if message != "" && !slices.Contains(strings.Split(f.Message, "; "), message) {
		f.Message += "; " + message
	}
}

// ofKeyword are the rules that refuse a keyword, whatever is below it.
var ofKeyword = map[string]bool{
	"Claude/root-combinator": true, "OpenAI/root-keywords": true, "Claude/reference": true, "OpenAI strict/combinators": true,
	"OpenAI strict/counts": true, "Gemini/keywords": true, "Gemini/additional-properties": true,
}

// byClient is the rule here of each rule of a client that means one thing.
var byClient = map[string]string{
	"Claude/root-object": "root-not-object", "Claude/root-combinator": "root-combinator", "OpenAI/root-keywords": "root-combinator",
	"Claude/property-name": "property-name", "Gemini/property-name": "property-name", "Claude/boolean-schema": "not-a-schema",
	"Claude/reference": "reference", "OpenAI/items": "no-items", "Gemini/items": "no-items", "VS Code/items": "no-items",
	"OpenAI strict/type": "no-type", "Gemini/type": "no-type", "OpenAI strict/format": "format", "Gemini/format": "format",
	"OpenAI strict/combinators": "combinator", "Gemini/any-of-alone": "combinator", "OpenAI strict/counts": "length-limit",
	"OpenAI strict/open-object": "additional-properties", "Gemini/additional-properties": "additional-properties",
	"OpenAI strict/depth": "too-deep", "Gemini/one-type": "type-list", "Cursor/null": "type-list",
	"Gemini/enum": "enum-type", "Gemini/enum-empty": "enum-empty-text", "Gemini/required": "required-unknown",
}

// broken is the rule here that a refusal breaks.
func broken(refusal clients.Refusal, p place) string {
	id := byClient[refusal.Client+"/"+refusal.Rule]
	switch {
	case id != "":
	case refusal.Rule == "properties":
		id = "no-properties"
		if _, isList := member(p.schema, "properties").([]any); isList {
			id = "properties-list"
		}
	case refusal.Rule == "keywords":
		id = ofField(p.keyword)
	default:
		id = invalid(p)
	}
	_, isList := p.value.([]any)
	switch {
	case id == "no-type" && member(p.schema, "$ref") != nil:
		id = "reference"
	case id == "no-type" && (hasList(p.schema, "oneOf") || hasList(p.schema, "allOf")):
		id = "combinator"
	case id == "no-items" && p.keyword == "" && hasList(p.schema, "items"):
		id = "items-list"
	case id == "enum-type" && !hasList(p.schema, "enum"):
		id = "enum-values"
	case id == "properties-list" && p.keyword == "properties" && !isList:
		id = "invalid-schema"
	}
	// At the root one remedy mends them all.
	if p.at == "" && p.root != "args" {
		switch id {
		case "no-type", "type-list", "unknown-type", "root-not-object":
			id = "root-not-object"
			if p.root == "output_schema" {
				id = "output-not-object"
			}
		case "combinator":
			id = "root-combinator"
		}
	}
	return id
}

func hasList(v any, keyword string) bool {
	_, is := member(v, keyword).([]any)
	return is
}

// ofField is the rule about a keyword that Gemini has no field for.
func ofField(keyword string) string {
	switch keyword {
	case "exclusiveMinimum", "exclusiveMaximum":
		return "exclusive-bound"
	case "$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions":
		return "reference"
	case "oneOf", "allOf", "not", "if", "then", "else", "dependencies", "dependentSchemas", "dependentRequired", "patternProperties", "prefixItems", "contains", "propertyNames":
		return "combinator"
	case "sanitize_callback", "validate_callback", "arg_options", "context", "readonly":
		return "internal-keyword"
	}
	return "other-keyword"
}

// invalid is the rule of what is no valid schema.
func invalid(p place) string {
	keyword, _, _ := strings.Cut(p.keyword, ".")
	switch keyword {
	case "":
		if _, isSchema := p.schema.(map[string]any); !isSchema {
			return "not-a-schema"
		}
	case "properties":
		return "properties-list"
	case "required":
		if _, isBool := p.value.(bool); isBool && p.property != "" {
			return "required-on-property"
		}
		return "required-not-list"
	case "exclusiveMinimum", "exclusiveMaximum":
		return "exclusive-bound"
	case "type":
		return "unknown-type"
	case "enum":
		return "enum-values"
	case "items":
		return "items-list"
	case "pattern":
		return "pattern"
	}
	return "invalid-schema"
}
