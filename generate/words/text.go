package words

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// addressed are phrases that speak to the model and not of the tool. A short list
// of what descriptions that were written to mislead have in common: it finds
// carelessness, and no author who hides what he means.
var addressed = regexp.MustCompile(`(?i)\b(?:` + strings.Join([]string{
	`(?:ignore|disregard|forget)(?: (?:all|any|the|your|of))* (?:previous|prior|above|earlier|other) ?(?:instructions?|rules?|messages?|prompts?|tools?)?`,
	`you must`,
	`you are (?:an? )?(?:ai|assistant|agent|model)`,
	`(?:always|first) (?:call|use|run|invoke) (?:this|the|it|me)`,
	`always call`,
	`(?:before|instead of) (?:calling |using )?any other tool`,
	`(?:never|do not|don't) (?:call|use) (?:any |the )?other tools?`,
	`(?:do not|don't|never) (?:tell|inform|mention|reveal|show|ask)(?: \w+){0,3} (?:the )?user`,
	`system prompt`,
	`new instructions`,
}, "|") + `)\b`)

// Order is the first order to the model in a text; empty where there is none.
func Order(text string) string { return addressed.FindString(text) }

var (
	markup = regexp.MustCompile("</?[a-zA-Z!][^>]*>|&(?:[a-zA-Z]+|#\\d+);|\\[[^\\]]+\\]\\([^)]+\\)|\\*\\*|```|(?m:^#{1,6} )")
	// routeText is a method before something, or a path below a version.
	routeText = regexp.MustCompile(`\b(?:GET|POST|PUT|PATCH|DELETE) |wp-json|/[a-zA-Z0-9_-]+/v\d+\b`)
)

// Markup is the first mark of HTML or Markdown in a text; empty where there is none.
func Markup(text string) string { return strings.TrimSpace(markup.FindString(text)) }

// RouteText is the first of a text that says how the site is asked; empty where
// there is none.
func RouteText(text string) string { return strings.TrimSpace(routeText.FindString(text)) }

// noVerbs are first words of descriptions that begin with something else. A list
// of verbs would never be whole; these are few.
var noVerbs = strings.Fields(`
	a an the this that these those it its i we you your our my they there here
	what which who whose when where why how whether
	all any each every some no one
	of for from in on at by with to about after before if
	tool endpoint function api ability action operation method plugin wordpress woocommerce
	is are was were can will should must may allows`)

// verbsInIng are verbs that end like a gerund.
var verbsInIng = []string{"bring", "ping", "ring", "sing", "string"}

// NoVerb is the first word of an English description, in lower case, where it is
// not the verb it should begin with: an article, a pronoun, a question or a
// preposition, a name of the tool itself, or a word in -ing. Empty where it may be one.
func NoVerb(description string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(description), " ")
	first = strings.ToLower(strings.TrimFunc(first, notLetter))
	if !noVerb(first) {
		return ""
	}
	return first
}

func noVerb(word string) bool {
	return slices.Contains(noVerbs, word) || strings.HasSuffix(word, "ing") && !slices.Contains(verbsInIng, word)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// English reports a language, as an HTML lang or a WordPress locale names it, in
// which the rules about words hold. Where none is said, it is what this product's
// own texts are.
func English(lang string) bool {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(lang), "_", "-"), "-")
	return primary == "" || primary == "en"
}
