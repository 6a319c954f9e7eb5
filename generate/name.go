package generate

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"toolpress/generate/schema"
)

// routeName proposes a name for a route's operation, such as list_posts,
// get_post, wc_update_order: from the identity and the endpoint itself alone,
// so that no neighbour, new or gone, ever renames a tool. The namespace wp/v2
// has no prefix, wc/v3 has "wc", every other namespace its own name with the
// version.
func routeName(id, namespace, path, method string, pages, edits bool) string {
	words, item := routeWords(strings.Trim(strings.TrimPrefix(path, "/"+namespace), "/"))
	if namespace != "" && path == "/"+namespace {
		words = []string{"namespace"}
	}
	verb := map[string]string{"GET": "get", "DELETE": "delete", "PUT": "update", "PATCH": "update", "POST": "create"}[method]
	switch {
	case method == "GET" && pages && !item:
		verb = "list"
	case method == "POST" && (item || edits):
		verb = "update"
	}
	prefix := namespace
	switch namespace {
	case "wp/v2":
		prefix = ""
	case "wc/v3":
		prefix = "wc"
	}
	return propose(id, prefix+" "+verb+" "+strings.Join(words, " "))
}

// routeWords are the words of a path and whether it ends in a placeholder. A
// segment before a placeholder becomes singular. The placeholder's own name is
// added where the words would not tell the route from a neighbour: at the end,
// unless it is "id" or the word itself; after a word that has no singular; after
// another placeholder; and for a slug.
func routeWords(path string) (words []string, item bool) {
	var by []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		placeholder := strings.HasPrefix(s, "{")
		switch before := ""; {
		case placeholder:
			if i > 0 {
				before = segments[i-1]
			}
			name := strings.Trim(s, "{}")
			last := i == len(segments)-1 && name != "id" && word(name) != word(singular(before))
			if name == "slug" || strings.HasPrefix(before, "{") || last || (i == len(segments)-1 && before == singular(before)) {
				by = append(by, "by "+name)
			}
		case s == "":
		case i+1 < len(segments) && strings.HasPrefix(segments[i+1], "{"):
			words = append(words, singular(s))
		default:
			words = append(words, s)
		}
		item = placeholder
	}
	if words == nil {
		words = []string{"index"}
	}
	return append(words, by...), item
}

// abilityName proposes a name for an ability: its own, as one word.
func abilityName(id, name string) string { return propose(id, name) }

// propose makes a name of words that every client takes. Gemini refuses a digit
// at its beginning; what another script says is lost, and a hash of the identity
// stands for it.
func propose(id, words string) string {
	name := word(words)
	switch {
	case name == "":
		name = "operation"
	case name[0] >= '0' && name[0] <= '9':
		name = "_" + name
	}
	if name == "operation" || strings.ContainsFunc(id, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return schema.Hashed(id, name, maxToolName)
	}
	return schema.Fit(id, name, maxToolName)
}

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

func word(s string) string {
	return strings.Trim(notWord.ReplaceAllString(strings.ToLower(s), "_"), "_")
}

// singular turns the last word of a segment into the name of one item.
func singular(segment string) string {
	switch {
	case strings.HasSuffix(segment, "ies"):
		return strings.TrimSuffix(segment, "ies") + "y"
	case strings.HasSuffix(segment, "sses"), strings.HasSuffix(segment, "xes"), strings.HasSuffix(segment, "shes"), strings.HasSuffix(segment, "ches"), strings.HasSuffix(segment, "uses"):
		return strings.TrimSuffix(segment, "es")
	case strings.HasSuffix(segment, "ss"), strings.HasSuffix(segment, "us"), strings.HasSuffix(segment, "is"):
		return segment
	}
	return strings.TrimSuffix(segment, "s")
}
