package wptest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// commentRoutes are WP_REST_Comments_Controller's.
func commentRoutes() []*route {
	list := append([]field{contextOf(commentResource, "view")}, fields(collectionArgs+`
after string format=date-time late | Only what was written after this.
author array of=integer late | Only by these users.
author_exclude array of=integer late | Not by these users.
author_email string default=null format=email late | Only from this address.
before string format=date-time late | Only what was written before this.
`+withoutArgs+orderArgs+`
orderby string default=date_gmt late enum=date,date_gmt,id,include,post,parent,type | By what to order.
`+parentArgs+`
post array of=integer default=[] late | Only on these posts.
status string default=approve late own=key | Only in this state.
type string default=comment late own=key | Only of this kind.
password string late | The post's password.
`)...)
	create := commentArgs(true)
	return []*route{
		{pattern: "/comments", resource: commentResource, endpoints: []*endpoint{
			{methods: reads, args: list, allowed: mayListComments, handle: listComments},
			{methods: creates, args: create, allowed: mayComment, handle: createComment},
		}},
		{pattern: `/comments/(?P<id>[\d]+)`, resource: commentResource, endpoints: []*endpoint{
			{methods: reads, args: append(append(fields(idArg), contextOf(commentResource, "view")), fields("password string late | The post's password.")...), allowed: mayReadComment, handle: readComment},
			{methods: edits, args: append(fields(idArg), commentArgs(false)...), allowed: mayEditComment("rest_cannot_edit"), handle: updateComment},
			{methods: deletes, args: fields(idArg + forceArg + "password string late | The post's password.\n"), allowed: mayEditComment("rest_cannot_delete"), handle: deleteComment},
		}},
	}
}

func commentArgs(create bool) []field {
	args := commentResource.written(create)
	for i := range args {
		switch args[i].name {
		case "content":
			args[i].own = "open"
		case "author_email": // check_comment_author_email sanitizes
			args[i].late = true
		}
	}
	return args
}

func (r *request) findComment() (*comment, *fault) {
	if c := r.comment(r.integer("id")); c != nil {
		return c, nil
	}
	return nil, failed(http.StatusNotFound, "rest_comment_invalid_id", "There is no such comment.")
}

func mayListComments(r *request) *fault {
	for _, id := range r.integers("post") {
		p := r.post(id)
		if p != nil && !r.canRead(r.user, p) {
			return r.denied("rest_cannot_read_post", "You may not read the post of this comment.")
		}
		if id == 0 && !r.user.can("moderate_comments") {
			return r.denied("rest_cannot_read", "You may not read comments without a post.")
		}
	}
	if r.inEdit() && !r.user.can("moderate_comments") {
		return r.denied("rest_forbidden_context", "You may not edit comments.")
	}
	if r.user.can("edit_posts") {
		return nil
	}
	var forbidden []string
	for _, name := range []string{"author", "author_exclude", "author_email", "type", "status"} {
		value := r.get(name)
		switch {
		case name == "status" && value == "approve", name == "type" && value == "comment":
		case name == "status" || name == "type":
			forbidden = append(forbidden, name)
		case value != nil && value != "" && len(listOf(value)) > 0:
			forbidden = append(forbidden, name)
		}
	}
	if forbidden != nil {
		return r.denied("rest_forbidden_param", "You may not ask by: "+strings.Join(forbidden, ", "))
	}
	return nil
}

// readable is check_read_permission: approved comments of what one may read.
func (r *request) readable(c *comment) bool {
	if r.user.can("moderate_comments") {
		return true
	}
	p := r.post(c.post)
	return c.status == "approved" && p != nil && r.canRead(r.user, p) || r.user != nil && c.author == r.user.id
}

func mayReadComment(r *request) *fault {
	c, f := r.findComment()
	if f != nil {
		return f
	}
	if r.inEdit() && !r.user.can("moderate_comments") {
		return r.denied("rest_forbidden_context", "You may not edit comments.")
	}
	if !r.readable(c) {
		return r.denied("rest_cannot_read", "You may not read this comment.")
	}
	return nil
}

// mayEditComment is core's edit_comment: who may edit the post may edit what
// is said there, and moderators may anyway.
func mayEditComment(code string) func(*request) *fault {
	return func(r *request) *fault {
		c, f := r.findComment()
		if f != nil {
			return f
		}
		p := r.post(c.post)
		if !r.user.can("moderate_comments") && (p == nil || !r.user.canEdit(p)) {
			return r.denied(code, "You may not change this comment.")
		}
		if code == "rest_cannot_edit" && r.given("post") && r.integer("post") != c.post {
			return r.mayCommentOn(r.post(r.integer("post")))
		}
		return nil
	}
}

func listComments(r *request) (*answer, *fault) {
	var found []*comment
	for _, c := range r.comments {
		if r.wantsComment(c) {
			found = append(found, c)
		}
	}
	include := r.integers("include")
	direction := -1
	if r.str("order") == "asc" {
		direction = 1
	}
	slices.SortStableFunc(found, func(a, b *comment) int {
		switch r.str("orderby") {
		case "include":
			return cmp.Compare(slices.Index(include, a.id), slices.Index(include, b.id))
		case "id":
			return direction * cmp.Compare(a.id, b.id)
		case "post":
			return direction * cmp.Compare(a.post, b.post)
		case "parent":
			return direction * cmp.Compare(a.parent, b.parent)
		}
		return direction * cmp.Or(a.date.Compare(b.date), cmp.Compare(a.id, b.id))
	})
	part, p := cut(r, found)
	items := []any{}
	for _, c := range part {
		if r.readable(c) {
			items = append(items, r.showComment(c, r.str("context")))
		}
	}
	return r.paged(items, p), nil
}

// postTrashed is the state of all comments on a post that went to the trash.
const postTrashed = "post-trashed"

func (r *request) wantsComment(c *comment) bool {
	in := func(name string, value int) bool {
		list := r.integers(name)
		return len(list) == 0 || slices.Contains(list, value)
	}
	state := map[string]string{"approve": "approved", "approved": "approved", "hold": "hold", "spam": "spam", "trash": "trash", postTrashed: postTrashed}[r.str("status")]
	inState := state == c.status || r.str("status") == "all" && (c.status == "approved" || c.status == "hold")
	search := strings.ToLower(r.str("search"))
	at := c.date.Format(wire)
	for name, later := range map[string]bool{"after": true, "before": false} {
		if value, offset, ok := parseDate(r.str(name)); ok {
			if offset {
				value = toLocal(value)
			}
			if limit := value.Format(wire); later && at <= limit || !later && at >= limit {
				return false
			}
		}
	}
	return inState && r.str("type") == "comment" && in("include", c.id) && !slices.Contains(r.integers("exclude"), c.id) &&
		in("post", c.post) && in("author", c.author) && !slices.Contains(r.integers("author_exclude"), c.author) &&
		in("parent", c.parent) && !slices.Contains(r.integers("parent_exclude"), c.parent) &&
		(r.str("author_email") == "" || r.str("author_email") == c.email) &&
		strings.Contains(strings.ToLower(c.name+"\n"+c.email+"\n"+c.url+"\n"+c.content), search)
}

func readComment(r *request) (*answer, *fault) {
	c, f := r.findComment()
	if f != nil {
		return nil, f
	}
	return &answer{data: r.showComment(c, r.str("context"))}, nil
}
