package wptest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func (c postController) create(r *request) (*answer, *fault) {
	if c.kind == mediaKind {
		return c.upload(r)
	}
	p := &post{kind: c.kind, author: r.user.id, status: "draft", comments: "open", pings: "open", format: "standard", undated: true}
	if c.kind == pageKind {
		p.comments, p.pings = "closed", "closed"
	}
	p.date, p.modified = now(), now()
	if f := c.fill(r, p, true); f != nil {
		return nil, f
	}
	if strings.TrimSpace(p.title+p.content+p.excerpt) == "" {
		return nil, failed(http.StatusBadRequest, "empty_content", "Title, text and excerpt are empty.")
	}
	r.insert(p)
	r.set("context", "edit")
	return created(r.showPost(p, "edit"), r.rest("/wp/v2/"+c.base+"/"+strconv.Itoa(p.id))), nil
}

func (c postController) update(r *request) (*answer, *fault) {
	p, f := c.find(r)
	if f != nil {
		return nil, f
	}
	changed := *p // a refused update leaves nothing behind
	if f := c.fill(r, &changed, false); f != nil {
		return nil, f
	}
	text := p.title != changed.title || p.content != changed.content || p.excerpt != changed.excerpt || p.footnotes != changed.footnotes
	changed.modified = now()
	if c.kind == mediaKind {
		if f := mayAttach(r); f != nil {
			return nil, f
		}
	}
	*p = changed
	if c.kind == mediaKind {
		r.setFile(p)
	} else {
		r.keep(p, text)
	}
	r.set("context", "edit")
	return &answer{data: r.showPost(p, "edit")}, nil
}

// keep is wp_save_post_revision: what an update changed of the text is kept, and
// the first one whatever it changed.
func (s *Site) keep(p *post, text bool) {
	if text || p.revisions == 0 {
		p.revisions, p.revision, s.nextPost = p.revisions+1, s.nextPost, s.nextPost+1
	}
}

func (s *Site) insert(p *post) {
	p.id, s.nextPost = s.nextPost, s.nextPost+1
	if p.guid == "" {
		p.guid = map[*kind]string{postKind: "/?p=", pageKind: "/?page_id=", mediaKind: "/?attachment_id="}[p.kind] + strconv.Itoa(p.id)
	}
	s.posts = append(s.posts, p)
}

// fill is prepare_item_for_database and what follows it.
func (c postController) fill(r *request, p *post, fresh bool) *fault {
	if s, ok := r.raw("title"); ok {
		p.title = s
	}
	if s, ok := r.raw("content"); ok && c.kind != mediaKind {
		p.content = s
	}
	if s, ok := r.raw("excerpt"); ok && c.kind != mediaKind {
		p.excerpt = s
	}
	if f := c.setStatus(r, p); f != nil {
		return f
	}
	if f := c.setOwner(r, p); f != nil {
		return f
	}
	setDate(r, p)
	c.setSlug(r, p)
	for name, into := range map[string]*string{"comment_status": &p.comments, "ping_status": &p.pings, "template": &p.template, "format": &p.format} {
		if r.given(name) {
			*into = r.str(name)
		}
	}
	if meta, ok := r.get("meta").(map[string]any); ok && meta["footnotes"] != nil {
		p.footnotes = text(meta["footnotes"])
	}
	if r.given("menu_order") {
		p.order = r.integer("menu_order")
	}
	if c.kind == postKind {
		return c.setTerms(r, p, fresh)
	}
	return nil
}

func (c postController) setStatus(r *request, p *post) *fault {
	status := r.str("status")
	if !r.given("status") || status == p.status {
		return nil
	}
	if slices.Contains([]string{"publish", "future", "private"}, status) && !r.user.can("publish_"+c.plural) {
		return r.denied("rest_cannot_publish", "You may not publish posts of this type.")
	}
	if c.kind == mediaKind && status != "private" { // wp_insert_post
		status = "inherit"
	}
	p.status = status
	if status == "private" {
		p.password = ""
	}
	return nil
}

