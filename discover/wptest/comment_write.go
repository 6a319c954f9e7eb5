package wptest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mayComment is create_item_permissions_check of the comments controller.
func mayComment(r *request) *fault {
	moderates := r.user.can("moderate_comments")
	switch {
	case r.user == nil:
		return failed(http.StatusUnauthorized, "rest_comment_login_required", "Only users may comment over REST.")
	case r.given("author") && r.integer("author") != r.user.id && !moderates:
		return r.denied("rest_comment_invalid_author", "You may not set the author of a comment.")
	case r.given("author_ip") && !moderates:
		return r.denied("rest_comment_invalid_author_ip", "You may not set the IP address of a comment.")
	case r.given("status") && !moderates:
		return r.denied("rest_comment_invalid_status", "You may not set the state of a comment.")
	}
	return r.mayCommentOn(r.post(r.integer("post")))
}

// mayCommentOn asks whether a post takes a comment of the user's.
func (r *request) mayCommentOn(p *post) *fault {
	forbid := func(code, message string) *fault { return failed(http.StatusForbidden, code, message) }
	switch {
	case p == nil:
		return forbid("rest_comment_invalid_post_id", "A comment needs a post.")
	case p.status == "draft":
		return forbid("rest_comment_draft_post", "Nobody may comment on a draft.")
	case p.status == "trash":
		return forbid("rest_comment_trash_post", "Nobody may comment on what is in the trash.")
	case !r.canRead(r.user, p):
		return r.denied("rest_cannot_read_post", "You may not read this post.")
	case p.comments != "open":
		return forbid("rest_comment_closed", "This post takes no comments.")
	}
	return nil
}

func createComment(r *request) (*answer, *fault) {
	content, _ := r.raw("content")
	if strings.TrimSpace(content) == "" {
		return nil, failed(http.StatusBadRequest, "rest_comment_content_invalid", "The comment is empty.")
	}
	c := &comment{post: r.integer("post"), parent: r.integer("parent"), content: content, status: "approved", date: now(), ip: "127.0.0.1"}
	if !r.user.can("moderate_comments") {
		c.status = "hold"
		if p := r.post(c.post); p != nil && p.author == r.user.id {
			c.status = "approved"
		}
	}
	r.fillComment(c)
	if c.author == 0 && c.name == "" && c.email == "" && c.url == "" {
		c.author, c.name, c.email = r.user.id, r.user.name, r.user.email
	}
	if c.name == "" || c.email == "" {
		return nil, failed(http.StatusBadRequest, "rest_comment_author_data_required", "A comment needs its author's name and e-mail address.")
	}
	if slices.ContainsFunc(r.comments, func(o *comment) bool {
		return o.post == c.post && o.parent == c.parent && o.content == c.content && (o.name == c.name || o.email == c.email) && o.status != "trash"
	}) {
		return nil, failed(http.StatusConflict, "comment_duplicate", "You said that already.")
	}
	if r.floods(c) {
		return nil, failed(http.StatusBadRequest, "comment_flood", "Another comment so soon: wait a few seconds.")
	}
	c.id, r.nextNote = r.nextNote, r.nextNote+1
	r.comments = append(r.comments, c)
	context := "view"
	if r.user.can("moderate_comments") {
		context = "edit"
	}
	r.set("context", context)
	return created(r.showComment(c, context), r.rest("/wp/v2/comments/"+strconv.Itoa(c.id))), nil
}

// floods is core's rule of one comment in 15 seconds for those who do not
// moderate (check_comment_flood_db).
func (r *request) floods(c *comment) bool {
	return !r.user.can("moderate_comments") && slices.ContainsFunc(r.comments, func(o *comment) bool {
		return o.author == c.author && c.date.Sub(o.date).Abs() < 15*time.Second
	})
}

func (r *request) fillComment(c *comment) {
	for name, into := range map[string]*string{
		"author_email": &c.email, "author_name": &c.name, "author_url": &c.url, "author_ip": &c.ip, "author_user_agent": &c.agent,
	} {
		if r.given(name) {
			*into = r.str(name)
		}
	}
	if u := r.userBy(r.integer("author")); u != nil {
		c.author, c.name, c.email = u.id, u.name, u.email
	}
	if at, offset, ok := parseDate(r.str("date")); ok {
		if offset {
			at = toLocal(at)
		}
		c.date = at
	} else if at, _, ok := parseDate(r.str("date_gmt")); ok {
		c.date = toLocal(at)
	}
	switch r.str("status") {
	case "approve", "approved", "1":
		c.status = "approved"
	case "hold", "0":
		c.status = "hold"
	case "spam":
		c.status = "spam"
	case "trash":
		c.status, c.before = "trash", c.status
	case "unspam", "untrash":
		c.status = c.before
	}
}

func updateComment(r *request) (*answer, *fault) {
	c, f := r.findComment()
	if f != nil {
		return nil, f
	}
	if r.given("post") {
		c.post = r.integer("post")
	}
	if content, ok := r.raw("content"); ok {
		if strings.TrimSpace(content) == "" {
			return nil, failed(http.StatusBadRequest, "rest_comment_content_invalid", "The comment is empty.")
		}
		c.content = content
	}
	if r.given("parent") {
		c.parent = r.integer("parent")
	}
	r.fillComment(c)
	r.set("context", "edit")
	return &answer{data: r.showComment(c, "edit")}, nil
}

func deleteComment(r *request) (*answer, *fault) {
	c, f := r.findComment()
	if f != nil {
		return nil, f
	}
	if r.truth("force") {
		was := r.showComment(c, "edit")
		r.comments = slices.DeleteFunc(r.comments, func(o *comment) bool { return o == c })
		return &answer{data: deleted(was)}, nil
	}
	if c.status == "trash" {
		return nil, failed(http.StatusGone, "rest_already_trashed", "It is in the trash already.")
	}
	c.before, c.status = c.status, "trash"
	r.set("context", "edit")
	return &answer{data: r.showComment(c, "edit")}, nil
}

func commentCallbacks(own callbacks) {
	// sanitize_key
	own.cleans["key"] = func(_ *request, _ *field, value any) (any, *fault) { return strings.ToLower(text(value)), nil }
}
