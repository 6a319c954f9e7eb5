package wptest

import (
	"net/http"
	"slices"
	"strings"
)

// postType is what /types says of one; the site has routes for the first three.
type postType struct {
	slug, name, about, base string
	hierarchical            bool
	icon                    any
	taxonomies, supports    string
	caps                    string // singular and plural of its capabilities
	edit                    string // the capability that edits them
	menus, screen, viewable bool
}

const styling = "edit_theme_options"

var postTypes = []postType{
	{"post", "Posts", "", "posts", false, "dashicons-admin-post", "category post_tag", "title editor author thumbnail excerpt trackbacks custom-fields comments revisions post-formats autosave", "post posts", "edit_posts", true, true, true},
	{"page", "Pages", "", "pages", true, "dashicons-admin-page", "", "title editor author thumbnail page-attributes custom-fields comments revisions autosave", "page pages", "edit_pages", true, true, true},
	{"attachment", "Media", "", "media", false, "dashicons-admin-media", "", "title author comments", "post posts", "edit_posts", false, true, true},
	{"nav_menu_item", "Navigation Menu Items", "", "menu-items", false, nil, "nav_menu", "title editor autosave", "nav_menu_item nav_menu_items", styling, false, false, false},
	{"wp_block", "Patterns", "", "blocks", false, nil, "wp_pattern_category", "title excerpt editor revisions custom-fields autosave", "block blocks", "edit_posts", false, true, false},
	{"wp_template", "Templates", "Templates of the theme.", "templates", false, nil, "", "title slug excerpt editor revisions author autosave", "template templates", styling, false, false, false},
	{"wp_template_part", "Template Parts", "Parts of templates.", "template-parts", false, nil, "", "title slug excerpt editor revisions author autosave", "template templates", styling, false, false, false},
	{"wp_global_styles", "Global Styles", "Styles of the theme.", "global-styles", false, nil, "", "title editor revisions", "global_styles global_styles", styling, false, false, false},
	{"wp_navigation", "Navigation Menus", "Menus for templates.", "navigation", false, nil, "", "title editor revisions autosave", "navigation navigations", styling, false, true, false},
	{"wp_font_family", "Font Families", "", "font-families", false, nil, "", "title", "font font", styling, false, false, false},
	{"wp_font_face", "Font Faces", "", `font-families/(?P<font_family_id>[\d]+)/font-faces`, false, nil, "", "title", "font font", styling, false, false, false},
}

// labelNames are the words an admin screen needs of a post type.
const labelNames = "name singular_name add_new add_new_item edit_item new_item view_item view_items search_items not_found not_found_in_trash" +
	" parent_item_colon all_items archives attributes insert_into_item uploaded_to_this_item featured_image set_featured_image" +
	" remove_featured_image use_featured_image filter_items_list filter_by_date items_list_navigation items_list item_published" +
	" item_published_privately item_reverted_to_draft item_trashed item_scheduled item_updated item_link item_link_description" +
	" menu_name name_admin_bar"

// labels makes up words: nobody reads them over REST.
func labels(names, of string, without ...string) map[string]any {
	words := map[string]any{}
	for name := range strings.FieldsSeq(names) {
		words[name] = of + ", " + strings.ReplaceAll(name, "_", " ")
		if slices.Contains(without, name) {
			words[name] = nil
		}
	}
	words["name"], words["menu_name"] = of, of
	return words
}

func (t *postType) capabilities() map[string]any {
	one, many, _ := strings.Cut(t.caps, " ")
	caps := map[string]any{"read": "read", "create_posts": t.edit}
	if t.slug == "attachment" {
		caps["create_posts"] = "upload_files"
	}
	for _, verb := range []string{"edit", "read", "delete"} {
		caps[verb+"_post"] = verb + "_" + one
	}
	for name := range strings.FieldsSeq("edit_ edit_others_ delete_ publish_ read_private_ delete_private_ delete_published_ delete_others_ edit_private_ edit_published_") {
		caps[name+"posts"] = name + many
	}
	return caps
}

