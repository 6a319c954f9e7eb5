package wptest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// searchRoutes are WP_REST_Search_Controller's.
func searchRoutes() []*route {
	args := append([]field{contextOf(searchResource, "view")}, fields(collectionArgs+`
type string default=post late enum=post,term,post-format | What to look for.
subtype array default=any own=subtypes itemenum=post,page,category,post_tag,any | Only of these post types or taxonomies.
`+withoutArgs)...)
	return []*route{{pattern: "/search", resource: searchResource, endpoints: []*endpoint{{methods: reads, args: args, handle: search}}}}
}

func search(r *request) (*answer, *fault) {
	var found []map[string]any
	switch r.str("type") {
	case "post":
		found = r.foundPosts()
	case "term":
		found = r.foundTerms()
	}
	part, p := cut(r, found)
	if len(part) == 0 && r.str("type") == "post" {
		p.total, p.pages = 0, 0 // WP_Query counts nothing behind the last page
	}
	if p.number > p.pages && p.total > 0 {
		return nil, failed(http.StatusBadRequest, "rest_search_invalid_page_number", "There are fewer pages than that.")
	}
	items := []any{}
	for _, o := range part {
		links := o["_links"]
		o = searchResource.inContext(o, r.str("context"))
		o["_links"] = links
		items = append(items, o)
	}
	return r.paged(items, p), nil
}

// looksFor tells whether a search may find the number and subtype.
func (r *request) looksFor(id int, subtype string) bool {
	include, subtypes := r.integers("include"), r.words("subtype")
	return (len(include) == 0 || slices.Contains(include, id)) && !slices.Contains(r.integers("exclude"), id) &&
		(len(subtypes) == 0 || slices.Contains(subtypes, "any") || slices.Contains(subtypes, subtype))
}

func (r *request) foundPosts() []map[string]any {
	var posts []*post
	for _, p := range r.posts {
		if p.kind != mediaKind && p.status == "publish" && r.looksFor(p.id, p.kind.name) && r.matches(p) {
			posts = append(posts, p)
		}
	}
	by := "date"
	if r.str("search") != "" {
		by = "relevance"
	}
	r.order(posts, by)
	var found []map[string]any
	for _, p := range posts {
		found = append(found, map[string]any{
			"id": p.id, "title": titleHTML(p), "url": r.permalink(p), "type": "post", "subtype": p.kind.name,
			"_links": r.foundLinks("/wp/v2/"+p.kind.base+"/"+strconv.Itoa(p.id), "/wp/v2/types/"+p.kind.name),
		})
	}
	return found
}

func (r *request) foundTerms() []map[string]any {
	terms := slices.Clone(r.terms)
	slices.SortStableFunc(terms, func(a, b *term) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	words := strings.ToLower(r.str("search"))
	var found []map[string]any
	for _, t := range terms {
		if r.looksFor(t.id, t.taxonomy.name) && strings.Contains(strings.ToLower(t.name), words) {
			found = append(found, map[string]any{
				"id": t.id, "title": t.name, "url": r.archive(t), "type": t.taxonomy.name,
				"_links": r.foundLinks("/wp/v2/"+t.taxonomy.base+"/"+strconv.Itoa(t.id), "/wp/v2/taxonomies/"+t.taxonomy.name),
			})
		}
	}
	return found
}

func (r *request) foundLinks(at, about string) map[string]any {
	return map[string]any{
		"self": r.self(at, map[string]any{"embeddable": true}), "about": link(r.rest(about)), "collection": link(r.rest("/wp/v2/search")),
	}
}

func searchCallbacks(own callbacks) {
	// sanitize_subtypes: which there are depends on the type.
	own.checks["subtypes"] = func(*request, *field, any) *fault { return nil }
	own.cleans["subtypes"] = func(r *request, arg *field, value any) (any, *fault) {
		list := listOf(value)
		if f := validate(list, arg.schema, arg.name); f != nil {
			return nil, f
		}
		known := map[string]string{"post": "post page", "term": "category post_tag"}[r.str("type")]
		list = slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !slices.Contains(strings.Fields(known), text(v)) })
		if slices.Contains(listOf(value), any("any")) || len(list) == 0 {
			return strs("any"), nil
		}
		return list, nil
	}
}
