package generate

import (
	"regexp"
	"slices"
	"strings"
)

// A site may offer one thing twice: as a route, and as an ability its author
// made for agents. Tools prefer the ability, so each route operation says which
// ability does the same. Two rules find it, and both would rather miss one than
// hide a route that does something else:
//
//   - the table of what core's abilities repeat (wp-includes/abilities.php);
//   - by words: the ability's vendor is the namespace's, its verb means what the
//     method does, its other words are those of the path, singular or plural, and
//     both read or both write. acme/get-thing is GET /acme/v1/things/{id},
//     woocommerce/products-delete is DELETE /wc/v3/products/{id}. Every version
//     of a namespace counts; a longer one such as wc/store/v1 is another thing.
var coreOverlaps = map[string]string{
	"GET /":               "ability:core/get-site-info",
	"GET /wp/v2/users/me": "ability:core/get-user-info",
}

// vendorNamespaces are the beginnings of namespaces that are not their vendor's
// name.
var vendorNamespaces = map[string]string{"core": "wp", "woocommerce": "wc"}

// verbs are the words of an ability's name that say what it does. search is
// none of them: it need not find what a list shows.
var verbs = map[string]string{
	"list": "list", "find": "list",
	"get": "get", "read": "get", "fetch": "get", "retrieve": "get", "show": "get", "view": "get",
	"create": "create", "add": "create",
	"update": "update", "edit": "update", "set": "update",
	"delete": "delete", "remove": "delete",
}

// spoken is what an ability's name says, or a route's method and path.
type spoken struct {
	op    *Operation
	verb  string   // get, create, update or delete; an ability's may be list
	nouns []string // as they are written
	last  bool     // the verb is the name's last word: products-get
	item  bool     // a route's path ends in a placeholder
}

// findOverlaps sets SameAs. Operations are in the order of their IDs: of two
// abilities that fit, the first is taken.
func (s *Surface) findOverlaps() {
	abilities := map[string][]spoken{}
	for _, o := range s.Operations {
		if vendor, words, ok := abilityWordsOf(o); ok {
			key := overlapKey(vendor, words.nouns)
			abilities[key] = append(abilities[key], words)
		}
	}
	for _, o := range s.Operations {
		if same := coreOverlaps[o.ID]; same != "" && s.Operation(same) != nil {
			o.SameAs = same
		}
		vendor, words, ok := routeWordsOf(o)
		if !ok || o.SameAs != "" || len(abilities) == 0 {
			continue
		}
		same := abilities[overlapKey(vendor, words.nouns)]
		if at := slices.IndexFunc(same, func(a spoken) bool { return a.does(words) }); at >= 0 {
			o.SameAs = same[at].op.ID
		}
	}
}

// does reports that an ability does what a route with the same nouns does. An
// ability that takes nothing cannot be about one item; one that takes something
// is when its verb stands last, when its noun is not the path's own but the
// singular of it, or when it requires something.
func (a spoken) does(r spoken) bool {
	takes := len(a.op.Args) > 0 || a.op.Extra != nil
	if a.op.Annotations.ReadOnly != r.op.Annotations.ReadOnly || strings.Contains(r.op.Route, "{") && !takes {
		return false
	}
	own := a.nouns[len(a.nouns)-1] == r.nouns[len(r.nouns)-1]
	item := takes && (a.last || !own || slices.ContainsFunc(a.op.Args, func(g Arg) bool { return g.Required }))
	switch {
	case a.verb == "list":
		return r.verb == "get" && !r.item
	case a.verb != r.verb:
		return false
	case a.verb == "create":
		return true
	case r.item:
		return item
	}
	return own && !item && a.verb != "delete"
}

func overlapKey(vendor string, nouns []string) string {
	one := []string{vendor}
	for _, n := range nouns {
		one = append(one, singular(n))
	}
	return strings.Join(one, " ")
}

// abilityWordsOf reads an ability's name: its first or its last word is a verb.
func abilityWordsOf(o *Operation) (vendor string, s spoken, ok bool) {
	vendor, rest, _ := strings.Cut(o.Ability, "/")
	if n := vendorNamespaces[vendor]; n != "" {
		vendor = n
	}
	words := strings.Split(word(rest), "_")
	last := len(words) - 1
	s = spoken{op: o}
	switch {
	case last < 1:
		return "", s, false
	case verbs[words[0]] != "":
		s.verb, s.nouns = verbs[words[0]], words[1:]
	case verbs[words[last]] != "":
		s.verb, s.nouns, s.last = verbs[words[last]], words[:last], true
	}
	return vendor, s, s.verb != ""
}

var versioned = regexp.MustCompile(`^([^/]+)(?:/v\d[\d.]*)?$`)

// routeWordsOf reads a route's path: what is written out in it.
func routeWordsOf(o *Operation) (vendor string, s spoken, ok bool) {
	m := versioned.FindStringSubmatch(o.Namespace)
	if m == nil {
		return "", s, false
	}
	s = spoken{op: o, item: strings.HasSuffix(o.Route, "}"), verb: "update"}
	switch {
	case o.Method == "GET":
		s.verb = "get"
	case o.Method == "DELETE":
		s.verb = "delete"
	case o.Method == "POST" && !s.item && len(o.Spellings) == 1:
		s.verb = "create"
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(o.Route, "/"+o.Namespace), "/") {
		if w := word(part); w != "" && !strings.Contains(part, "{") {
			s.nouns = append(s.nouns, strings.Split(w, "_")...)
		}
	}
	return m[1], s, len(s.nouns) > 0
}
