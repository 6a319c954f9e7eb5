package wptest

import (
	"net/http"
	"strings"
)

// postRoutes are a post type's routes (WP_REST_Posts_Controller).
func postRoutes(k *kind) []*route {
	create := writeArgs(k.resource, true)
	item := []field{contextOf(k.resource, "view")}
	if k == mediaKind {
		create = append(create, fields(`
generate_sub_sizes boolean default=true | Whether to make smaller sizes.
convert_format boolean default=true | Whether to convert to the format the site prefers.
url string format=uri | An address to fetch the file from.
`)...)
	} else {
		item = append(item, fields("excerpt_length integer late | How many words an excerpt has.\npassword string late | The password of a protected post.\n")...)
	}
	id := fields(idArg)
	c := postController{k}
	return []*route{
		{pattern: "/" + k.base, resource: k.resource, batch: k != mediaKind, endpoints: []*endpoint{
			{methods: reads, args: listArgs(k), allowed: c.mayList, handle: c.list},
			{methods: creates, args: create, allowed: c.mayCreate, handle: c.create},
		}},
		{pattern: "/" + k.base + `/(?P<id>[\d]+)`, resource: k.resource, batch: k != mediaKind, endpoints: []*endpoint{
			{methods: reads, args: append(fields(idArg), item...), allowed: c.mayRead, handle: c.read},
			{methods: edits, args: append(id, writeArgs(k.resource, false)...), allowed: c.mayUpdate, handle: c.update},
			{methods: deletes, args: fields(idArg + forceArg), allowed: c.mayDelete, handle: c.delete},
		}},
	}
}

// postController answers for one post type.
type postController struct{ *kind }

// find is the post of the request's id, of this type.
func (c postController) find(r *request) (*post, *fault) {
	p := r.post(r.integer("id"))
	if p == nil || p.kind != c.kind {
		return nil, invalidPost()
	}
	return p, nil
}

func (c postController) mayList(r *request) *fault {
	if r.inEdit() && !r.user.can("edit_"+c.plural) {
		return r.denied("rest_forbidden_context", "You may not edit posts of this type.")
	}
	return nil
}

func (c postController) mayRead(r *request) *fault {
	p, f := c.find(r)
	if f != nil {
		return f
	}
	if r.inEdit() && !r.user.canEdit(p) {
		return r.denied("rest_forbidden_context", "You may not edit this post.")
	}
	if password := text(r.sources[fromQuery]["password"]); password != "" && password != p.password {
		return failed(http.StatusForbidden, "rest_post_incorrect_password", "That is not the post's password.")
	}
	return may(r.canRead(r.user, p))
}

func (c postController) mayCreate(r *request) *fault {
	if r.integer("id") != 0 {
		return failed(http.StatusBadRequest, "rest_post_exists", "A new post has no number yet.")
	}
	if c.kind == mediaKind {
		return mayUpload(r)
	}
	if f := c.mayAssign(r, nil); f != nil {
		return f
	}
	if !r.user.can("edit_" + c.plural) {
		return r.denied("rest_cannot_create", "You may not create posts of this type.")
	}
	return nil
}

// mayAssign guards what only some may set: another author, the top of the
// front page.
func (c postController) mayAssign(r *request, p *post) *fault {
	others := r.user.can("edit_others_" + c.plural)
	if author := r.integer("author"); author != 0 && (r.user == nil || author != r.user.id) && !others {
		return r.denied("rest_cannot_edit_others", "You may not write posts as this user.")
	}
	sticky := r.truth("sticky")
	if p != nil && r.given("sticky") {
		sticky = sticky != p.sticky
	}
	if sticky && (!others || !r.user.can("publish_"+c.plural)) {
		return r.denied("rest_cannot_assign_sticky", "You may not make posts sticky.")
	}
	return nil
}

func (c postController) mayUpdate(r *request) *fault {
	p, f := c.find(r)
	if f != nil {
		return f
	}
	if !r.user.canEdit(p) {
		return r.denied("rest_cannot_edit", "You may not edit this post.")
	}
	return c.mayAssign(r, p)
}

func (c postController) mayDelete(r *request) *fault {
	p, f := c.find(r)
	if f != nil {
		return f
	}
	if !r.user.canDelete(p) {
		return r.denied("rest_cannot_delete", "You may not delete this post.")
	}
	return nil
}

func (c postController) read(r *request) (*answer, *fault) {
	p, f := c.find(r)
	if f != nil {
		return nil, f
	}
	a := &answer{data: r.showPost(p, r.str("context"))}
	return a.set("Link", "<"+r.permalink(p)+`>; rel="alternate"; type=text/html`), nil
}

func postCallbacks(own callbacks) {
	// sanitize_post_statuses: a state other than the default needs a right.
	own.cleans["statuses"] = func(r *request, arg *field, value any) (any, *fault) {
		list := listOf(value)
		for i, v := range list {
			status := strings.ToLower(text(v))
			list[i] = status
			if status == arg.schema["default"] {
				continue
			}
			if !r.user.can("edit_posts") && (status != "private" || !r.user.can("read_private_posts")) {
				return nil, r.denied("rest_forbidden_status", "You may not ask for posts in this state.")
			}
			if f := validate(status, arg.schema, arg.name); f != nil {
				return nil, f
			}
		}
		return list, nil
	}
	own.checks["statuses"] = func(*request, *field, any) *fault { return nil }
	// check_status: the state a post is in stays allowed.
	own.checks["status"] = func(r *request, arg *field, value any) *fault {
		if p := r.post(r.integer("id")); p != nil && p.status == value {
			return nil
		}
		return validate(value, arg.schema, arg.name)
	}
	// check_template: the theme has no templates to choose from.
	own.checks["template"] = func(r *request, arg *field, value any) *fault {
		if p := r.post(r.integer("id")); text(value) == "" || p != nil && p.template == value {
			return nil
		}
		return failed(0, "rest_invalid_param", arg.name+" is not one the theme has.")
	}
	// check_meta_is_array says no and no more.
	own.checks["meta"] = func(_ *request, arg *field, value any) *fault {
		if !is(value, "object") {
			return no
		}
		return arg.valid(value)
	}
}
