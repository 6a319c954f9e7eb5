package wptest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func (c termController) create(r *request) (*answer, *fault) {
	name := strings.TrimSpace(r.str("name"))
	if name == "" {
		return nil, failed(0, "empty_term_name", "The term has no name.")
	}
	same := func(t *term) bool {
		return t.taxonomy == c.taxonomy && t.parent == r.integer("parent") && strings.EqualFold(t.name, name) && (r.str("slug") == "" || t.slug == slugOf(r.str("slug")))
	}
	if at := slices.IndexFunc(r.terms, same); at >= 0 {
		f := failed(http.StatusBadRequest, "term_exists", "There is such a term already.")
		f.data = map[string]any{"term_id": r.terms[at].id}
		f.more = []any{r.terms[at].id, r.terms[at].id}
		return nil, f
	}
	t := &term{taxonomy: c.taxonomy, name: name}
	if f := c.fill(r, t); f != nil {
		return nil, f
	}
	t.id, r.nextTerm = r.nextTerm, r.nextTerm+1
	r.terms = append(r.terms, t)
	r.set("context", "edit")
	return created(r.showTerm(t, "edit"), r.rest("/wp/v2/"+c.base+"/"+strconv.Itoa(t.id))), nil
}

func (c termController) update(r *request) (*answer, *fault) {
	t, f := c.find(r)
	if f != nil {
		return nil, f
	}
	if f := c.fill(r, t); f != nil {
		return nil, f
	}
	r.set("context", "edit")
	return &answer{data: r.showTerm(t, "edit")}, nil
}

func (c termController) fill(r *request, t *term) *fault {
	if r.given("name") && strings.TrimSpace(r.str("name")) == "" {
		return failed(0, "empty_term_name", "The term has no name.")
	}
	slug := r.str("slug")
	if slug != "" && t.id != 0 && r.termSlug(t, slug) != slugOf(slug) {
		return failed(0, "duplicate_term_slug", "Another term has this slug.")
	}
	if parent := r.integer("parent"); r.given("parent") {
		if !c.hierarchical {
			return failed(http.StatusBadRequest, "rest_taxonomy_not_hierarchical", "Terms of this taxonomy have no parent.")
		}
		if parent != 0 && r.term(parent, c.taxonomy) == nil {
			return failed(http.StatusBadRequest, "rest_term_invalid", "There is no such parent.")
		}
		t.parent = parent
		for up := r.term(parent, c.taxonomy); up != nil; up = r.term(up.parent, c.taxonomy) {
			if up == t {
				t.parent = 0 // wp_check_term_hierarchy_for_loops
				break
			}
		}
	}
	if r.given("name") {
		t.name = strings.TrimSpace(r.str("name"))
	}
	if r.given("description") {
		t.description = r.str("description")
	}
	if slug != "" {
		t.slug = r.termSlug(t, slug)
	}
	if t.slug == "" {
		t.slug = r.termSlug(t, t.name)
	}
	return nil
}

// termSlug adds a number where another term has the slug
// (wp_unique_term_slug).
func (s *Site) termSlug(t *term, title string) string {
	slug := slugOf(title)
	for n := 2; slices.ContainsFunc(s.terms, func(o *term) bool { return o != t && o.slug == slug && o.taxonomy == t.taxonomy }); n++ {
		slug = slugOf(title) + "-" + strconv.Itoa(n)
	}
	return slug
}

func (c termController) delete(r *request) (*answer, *fault) {
	t, f := c.find(r)
	if f != nil {
		return nil, f
	}
	if !r.truth("force") {
		return nil, failed(http.StatusNotImplemented, "rest_trash_not_supported", "Terms have no trash. Set force=true to delete.")
	}
	was := r.showTerm(t, "view")
	r.terms = slices.DeleteFunc(r.terms, func(o *term) bool { return o == t })
	for _, p := range r.posts {
		gone := func(id int) bool { return id == t.id }
		p.categories, p.tags = slices.DeleteFunc(p.categories, gone), slices.DeleteFunc(p.tags, gone)
		if p.kind == postKind && len(p.categories) == 0 {
			p.categories = []int{r.settings["default_category"].(int)}
		}
	}
	return &answer{data: deleted(was)}, nil
}
