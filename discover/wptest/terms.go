package wptest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// taxonomy is a kind of term.
type taxonomy struct {
	name, base   string
	resource     *resource
	hierarchical bool
	class        string // before a slug, in a post's CSS classes
	path         string // before a slug, in an address
}

var (
	categories = &taxonomy{name: "category", base: "categories", resource: categoryResource, hierarchical: true, class: "category-", path: "/category/"}
	tags       = &taxonomy{name: "post_tag", base: "tags", resource: tagResource, class: "tag-", path: "/tag/"}
)

// termRoutes are a taxonomy's routes (WP_REST_Terms_Controller).
func termRoutes(t *taxonomy) []*route {
	context := []field{contextOf(t.resource, "view")}
	offset, parent := "", "parent integer late | Only what lies below this number.\n"
	if !t.hierarchical {
		offset, parent = "offset integer late | Leave out that many results.\n", ""
	}
	list := append(context, fields(collectionArgs+withoutArgs+offset+`
order string default=asc enum=asc,desc late | Ascending or descending.
orderby string default=name late enum=id,include,name,slug,include_slugs,term_group,description,count | By what to order.
hide_empty boolean default=false late | Leave out what no post has.
`+parent+`
post integer default=null late | Only those of this post.
slug array of=string late | Only with these slugs.
`)...)
	c := termController{t}
	return []*route{
		{pattern: "/" + t.base, resource: t.resource, batch: true, endpoints: []*endpoint{
			{methods: reads, args: list, allowed: c.mayList, handle: c.list},
			{methods: creates, args: t.resource.written(true), allowed: c.mayCreate, handle: c.create},
		}},
		{pattern: "/" + t.base + `/(?P<id>[\d]+)`, resource: t.resource, batch: true, endpoints: []*endpoint{
			{methods: reads, args: append(fields(idArg), contextOf(t.resource, "view")), allowed: c.mayRead, handle: c.read},
			{methods: edits, args: append(fields(idArg), t.resource.written(false)...), allowed: c.mayUpdate, handle: c.update},
			{methods: deletes, args: fields(idArg + "force boolean default=false late | Has to be true: terms have no trash.\n"), allowed: c.mayDelete, handle: c.delete},
		}},
	}
}

// termController answers for one taxonomy.
type termController struct{ *taxonomy }

func (c termController) find(r *request) (*term, *fault) {
	if t := r.term(r.integer("id"), c.taxonomy); t != nil {
		return t, nil
	}
	return nil, failed(http.StatusNotFound, "rest_term_invalid", "There is no such term.")
}

func (c termController) mayList(r *request) *fault {
	if r.inEdit() && !r.user.can("manage_categories") {
		return r.denied("rest_forbidden_context", "You may not edit terms of this taxonomy.")
	}
	if id := r.integer("post"); id != 0 {
		p := r.post(id)
		if p == nil {
			return failed(http.StatusBadRequest, "rest_post_invalid_id", "There is no such post.")
		}
		if !r.canRead(r.user, p) {
			return r.denied("rest_forbidden_context", "You may not see the terms of this post.")
		}
	}
	return nil
}

func (c termController) mayRead(r *request) *fault {
	if _, f := c.find(r); f != nil {
		return f
	}
	if r.inEdit() && !r.user.can("manage_categories") {
		return r.denied("rest_forbidden_context", "You may not edit this term.")
	}
	return nil
}

func (c termController) mayCreate(r *request) *fault {
	if c.hierarchical && !r.user.can("manage_categories") || !r.user.can("edit_posts") {
		return r.denied("rest_cannot_create", "You may not create terms of this taxonomy.")
	}
	return nil
}

func (c termController) mayUpdate(r *request) *fault {
	if _, f := c.find(r); f != nil {
		return f
	}
	if !r.user.can("manage_categories") {
		return r.denied("rest_cannot_update", "You may not edit this term.")
	}
	return nil
}

// mayDelete spares the default category (map_meta_cap, delete_term).
func (c termController) mayDelete(r *request) *fault {
	t, f := c.find(r)
	if f != nil {
		return f
	}
	if !r.user.can("manage_categories") || t.id == r.settings["default_category"] {
		return r.denied("rest_cannot_delete", "You may not delete this term.")
	}
	return nil
}

