package wptest

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// avatars are Gravatar's addresses.
func avatars(email string) map[string]any {
	sum := sha256.Sum256([]byte(strings.ToLower(email)))
	at := "https://secure.gravatar.com/avatar/" + hex.EncodeToString(sum[:]) + "?d=mm&r=g&s="
	return map[string]any{"24": at + "24", "48": at + "48", "96": at + "96"}
}

func (r *request) showUser(u *user, context string) map[string]any {
	caps, extra, roleNames := map[string]any{}, map[string]any{}, []any{}
	for name := range u.caps() {
		caps[name] = true
	}
	for _, role := range u.roles {
		extra[role] = true
		roleNames = append(roleNames, role)
	}
	site := u.url
	if site == "/" {
		site = r.home
	}
	meta := any([]any{})
	if context == "edit" {
		meta = map[string]any{"persisted_preferences": []any{}}
	}
	o := map[string]any{
		"id": u.id, "username": u.login, "name": u.name, "first_name": u.first, "last_name": u.last, "email": u.email, "url": site,
		"description": u.about, "link": r.home + "/author/" + u.slug + "/", "locale": u.locale, "nickname": u.nickname, "slug": u.slug,
		"registered_date": u.registered.Format(wire) + "+00:00", "roles": roleNames, "capabilities": caps, "extra_capabilities": extra,
		"avatar_urls": avatars(u.email), "meta": meta,
	}
	o = userResource.inContext(o, context)
	o["_links"] = map[string]any{"self": r.self("/wp/v2/users/"+strconv.Itoa(u.id), nil), "collection": link(r.rest("/wp/v2/users"))}
	return o
}
