package schema

// Repair is one change made to what the site said.
type Repair struct {
	// Path is the place: an argument's name, then schema keywords, dotted.
	Path string `json:"path"`
	// Rule names the repair; the same rule mends the same fault everywhere.
	Rule string `json:"rule"`
	// Before and After are what was there and what is there now, as JSON cut to
	// 40 bytes; empty where the repair added or dropped it.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// RepairRules names every repair of a schema, and says what it does.
// docs/schemas.md shows how often each is needed.
func RepairRules() map[string]string {
	return map[string]string{
		"argument-dropped":       "an argument whose schema is none, or whose name a query cannot carry, is left out",
		"argument-opened":        "a required argument whose schema is none takes anything",
		"argument-renamed":       "an argument gets a name that every client takes; the site still gets its own",
		"default-dropped":        "a default that the schema itself does not take is left out",
		"default-to-list":        "the default of a list, given as one item, becomes a list",
		"default-to-object":      "PHP's empty array as the default of an object becomes an object",
		"enum-cast":              "a number in an enum of texts becomes a text",
		"enum-dropped":           "an enum without values, or with too many, is left out",
		"enum-duplicate":         "a value that an enum has twice stays once",
		"enum-to-list":           "an enum that PHP wrote as a map becomes a list",
		"enum-value-dropped":     "a value of another type, or one that is not seen, leaves an enum",
		"exclusive-bound":        "an exclusive bound becomes the inclusive one beside it, or the number of 2020-12",
		"format-to-description":  "a format that JSON Schema does not have moves into the description",
		"items-added":            "an array without items gets items of any kind",
		"items-opened":           "a schema for each place of a list becomes items of any kind: WordPress does not read it",
		"keyword-dropped":        "a keyword that is none of JSON Schema's, or whose value is none, is left out",
		"keyword-renamed":        "draft-03's name of a keyword becomes today's",
		"null-dropped":           "what goes in a query is not null: leaving it out is how to say that",
		"number-from-text":       "a bound that PHP wrote as text becomes a number",
		"one-of-to-any-of":       "oneOf becomes anyOf: without what told its variants apart it would refuse what the site takes",
		"part-dropped":           "what stands where a schema belongs, and is none, is left out",
		"pattern-dropped":        "a pattern that not every client reads alike is left to the site",
		"properties-opened":      "patternProperties become additionalProperties: which names they mean is left to the site",
		"properties-to-object":   "PHP's empty array as properties becomes an object",
		"property-added":         "a name that is required and not described is described as anything",
		"property-dropped":       "a property whose schema or name is none is left out",
		"property-opened":        "a required property whose schema is none takes anything",
		"property-renamed":       "a property gets a name that every client takes; the site still gets its own",
		"recursion-cut":          "where a schema comes round to itself, the inner one keeps its type and description alone",
		"reference-dropped":      "a reference to nothing is left out",
		"reference-inlined":      "what a reference within the schema names stands in its place",
		"repairs-counted":        "what else is repaired of an operation's schemas, beyond 200 repairs, is only counted",
		"required-dropped":       "what is no list of names is left out of required",
		"required-lifted":        "draft-03's required on a property becomes a name in its object's required",
		"root-combinator-merged": "the properties of an ability's root anyOf, oneOf or allOf become its own, optional",
		"type-dropped":           "a type that is none is left out",
		"type-inferred":          "a schema without a type gets the one its properties or items speak of",
		"type-opened":            "PHP's mixed becomes any type",
		"type-renamed":           "PHP's name of a type becomes JSON Schema's",
		"type-to-format":         "a type such as date-time becomes a text of that format",
	}
}
