package lint

import (
	"fmt"
	"slices"

	"toolpress/generate/words"
)

// Rule is one thing that may be wrong with an ability or a route.
type Rule struct {
	// ID names it; it never changes.
	ID string
	// Severity is the worst a finding has. What is refused only by contested rules
	// of clients is a warning.
	Severity Severity
	// Says is what is wrong, in one sentence without an end.
	Says string
	// remedy is what to write. {at} is the place, {key} the array key that holds the
	// schema, {name} the last name on the way, {value} what is written there.
	remedy string
	// with changes what {value} and {name} are.
	with func(p place, what string) (name, value string)
}

// Rules is all of them, in the order of the reference (docs/lint.md).
func Rules() []Rule {
	return slices.Concat(rootRules, objectRules, typeRules, keywordRules, outputRules, nameRules, textRules, annotationRules, argumentRules)
}

var rootRules = []Rule{
	{"root-not-object", Error, "the input is no object, or may be something else", "write {at} as array( 'type' => 'object', 'properties' => array( … ) ), with what it is now as a property", nil},
	{"root-combinator", Error, "the input is put together of alternatives", "list all properties in the one `properties` of {at}, none of the alternatives' required, and say in `description` which belong together", nil},
	{"no-tool", Error, "toolpress can make no tool of it", "say less in {at}: fewer levels, fewer names", nil},
}

var objectRules = []Rule{
	{"properties-list", Error, "`properties` is a list: PHP's empty array() is encoded as []", "`'properties' => array()` is encoded as []: name the properties of {at}, or leave {leave} out. `(object) array()` is {}, but core stops with a PHP error when a property is sent", leave},
	{"no-properties", Error, "an object does not name its properties", "name the `properties` of {at}: 'properties' => array( 'id' => array( 'type' => 'integer' ) ); or leave {leave} out", leave},
	{"not-a-schema", Error, "something else stands where a schema belongs", "write a schema for {at}: array( 'type' => 'string' )", nil},
	{"property-name", Error, "a property has a name that clients refuse", "rename {at} to `{value}`: letters, digits and _", safeName},
	{"required-on-property", Error, "`required` is written on a property, as draft-03 had it", "take `'required' => true` out of {at}, and write `'required' => array( '{name}' )` beside the `properties` that it is one of (of an argument of a route, the index then shows the argument itself as required)", nil},
	{"required-not-list", Error, "`required` is no list of names", "write `required` of {at} as a list, 'required' => array( 'id' ), or leave it out", nil},
	{"required-unknown", Error, "`required` names something that is no property", "describe in `properties` of {at} what is required, or take it out of `required`", nil},
	{"too-deep", Error, "more objects stand in one another than a client takes", "take fewer levels into {at}", nil},
}

var typeRules = []Rule{
	{"unknown-type", Error, "a type is none of JSON Schema's", "write {value} for {at}", knownType},
	{"type-list", Error, "a value has several types", "give {at} one type: 'type' => '{value}'. What may be left out is not in `required`; it need not be null", oneType},
	{"no-type", Error, "a value has no type", "give `type` to {at}: 'type' => 'string'", nil},
	{"no-items", Error, "an array does not say what its items are", "give `items` to {at}: 'items' => array( 'type' => 'string' )", nil},
	{"items-list", Error, "`items` is a list", "write `items` of {at} as one schema: 'items' => array( 'type' => 'string' )", nil},
	{"enum-type", Error, "an enum has values that are no texts", "write the values of `enum` of {at} as texts, with 'type' => 'string'; or leave `enum` out and give `minimum` and `maximum`", nil},
	{"enum-empty-text", Error, "an enum has the empty text", "take '' out of `enum` of {at}: who means nothing leaves it out", nil},
	{"enum-values", Error, "`enum` is no list of different values", "write `enum` of {at} as a list: array_values( array_unique( … ) )", nil},
	{"default-mismatch", Warning, "a default is none that the schema takes", "give {at} a `default` that it takes, or none", nil},
}

