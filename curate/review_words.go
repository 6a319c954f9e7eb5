package curate

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

// orderIn is the first order in a text; empty where there is none.
func orderIn(text string) string { return addressed.FindString(text) }

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

// noVerb reports that a word, in lower case, is not the verb a description should
// begin with: an article, a pronoun, a question or a preposition, a name of the
// tool itself, or a word in -ing.
func noVerb(word string) bool {
	return slices.Contains(noVerbs, word) || strings.HasSuffix(word, "ing") && !slices.Contains(verbsInIng, word)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