// setOwner sets the author, the password, what it lies below and its picture.
func (c postController) setOwner(r *request, p *post) *fault {
	if author := r.integer("author"); author != 0 {
		if r.userBy(author) == nil {
			return failed(http.StatusBadRequest, "rest_invalid_author", "There is no such author.")
		}
		p.author = author
	}
	sticky := p.sticky
	if r.given("sticky") {
		sticky = r.truth("sticky")
	}
	// Also against the password that is about to go, as core.
	if (p.password != "" || r.str("password") != "") && sticky {
		return failed(http.StatusBadRequest, "rest_invalid_field", "A post with a password cannot be sticky.")
	}
	p.sticky = sticky
	if r.given("password") {
		p.password = r.str("password")
	}
	if parent := r.integer("parent"); r.given("parent") && c.kind == pageKind {
		if parent != 0 && r.post(parent) == nil {
			return failed(http.StatusBadRequest, "rest_post_invalid_id", "There is no such parent.")
		}
		p.parent = parent
		if r.loops(p) {
			p.parent = 0
		}
	}
	if featured := r.integer("featured_media"); r.given("featured_media") && c.kind != mediaKind {
		// Core forgets to answer with the error of what is no picture.
		if m := r.post(featured); featured == 0 || m != nil && m.kind == mediaKind {
			p.featured = featured
		}
	}
	return nil
}

func (c postController) setSlug(r *request, p *post) {
	switch slug := r.str("slug"); {
	case slug != "":
		p.slug = r.uniqueSlug(p, slug)
	case p.status != "trash" && strings.HasSuffix(p.slug, trashed):
		p.slug = strings.TrimSuffix(p.slug, trashed)
	case p.slug == "" && (p.status != "draft" && p.status != "pending" || c.kind == mediaKind):
		p.slug = r.uniqueSlug(p, p.title)
	}
}

func (c postController) setTerms(r *request, p *post, fresh bool) *fault {
	for name, into := range map[string]*[]int{"categories": &p.categories, "tags": &p.tags} {
		if r.given(name) {
			*into = nil
			for _, id := range r.integers(name) {
				if t := r.term(id, nil); t != nil && t.taxonomy.base == name && !slices.Contains(*into, id) {
					*into = append(*into, id)
				}
			}
		}
	}
	if fresh && !r.given("categories") {
		p.categories = []int{r.settings["default_category"].(int)}
	}
	return nil
}

func (c postController) delete(r *request) (*answer, *fault) {
	p, f := c.find(r)
	if f != nil {
		return nil, f
	}
	if r.truth("force") {
		was := r.showPost(p, "edit")
		r.set("context", "edit")
		r.posts = slices.DeleteFunc(r.posts, func(o *post) bool { return o == p })
		r.comments = slices.DeleteFunc(r.comments, func(o *comment) bool { return o.post == p.id })
		return &answer{data: deleted(was)}, nil
	}
	if c.kind == mediaKind {
		return nil, failed(http.StatusNotImplemented, "rest_trash_not_supported", "Media has no trash. Set force=true to delete.")
	}
	if p.status == "trash" {
		return nil, failed(http.StatusGone, "rest_already_trashed", "It is in the trash already.")
	}
	p.before, p.status, p.modified = p.status, "trash", now()
	if p.slug == "" {
		p.slug = r.uniqueSlug(p, p.title)
	}
	p.slug += trashed
	r.keep(p, false)
	for _, o := range r.comments { // wp_trash_post_comments; REST has nothing that takes it back
		if o.post == p.id {
			o.status = postTrashed
		}
	}
	r.set("context", "edit")
	return &answer{data: r.showPost(p, "edit")}, nil
}

// trashed ends the slug of what is in the trash, to free it for others.
const trashed = "__trashed"

// deleted is the answer to a deletion for good.
func deleted(was map[string]any) map[string]any {
	delete(was, "_links")
	return map[string]any{"deleted": true, "previous": was}
}