var keywordRules = []Rule{
	{"combinator", Error, "a value is put together of alternatives or conditions", "write one schema for {at}, and say in its `description` what else it may be", nil},
	{"exclusive-bound", Error, "a bound is exclusive", "write the outermost value that {at} takes as `{value}`, without `{name}`", bound},
	{"format", Error, "a format is one that clients refuse", "take `format` out of {at}, and say it in its `description`: date-time alone is taken by all", nil},
	{"reference", Error, "a schema refers to another", "write the schema itself in {at}, in place of the reference", nil},
	{"internal-keyword", Error, "a schema has keywords that are WordPress's own", "take `{name}` out of {at}: it is WordPress's own. Check the value in the callback", keyword},
	{"other-keyword", Error, "a schema has keywords that clients refuse", "take `{name}` out of {at}, and say it in its `description`", keyword},
	{"pattern", Error, "a pattern is no regular expression", "mend `pattern` of {at}: {value}", message},
	{"invalid-schema", Error, "a schema is not valid", "mend {at}: {value}", message},
	{"additional-properties", Warning, "an object says what else it takes", "where that client matters, leave `additionalProperties` out of {at}, and look at the names in the callback", nil},
	{"length-limit", Warning, "a length or a number of properties is bounded", "where that client matters, say the limit in the `description` of {at}, and check it in the callback", nil},
}

var outputRules = []Rule{
	{"output-not-object", Error, "the answer is no object", "write {at} as array( 'type' => 'object', 'properties' => array( 'result' => … ) ), and return array( 'result' => … )", nil},
	{"no-output-schema", Info, "nothing says what comes back", "give `output_schema`: array( 'type' => 'object', 'properties' => array( … ) )", nil},
}

var nameRules = []Rule{
	{"tool-name", Error, "the name is one that clients refuse", "begin the name with a letter", nil},
	{"long-name", Error, fmt.Sprintf("the name is longer than %d characters, before which clients put the server's, or than the 64 that clients take", words.LongestName), "shorten the name", nil},
	{"name-collision", Error, "another ability becomes the same tool: a tool's name has no slash", "rename one of the two", nil},
	{"visibility-conflict", Warning, "the ability is public, and kept from MCP", "say one of `'public' => true` and `'mcp' => array( 'public' => false )` in `meta`", nil},
	{"mcp-unsaid", Info, "the ability is in REST, and nothing says whether it is for MCP", "say `'public' => true`, or `'mcp' => array( 'public' => true )` or false, in `meta`", nil},
}

var textRules = []Rule{
	{"no-label", Warning, "it has no label", "give `label`: a few words for people", nil},
	{"no-category", Warning, "it has no category", "give `category`, registered with wp_register_ability_category()", nil},
	{"no-description", Warning, "nothing says what it does, or only the label again", "say in `description` what it does, what it returns and when to use it", nil},
	{"description-length", Warning, fmt.Sprintf("a description is shorter than %d characters, or longer than %d", words.ShortDescription, words.LongDescription), "say in `description` what it does, what it returns and when to use it", nil},
	{"verb-first", Warning, "an English description does not begin with a verb", "begin `description` with what it does, such as Find or Change", nil},
	{"markup", Warning, "markup costs tokens and says nothing to a model", "write `description` as plain sentences", nil},
	{"route-text", Warning, "a model has no use for routes and methods", "say in `description` what it does, not how the site is asked", nil},
	{"same-description", Warning, "another ability has the same description", "say in each `description` when to use which", nil},
	{"speaks-to-model", Warning, "a text gives orders to the model", "say in {at} what it is, not what a model has to do", nil},
	{"invisible-characters", Warning, "a text has characters that nobody sees", "write {at} without {value}", message},
}

var annotationRules = []Rule{
	{"missing-annotations", Warning, "it does not say what it may do to the site", "say {value} in `'meta' => array( 'annotations' => array( … ) )`: what is not said is taken for the worst", message},
	{"annotation-type", Warning, "an annotation is neither true nor false", "write {at} as true or false: core reads every other value by PHP's truth, and clients do not", nil},
	{"annotation-conflict", Warning, "it only reads, and destroys", "say one of `'readonly' => true` and `'destructive' => true` in `annotations`", nil},
	{"annotation-name", Warning, "its annotations say something else than its name", "mend {at}, or the name", nil},
}

var argumentRules = []Rule{
	{"undescribed-argument", Warning, "an argument has no description", "give `description` to {at}", nil},
	{"many-arguments", Warning, fmt.Sprintf("more than %d arguments", words.MostArguments), "take fewer arguments into {at}: two abilities are easier to use than one with many", nil},
	{"long-enum", Warning, fmt.Sprintf("a choice has more than %d values", words.LongestEnum), "leave fewer values in `enum` of {at}, or take a text and look it up", nil},
	{"unbounded-list", Warning, "it returns any number of items", "give `maximum` to {at}: 'maximum' => 100", nil},
	{"large-query", Warning, "it takes much, and is asked in a URL: hosts refuse URLs of some 8,000 bytes", "give {value} to {at}", message},
}
