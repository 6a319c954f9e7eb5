package wptest

import (
	"slices"
	"strconv"
	"strings"
)

func (r *request) showComment(c *comment, context string) map[string]any {
	o := map[string]any{
		"id": c.id, "post": c.post, "parent": c.parent, "author": c.author, "author_name": c.name, "author_email": c.email,
		"author_url": c.url, "author_ip": c.ip, "author_user_agent": c.agent, "date": c.date.Format(wire), "date_gmt": toGMT(c.date).Format(wire),
		"content": map[string]any{"rendered": contentHTML(c.content), "raw": c.content}, "status": c.status, "type": "comment",
		"author_avatar_urls": avatars(c.email), "meta": map[string]any{"_wp_note_status": nil},
	}
	links := map[string]any{"self": r.self("/wp/v2/comments/"+strconv.Itoa(c.id), nil), "collection": link(r.rest("/wp/v2/comments"))}
	o["link"] = ""
	if p := r.post(c.post); p != nil {
		o["link"] = strings.TrimSuffix(r.permalink(p), "/") + "/#comment-" + strconv.Itoa(c.id)
		links["up"] = link(r.rest("/wp/v2/"+p.kind.base+"/"+strconv.Itoa(p.id)), "embeddable", true, "post_type", p.kind.name)
	}
	if c.author != 0 {
		links["author"] = link(r.rest("/wp/v2/users/"+strconv.Itoa(c.author)), "embeddable", true)
	}
	if c.parent != 0 {
		links["in-reply-to"] = link(r.rest("/wp/v2/comments/"+strconv.Itoa(c.parent)), "embeddable", true)
	}
	if slices.ContainsFunc(r.comments, func(o *comment) bool { return o.parent == c.id }) {
		links["children"] = link(r.rest("/wp/v2/comments?parent="+strconv.Itoa(c.id)), "embeddable", true)
	}
	o = commentResource.inContext(o, context)
	o["_links"] = links
	return o
}
