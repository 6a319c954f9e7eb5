package wptest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// list is the posts controller's get_items.
func (c postController) list(r *request) (*answer, *fault) {
	orderby := r.str("orderby")
	if orderby == "relevance" && r.str("search") == "" {
		return nil, failed(http.StatusBadRequest, "rest_no_search_term_defined", "Ordering by relevance needs words to search for.")
	}
	if orderby == "include" && len(r.integers("include")) == 0 {
		return nil, failed(http.StatusBadRequest, "rest_orderby_include_missing_include", "Ordering by include needs include.")
	}
	var found []*post
	for _, p := range r.posts {
		if p.kind == c.kind && r.wants(p) {
			found = append(found, p)
		}
	}
	r.order(found, orderby)
	part, p := cut(r, found)
	if len(part) == 0 && p.number == 1 {
		p.total, p.pages = 0, 0 // an offset behind the last one: WP_Query counts nothing
	}
	if p.number > p.pages && p.total > 0 {
		return nil, failed(http.StatusBadRequest, "rest_post_invalid_page_number", "There are fewer pages than that.")
	}
	items := []any{}
	for _, post := range part {
		if r.inEdit() && !r.user.canEdit(post) || !r.inEdit() && !r.canRead(r.user, post) {
			continue // counted, and not shown
		}
		items = append(items, r.showPost(post, r.str("context")))
	}
	return r.paged(items, p), nil
}

// wants tells whether the request asks for the post.
func (r *request) wants(p *post) bool {
	in := func(name string, value int) bool {
		list := r.integers(name)
		return len(list) == 0 || slices.Contains(list, value)
	}
	out := func(name string, value int) bool { return !slices.Contains(r.integers(name), value) }
	slugs := r.words("slug")
	return r.inState(p) && r.inTime(p) && r.matches(p) && r.ofFile(p) &&
		in("include", p.id) && out("exclude", p.id) && in("author", p.author) && out("author_exclude", p.author) &&
		in("parent", p.parent) && out("parent_exclude", p.parent) &&
		(!r.given("menu_order") || r.integer("menu_order") == p.order) &&
		(!r.given("sticky") || r.truth("sticky") == p.sticky) &&
		(!r.given("format") || slices.Contains(r.words("format"), p.format)) &&
		(len(slugs) == 0 || slices.Contains(slugs, p.slug)) && r.inTerms(p)
}

func (r *request) inState(p *post) bool {
	states := r.words("status")
	return slices.Contains(states, p.status) || slices.Contains(states, "any") && p.status != "trash"
}

func (r *request) inTime(p *post) bool {
	ok := true
	for name, test := range map[string]func(at string) bool{
		"after":           func(at string) bool { return p.date.Format(wire) > at },
		"before":          func(at string) bool { return p.date.Format(wire) < at },
		"modified_after":  func(at string) bool { return p.modified.Format(wire) > at },
		"modified_before": func(at string) bool { return p.modified.Format(wire) < at },
	} {
		if value := r.str(name); value != "" {
			at, offset, _ := parseDate(value)
			if offset {
				at = toLocal(at)
			}
			ok = ok && test(at.Format(wire))
		}
	}
	return ok
}

// matches is WP_Query's search: each word somewhere in title, excerpt or text.
func (r *request) matches(p *post) bool {
	columns := map[string]string{"post_title": p.title, "post_excerpt": p.excerpt, "post_content": p.content}
	var where strings.Builder
	for name, value := range columns {
		if only := r.words("search_columns"); len(only) == 0 || slices.Contains(only, name) {
			where.WriteString(strings.ToLower(value) + "\n")
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(r.str("search"))) {
		if !strings.Contains(where.String(), strings.Trim(word, `"'`)) {
			return false
		}
	}
	return true
}

// rank is smaller the closer a post comes to what is searched for: the words
// in its title, all of them, one of them, or only in its text
// (WP_Query::parse_search_order).
func (r *request) rank(p *post) int {
	title, sentence := strings.ToLower(p.title), strings.ToLower(r.str("search"))
	words := strings.Fields(sentence)
	in := func(word string) bool { return strings.Contains(title, word) }
	switch {
	case in(sentence):
		return 1
	case !slices.ContainsFunc(words, func(w string) bool { return !in(w) }):
		return 2
	case slices.ContainsFunc(words, in):
		return 3
	case strings.Contains(strings.ToLower(p.excerpt), sentence):
		return min(4, len(words)+2) // one word: only the title counts
	}
	return min(5, len(words)+2)
}

func (r *request) ofFile(p *post) bool {
	if p.file == nil {
		return true
	}
	kinds, mimes := r.words("media_type"), r.words("mime_type")
	family, _, _ := strings.Cut(p.file.mime, "/")
	return (len(kinds) == 0 || slices.Contains(kinds, family)) && (len(mimes) == 0 || slices.Contains(mimes, p.file.mime))
}

// inTerms reads the four filters by term, each a list or an object.
func (r *request) inTerms(p *post) bool {
	fits, either, any := true, false, false
	for _, filter := range []struct {
		name string
		has  []int
	}{{"categories", p.categories}, {"tags", p.tags}} {
		if terms, all := r.termsOf(filter.name); len(terms) > 0 {
			hit := 0
			for _, id := range terms {
				if slices.Contains(filter.has, id) {
					hit++
				}
			}
			ok := hit > 0 && (!all || hit == len(terms))
			fits, either, any = fits && ok, either || ok, true
		}
		terms, _ := r.termsOf(filter.name + "_exclude")
		if slices.ContainsFunc(terms, func(id int) bool { return slices.Contains(filter.has, id) }) {
			return false
		}
	}
	if any && r.str("tax_relation") == "OR" {
		return either
	}
	return fits
}

func (r *request) termsOf(name string) (terms []int, all bool) {
	object, ok := r.get(name).(map[string]any)
	if !ok {
		return r.integers(name), false
	}
	for _, v := range listOf(object["terms"]) {
		n, _ := number(v)
		terms = append(terms, int(n))
	}
	return terms, object["operator"] == "AND"
}

// order sorts as WP_Query does; of equals the newer comes first.
func (r *request) order(found []*post, by string) {
	include, slugs := r.integers("include"), r.words("slug")
	compare := func(a, b *post) int {
		switch by {
		case "id":
			return cmp.Compare(a.id, b.id)
		case "author":
			return cmp.Compare(a.author, b.author)
		case "title":
			return cmp.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
		case "slug":
			return cmp.Compare(a.slug, b.slug)
		case "modified":
			return a.modified.Compare(b.modified)
		case "parent":
			return cmp.Compare(a.parent, b.parent)
		case "menu_order":
			return cmp.Compare(a.order, b.order)
		case "relevance":
			return cmp.Or(cmp.Compare(r.rank(b), r.rank(a)), a.date.Compare(b.date))
		}
		return a.date.Compare(b.date)
	}
	switch by {
	case "include":
		slices.SortStableFunc(found, func(a, b *post) int {
			return cmp.Compare(slices.Index(include, a.id), slices.Index(include, b.id))
		})
		return
	case "include_slugs":
		slices.SortStableFunc(found, func(a, b *post) int {
			return cmp.Compare(slices.Index(slugs, a.slug), slices.Index(slugs, b.slug))
		})
		return
	}
	direction := -1
	if r.str("order") == "asc" && by != "relevance" {
		direction = 1
	}
	slices.SortStableFunc(found, func(a, b *post) int {
		return cmp.Or(direction*compare(a, b), direction*cmp.Compare(a.id, b.id))
	})
}