// count is how many published posts have a term.
func (s *Site) count(t *term) int {
	n := 0
	for _, p := range s.posts {
		if p.status == "publish" && (slices.Contains(p.categories, t.id) || slices.Contains(p.tags, t.id)) {
			n++
		}
	}
	return n
}

func (c termController) list(r *request) (*answer, *fault) {
	var found []*term
	for _, t := range r.terms {
		if t.taxonomy == c.taxonomy && r.wantsTerm(t) {
			found = append(found, t)
		}
	}
	include, slugs := r.integers("include"), r.words("slug")
	direction := 1
	if r.str("order") == "desc" {
		direction = -1
	}
	slices.SortStableFunc(found, func(a, b *term) int {
		switch r.str("orderby") {
		case "id":
			return direction * cmp.Compare(a.id, b.id)
		case "count":
			return direction * cmp.Compare(r.count(a), r.count(b))
		case "slug":
			return direction * cmp.Compare(a.slug, b.slug)
		case "description":
			return direction * cmp.Compare(a.description, b.description)
		case "include":
			return cmp.Compare(slices.Index(include, a.id), slices.Index(include, b.id))
		case "include_slugs":
			return cmp.Compare(slices.Index(slugs, a.slug), slices.Index(slugs, b.slug))
		}
		return direction * cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	part, p := cut(r, found)
	items := []any{}
	for _, t := range part {
		items = append(items, r.showTerm(t, r.str("context")))
	}
	return r.paged(items, p), nil
}

func (r *request) wantsTerm(t *term) bool {
	include, slugs, search := r.integers("include"), r.words("slug"), strings.ToLower(r.str("search"))
	if id := r.integer("post"); id != 0 {
		p := r.post(id)
		if p == nil || !slices.Contains(p.categories, t.id) && !slices.Contains(p.tags, t.id) {
			return false
		}
	}
	return (len(include) == 0 || slices.Contains(include, t.id)) && !slices.Contains(r.integers("exclude"), t.id) &&
		(len(slugs) == 0 || slices.Contains(slugs, t.slug)) && (search == "" || strings.Contains(strings.ToLower(t.name+" "+t.slug), search)) &&
		(!r.truth("hide_empty") || r.count(t) > 0) && (!r.given("parent") || r.integer("parent") == t.parent)
}

func (c termController) read(r *request) (*answer, *fault) {
	t, f := c.find(r)
	if f != nil {
		return nil, f
	}
	return &answer{data: r.showTerm(t, r.str("context"))}, nil
}

// archive is where visitors see what has a term.
func (s *Site) archive(t *term) string {
	path := t.slug
	for up := s.term(t.parent, t.taxonomy); up != nil && len(path) < 1000; up = s.term(up.parent, t.taxonomy) {
		path = up.slug + "/" + path
	}
	return s.home + t.taxonomy.path + path + "/"
}

func (r *request) showTerm(t *term, context string) map[string]any {
	o := map[string]any{
		"id": t.id, "count": r.count(t), "description": t.description, "link": r.archive(t),
		"name": texturize(t.name), "slug": t.slug, "taxonomy": t.taxonomy.name, "meta": []any{},
	}
	if t.taxonomy.hierarchical {
		o["parent"] = t.parent
	}
	o = t.taxonomy.resource.inContext(o, context)
	id := strconv.Itoa(t.id)
	at := "/wp/v2/" + t.taxonomy.base
	links := map[string]any{
		"self": r.self(at+"/"+id, nil), "collection": link(r.rest(at)), "about": link(r.rest("/wp/v2/taxonomies/" + t.taxonomy.name)),
		"wp:post_type": link(r.rest("/wp/v2/posts?" + t.taxonomy.base + "=" + id)), "curies": curies,
	}
	if t.parent != 0 {
		links["up"] = link(r.rest(at+"/"+strconv.Itoa(t.parent)), "embeddable", true)
	}
	o["_links"] = links
	return o
}
