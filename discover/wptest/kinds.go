package wptest

import (
	"net/http"
	"slices"
	"strings"
)

// status is what /statuses says of one.
type status struct {
	slug, name                          string
	private, protected, public, inQuery bool
	listed, floating                    bool
}

var statuses = []status{
	{slug: "publish", name: "Published", public: true, inQuery: true, listed: true},
	{slug: "future", name: "Scheduled", protected: true, listed: true},
	{slug: "draft", name: "Draft", protected: true, listed: true, floating: true},
	{slug: "pending", name: "Pending", protected: true, listed: true, floating: true},
	{slug: "private", name: "Private", private: true, listed: true},
	{slug: "trash", name: "Trash"},
}

func (r *request) showStatus(s status) map[string]any {
	o := statusResource.inContext(map[string]any{
		"name": s.name, "slug": s.slug, "private": s.private, "protected": s.protected, "public": s.public, "queryable": s.inQuery,
		"show_in_list": s.listed, "date_floating": s.floating,
	}, r.str("context"))
	at := "/wp/v2/posts"
	if s.slug != "publish" {
		at += "?status=" + s.slug
	}
	o["_links"] = map[string]any{"archives": link(r.rest(at))}
	return o
}

func listStatuses(r *request) (*answer, *fault) {
	list := map[string]any{}
	for _, s := range statuses {
		if s.public || r.user.can("edit_posts") {
			list[s.slug] = r.trim(r.showStatus(s))
		}
	}
	return &answer{data: list}, nil
}

func findStatus(r *request) (status, *fault) {
	at := slices.IndexFunc(statuses, func(s status) bool { return s.slug == r.str("status") })
	if at < 0 {
		return status{}, failed(http.StatusNotFound, "rest_status_invalid", "There is no such state.")
	}
	return statuses[at], nil
}

func mayReadStatus(r *request) *fault {
	s, f := findStatus(r)
	if f != nil {
		return f
	}
	if !s.public && !r.user.can("edit_posts") {
		return r.denied("rest_cannot_read_status", "You may not see this state.")
	}
	return nil
}

func readStatus(r *request) (*answer, *fault) {
	s, f := findStatus(r)
	if f != nil {
		return nil, f
	}
	return &answer{data: r.showStatus(s)}, nil
}

// termKind is what /taxonomies says of one; the site has routes for the first
// two.
type termKind struct {
	slug, name, base, types string
	hierarchical            bool
	caps                    []string // manage, edit, delete, assign
	assign                  string   // the capability that assigns them
	public, column, quick   bool
	screen                  bool
	template                bool
}

var termKinds = []termKind{
	{"category", "Categories", "categories", "post", true, []string{"manage_categories", "edit_categories", "delete_categories", "assign_categories"}, "edit_posts", true, true, true, true, true},
	{"post_tag", "Tags", "tags", "post", false, []string{"manage_post_tags", "edit_post_tags", "delete_post_tags", "assign_post_tags"}, "edit_posts", true, true, true, true, true},
	{"nav_menu", "Navigation Menus", "menus", "nav_menu_item", false, []string{styling, styling, styling, styling}, styling, false, false, false, false, false},
	{"wp_pattern_category", "Pattern Categories", "wp_pattern_category", "wp_block", false, []string{"manage_categories", "manage_categories", "manage_categories", "edit_posts"}, "edit_posts", false, true, true, true, false},
}

const termLabels = "name singular_name search_items popular_items all_items parent_item parent_item_colon name_field_description" +
	" slug_field_description parent_field_description desc_field_description edit_item view_item update_item add_new_item new_item_name" +
	" separate_items_with_commas add_or_remove_items choose_from_most_used not_found no_terms filter_by_item items_list_navigation items_list" +
	" most_used back_to_items item_link item_link_description menu_name name_admin_bar template_name"

func (r *request) showTaxonomy(t termKind, context string) map[string]any {
	without := strings.Fields("parent_item parent_item_colon parent_field_description filter_by_item")
	if t.hierarchical {
		without = strings.Fields("popular_items separate_items_with_commas add_or_remove_items choose_from_most_used")
	}
	words := labels(termLabels, t.name, without...)
	if !t.template {
		words["archives"] = t.name
	}
	caps := map[string]any{}
	for i, verb := range []string{"manage", "edit", "delete", "assign"} {
		caps[verb+"_terms"] = t.caps[i]
	}
	o := taxonomyResource.inContext(map[string]any{
		"name": t.name, "slug": t.slug, "capabilities": caps, "description": "", "labels": words, "types": strs(strings.Fields(t.types)...),
		"show_cloud": t.public, "hierarchical": t.hierarchical, "rest_base": t.base, "rest_namespace": "wp/v2",
		"visibility": map[string]any{
			"public": t.public, "publicly_queryable": t.public, "show_admin_column": t.column, "show_in_nav_menus": t.public,
			"show_in_quick_edit": t.quick, "show_ui": t.screen,
		},
	}, context)
	o["_links"] = r.kindLinks("taxonomies", t.base)
	return o
}

func listTaxonomies(r *request) (*answer, *fault) {
	list := map[string]any{}
	for _, t := range termKinds {
		if only := r.str("type"); only != "" && only != t.types || r.inEdit() && !r.user.can(t.assign) {
			continue
		}
		list[t.slug] = r.trim(r.showTaxonomy(t, r.str("context")))
	}
	return &answer{data: list}, nil
}

func mayReadTaxonomy(r *request) *fault {
	at := slices.IndexFunc(termKinds, func(t termKind) bool { return t.slug == r.str("taxonomy") })
	if at >= 0 && r.inEdit() && !r.user.can(termKinds[at].assign) {
		return r.denied("rest_forbidden_context", "You may not use terms of this taxonomy.")
	}
	return nil
}

func readTaxonomy(r *request) (*answer, *fault) {
	at := slices.IndexFunc(termKinds, func(t termKind) bool { return t.slug == r.str("taxonomy") })
	if at < 0 {
		return nil, failed(http.StatusNotFound, "rest_taxonomy_invalid", "There is no such taxonomy.")
	}
	return &answer{data: r.showTaxonomy(termKinds[at], r.str("context"))}, nil
}
