package wptest

import (
	"slices"
	"strconv"
	"strings"
)

// showPost is the posts controller's prepare_item_for_response.
func (r *request) showPost(p *post, context string) map[string]any {
	o := map[string]any{
		"id": p.id, "date": p.date.Format(wire), "date_gmt": toGMT(p.date).Format(wire),
		"guid":     map[string]any{"rendered": r.address(p.guid), "raw": r.address(p.guid)},
		"modified": p.modified.Format(wire), "modified_gmt": toGMT(p.modified).Format(wire),
		"slug": p.slug, "status": p.status, "type": p.kind.name, "link": r.permalink(p),
		"title":  map[string]any{"raw": p.title, "rendered": titleHTML(p)},
		"author": p.author, "featured_media": p.featured, "comment_status": p.comments, "ping_status": p.pings, "template": p.template,
		"permalink_template": r.permalinkTemplate(p), "generated_slug": r.uniqueSlug(p, p.title), "class_list": r.classes(p),
	}
	if p.kind == mediaKind {
		r.showFile(p, o)
	} else {
		r.showText(p, o, context)
	}
	o = p.kind.resource.inContext(o, context)
	o["_links"] = r.postLinks(p, context)
	return o
}

// showText adds what posts and pages have and attachments have not.
func (r *request) showText(p *post, o map[string]any, context string) {
	locked := p.password != "" && (context != "edit" || !r.user.canEdit(p)) && r.str("password") != p.password
	content, excerpt := contentHTML(p.content), excerptHTML(p)
	if locked {
		content, excerpt = "", ""
	}
	version := 0
	if strings.Contains(p.content, "<!-- wp:") {
		version = 1
	}
	o["password"] = p.password
	o["content"] = map[string]any{"raw": p.content, "rendered": content, "protected": p.password != "", "block_version": version}
	o["excerpt"] = map[string]any{"raw": p.excerpt, "rendered": excerpt, "protected": p.password != ""}
	o["meta"] = map[string]any{"footnotes": p.footnotes}
	if p.kind == pageKind {
		o["parent"], o["menu_order"] = p.parent, p.order
		return
	}
	o["sticky"], o["format"] = p.sticky, p.format
	o["categories"], o["tags"] = r.numbers(p.categories), r.numbers(p.tags)
}

// numbers lists terms in the order of their names.
func (s *Site) numbers(ids []int) []any {
	out := []any{}
	for _, t := range s.named(ids) {
		out = append(out, t.id)
	}
	return out
}