func (r *request) showType(t *postType, context string) map[string]any {
	supports := map[string]any{}
	for name := range strings.FieldsSeq(t.supports) {
		supports[name] = true
	}
	if t.slug == "post" || t.slug == "page" {
		supports["editor"] = []any{map[string]any{"notes": true}}
	}
	words := labels(labelNames, t.name)
	if !t.hierarchical && !slices.Contains([]string{"wp_navigation", "wp_template", "wp_template_part"}, t.slug) {
		words["parent_item_colon"] = nil
	}
	if t.slug != "post" && t.slug != "page" {
		words["template_name"] = t.name
	}
	taxes := []any{}
	for name := range strings.FieldsSeq(t.taxonomies) {
		taxes = append(taxes, name)
	}
	o := typeResource.inContext(map[string]any{
		"capabilities": t.capabilities(), "description": t.about, "hierarchical": t.hierarchical, "viewable": t.viewable, "labels": words,
		"name": t.name, "slug": t.slug, "supports": supports, "has_archive": false, "taxonomies": taxes, "rest_base": t.base, "rest_namespace": "wp/v2",
		"visibility": map[string]any{"show_ui": t.screen, "show_in_nav_menus": t.menus}, "icon": t.icon, "template": []any{}, "template_lock": false,
	}, context)
	o["_links"] = r.kindLinks("types", t.base)
	return o
}

func (r *request) kindLinks(collection, base string) map[string]any {
	return map[string]any{"collection": link(r.rest("/wp/v2/" + collection)), "wp:items": link(r.rest("/wp/v2/" + base)), "curies": curies}
}

// typeRoutes are the routes about kinds: of posts, of states, of terms.
func typeRoutes() []*route {
	of := func(r *resource, more string) []field {
		return append([]field{contextOf(r, "view")}, fieldsOrNone(more)...)
	}
	item := func(r *resource, name string) []field {
		return append(fields(name+" string late | Its identifier."), contextOf(r, "view"))
	}
	one := func(pattern string, r *resource, args []field, allowed func(*request) *fault, handle func(*request) (*answer, *fault)) *route {
		return &route{pattern: pattern, resource: r, endpoints: []*endpoint{{methods: reads, args: args, allowed: allowed, handle: handle}}}
	}
	return []*route{
		one("/types", typeResource, of(typeResource, ""), editorsOnly("edit_posts"), listTypes),
		one(`/types/(?P<type>[\w-]+)`, typeResource, item(typeResource, "type"), nil, readType),
		one("/statuses", statusResource, of(statusResource, ""), editorsOnly("edit_posts"), listStatuses),
		one(`/statuses/(?P<status>[\w-]+)`, statusResource, item(statusResource, "status"), mayReadStatus, readStatus),
		one("/taxonomies", taxonomyResource, of(taxonomyResource, "type string late | Only those of this post type."), editorsOnly("edit_posts"), listTaxonomies),
		one(`/taxonomies/(?P<taxonomy>[\w-]+)`, taxonomyResource, item(taxonomyResource, "taxonomy"), mayReadTaxonomy, readTaxonomy),
	}
}

func fieldsOrNone(table string) []field {
	if table == "" {
		return nil
	}
	return fields(table)
}

func editorsOnly(capability string) func(*request) *fault {
	return func(r *request) *fault {
		if r.inEdit() && !r.user.can(capability) {
			return r.denied("rest_cannot_view", "You may not edit these.")
		}
		return nil
	}
}

// trim keeps of one of several what _fields names: core does so for each, and
// then once more for all of them together.
func (r *request) trim(o map[string]any) any {
	if names := r.words("_fields"); len(names) > 0 {
		return pick(o, names)
	}
	return o
}

func listTypes(r *request) (*answer, *fault) {
	list := map[string]any{}
	for i := range postTypes {
		if t := &postTypes[i]; !r.inEdit() || r.user.can(t.edit) {
			list[t.slug] = r.trim(r.showType(t, r.str("context")))
		}
	}
	return &answer{data: list}, nil
}

func readType(r *request) (*answer, *fault) {
	at := slices.IndexFunc(postTypes, func(t postType) bool { return t.slug == r.str("type") })
	if at < 0 {
		return nil, failed(http.StatusNotFound, "rest_type_invalid", "There is no such post type.")
	}
	t := &postTypes[at]
	if r.inEdit() && !r.user.can(t.edit) {
		return nil, r.denied("rest_forbidden_context", "You may not edit posts of this type.")
	}
	return &answer{data: r.showType(t, r.str("context"))}, nil
}
