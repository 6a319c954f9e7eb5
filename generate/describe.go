package generate

import "strings"

// Four parameters stand on most routes, in words of WordPress core that speak
// to its developers (WP_REST_Controller::get_collection_params and
// get_context_param, the delete_item arguments of its controllers). A model
// gets words it can act on instead; whatever else a site says of them stays.

// standard are core's own sentences, in their only untranslated form; and of
// WooCommerce, which spells one of them its own way.
var standard = map[string]bool{
	"Maximum number of items to be returned in result set.":                         true,
	"Current page of the collection.":                                               true,
	"Scope under which the request is made; determines fields present in response.": true,
	"Whether to bypass Trash and force deletion.":                                   true,
	"Whether to bypass trash and force deletion.":                                   true,
}

// contexts are the values of core's context, and what each gives.
var contexts = map[string]string{
	"view": "view to read", "edit": "edit for the raw text before changing it", "embed": "embed for a summary",
}

// describe rewords per_page, page, context and force of a route, each where it
// is of its usual type and the site says core's sentence of it, or nothing.
func describe(args []Arg, method string) {
	pages := false
	for _, a := range args {
		pages = pages || a.Wire == "per_page"
	}
	for _, a := range args {
		s := a.Schema
		silent := s.Description == ""
		if !silent && !standard[s.Description] || a.In == InPath {
			continue
		}
		switch {
		case a.Wire == "per_page" && s.Is("integer"):
			s.Description = "How many items to return at once."
		case a.Wire == "page" && s.Is("integer") && (pages || !silent):
			s.Description = "Which page of the list, from 1; the answer gives total_pages."
		case a.Wire == "context" && s.Is("string"):
			if words := contextWords(s.Enum); words != "" || !silent {
				s.Description = "What to return" + words + "."
			}
		case a.Wire == "force" && s.Is("boolean") && (method == "DELETE" || !silent):
			s.Description = "true deletes for good; otherwise it goes to the trash, and is refused where the site has none."
		}
	}
}

// contextWords explains the values of a context; empty where one is unknown.
func contextWords(enum []any) string {
	var words []string
	for _, v := range enum {
		value, _ := v.(string)
		word := contexts[value]
		if word == "" {
			return ""
		}
		words = append(words, word)
	}
	if words == nil {
		return ""
	}
	return ": " + strings.Join(words, ", ")
}