func (s *Site) named(ids []int) []*term {
	var list []*term
	for _, id := range ids {
		if t := s.term(id, nil); t != nil {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *term) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	return list
}

// address puts the site's own address before what was stored without it.
func (s *Site) address(path string) string { return s.home + path }

// permalink is where visitors read a post (wp-includes/link-template.php).
func (s *Site) permalink(p *post) string {
	switch {
	case p.kind == mediaKind && s.post(p.parent) != nil:
		return s.permalink(s.post(p.parent)) + p.slug + "/"
	case p.kind == mediaKind && p.parent != 0:
		return s.home + "/?attachment_id=" + strconv.Itoa(p.id)
	case p.kind == mediaKind:
		return s.home + "/" + p.slug + "/"
	case p.kind == pageKind && public(p):
		return s.home + s.above(p) + "/" + p.slug + "/"
	case p.kind == pageKind:
		return s.home + "/?page_id=" + strconv.Itoa(p.id)
	case !public(p):
		return s.home + "/?p=" + strconv.Itoa(p.id)
	}
	return s.home + p.date.Format("/2006/01/02/") + p.slug + "/"
}

func (s *Site) permalinkTemplate(p *post) string {
	id := strconv.Itoa(p.id)
	switch {
	case p.kind == mediaKind && s.post(p.parent) != nil:
		return s.permalink(s.post(p.parent)) + "%postname%/"
	case p.kind == mediaKind:
		return s.home + "/?attachment_id=" + id
	case p.status == "trash" && p.kind == postKind:
		return s.home + "/?p=" + id
	case p.kind == pageKind:
		return s.home + s.above(p) + "/%pagename%/"
	}
	return s.home + p.date.Format("/2006/01/02/") + "%postname%/"
}

// above is the path of the pages a page lies below.
func (s *Site) above(p *post) string {
	if parent := s.post(p.parent); parent != nil && parent != p {
		return s.above(parent) + "/" + parent.slug
	}
	return ""
}

// public tells whether a post has an address of its own.
func public(p *post) bool {
	return p.slug != "" && !slices.Contains([]string{"draft", "pending", "future", "trash"}, p.status)
}

func (s *Site) classes(p *post) []any {
	list := strs("post-"+strconv.Itoa(p.id), p.kind.name, "type-"+p.kind.name, "status-"+p.status)
	if p.kind == postKind {
		list = append(list, "format-"+p.format)
	}
	if p.password != "" {
		list = append(list, "post-password-required")
	}
	if p.featured != 0 && p.password == "" {
		list = append(list, "has-post-thumbnail")
	}
	list = append(list, "hentry")
	for _, t := range append(s.named(p.categories), s.named(p.tags)...) {
		list = append(list, t.taxonomy.class+t.slug)
	}
	return list
}

func (r *request) postLinks(p *post, context string) map[string]any {
	id := strconv.Itoa(p.id)
	at := "/wp/v2/" + p.kind.base + "/" + id
	links := map[string]any{
		"self": r.self(at, nil), "collection": link(r.rest("/wp/v2/" + p.kind.base)), "about": link(r.rest("/wp/v2/types/" + p.kind.name)),
		"author":  link(r.rest("/wp/v2/users/"+strconv.Itoa(p.author)), "embeddable", true),
		"replies": link(r.rest("/wp/v2/comments?post="+id), "embeddable", true),
	}
	if p.kind != mediaKind {
		links["version-history"] = link(r.rest(at+"/revisions"), "count", p.revisions)
		links["wp:attachment"] = link(r.rest("/wp/v2/media?parent=" + id))
		links["curies"] = curies
		if p.revisions > 0 {
			links["predecessor-version"] = link(r.rest(at+"/revisions/"+strconv.Itoa(p.revision)), "id", p.revision)
		}
		if p.featured != 0 {
			links["wp:featuredmedia"] = link(r.rest("/wp/v2/media/"+strconv.Itoa(p.featured)), "embeddable", true)
		}
	}
	if p.kind == postKind {
		links["wp:term"] = append(
			link(r.rest("/wp/v2/categories?post="+id), "taxonomy", "category", "embeddable", true),
			link(r.rest("/wp/v2/tags?post="+id), "taxonomy", "post_tag", "embeddable", true)...)
	}
	if parent := r.post(p.parent); p.kind == mediaKind && parent != nil {
		links["wp:attached-to"] = link(r.rest("/wp/v2/"+parent.kind.base+"/"+strconv.Itoa(p.parent)), "embeddable", true, "post_type", parent.kind.name, "id", p.parent)
		links["curies"] = curies
	}
	if p.kind == pageKind && p.parent != 0 {
		links["up"] = link(r.rest("/wp/v2/pages/"+strconv.Itoa(p.parent)), "embeddable", true)
	}
	if context == "edit" {
		for _, action := range r.actions(p) {
			links["wp:action-"+action], links["curies"] = link(r.rest(at)), curies
		}
	}
	return links
}

// actions are what the user may do beyond the methods
// (get_available_actions).
func (r *request) actions(p *post) []string {
	var list []string
	add := func(name string, caps ...string) {
		if !slices.ContainsFunc(caps, func(c string) bool { return !r.user.can(c) }) {
			list = append(list, name)
		}
	}
	others, publish := "edit_others_"+p.kind.plural, "publish_"+p.kind.plural
	add("unfiltered-html", "unfiltered_html")
	add("assign-author", others)
	if p.kind != mediaKind {
		add("publish", publish)
	}
	if p.kind == postKind {
		add("sticky", others, publish)
		add("create-categories", "manage_categories")
		add("assign-categories", "edit_posts")
		add("create-tags", "edit_posts")
		add("assign-tags", "edit_posts")
	}
	return list
}
