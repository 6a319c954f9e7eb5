package wptest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// userRoutes are WP_REST_Users_Controller's.
func userRoutes() []*route {
	context := []field{contextOf(userResource, "view")}
	list := append(context, fields(collectionArgs+withoutArgs+`
offset integer late | Leave out that many results.
order string default=asc enum=asc,desc late | Ascending or descending.
orderby string default=name late enum=id,include,name,registered_date,slug,include_slugs,email,url | By what to order.
slug array of=string late | Only with these slugs.
roles array of=string late | Only with one of these roles.
capabilities array of=string late | Only with one of these rights.
who string enum=authors late | Only those who may write posts.
has_published_posts boolean,array late | Only those who published something, or posts of these types.
search_columns array default=[] late itemenum=email,name,id,username,slug | Where to search.
`)...)
	// PHP's array of post types has keys; JSON makes an object of it.
	types := map[string]any{}
	for _, t := range postTypes {
		types[t.slug] = t.slug
	}
	list[slices.IndexFunc(list, func(f field) bool { return f.name == "has_published_posts" })].schema["items"] = map[string]any{"type": "string", "enum": types}
	gone := "force boolean default=false late | Has to be true: users have no trash.\nreassign integer req own=reassign | Who gets what they wrote.\n"
	return []*route{
		{pattern: "/users", resource: userResource, batch: true, endpoints: []*endpoint{
			{methods: reads, args: list, allowed: mayListUsers, handle: listUsers},
			{methods: creates, args: userResource.written(true), allowed: mayCreateUser, handle: createUser},
		}},
		{pattern: `/users/(?P<id>[\d]+)`, resource: userResource, batch: true, endpoints: []*endpoint{
			{methods: reads, args: append(fields(idArg), contextOf(userResource, "view")), allowed: mayReadUser, handle: readUser},
			{methods: edits, args: append(fields(idArg), userResource.written(false)...), allowed: mayUpdateUser, handle: updateUser},
			{methods: deletes, args: fields(idArg + gone), allowed: mayDeleteUser, handle: deleteUser},
		}},
		{pattern: "/users/me", resource: userResource, endpoints: []*endpoint{
			{methods: reads, args: context[:1:1], handle: me(readUser)},
			{methods: edits, args: userResource.written(false), allowed: meAllowed(mayUpdateUser), handle: me(updateUser)},
			{methods: deletes, args: fields(gone), allowed: meAllowed(mayDeleteUser), handle: me(deleteUser)},
		}},
	}
}

// me puts the credential's own number where a route has none.
func me(handle func(*request) (*answer, *fault)) func(*request) (*answer, *fault) {
	return func(r *request) (*answer, *fault) {
		if r.user == nil {
			return nil, failed(http.StatusUnauthorized, "rest_not_logged_in", "Nobody is logged in.")
		}
		r.set("id", r.user.id)
		return handle(r)
	}
}

func meAllowed(allowed func(*request) *fault) func(*request) *fault {
	return func(r *request) *fault {
		if r.user == nil {
			return failed(http.StatusNotFound, "rest_user_invalid_id", "There is no such user.")
		}
		r.set("id", r.user.id)
		return allowed(r)
	}
}

func (r *request) findUser() (*user, *fault) {
	if u := r.userBy(r.integer("id")); u != nil {
		return u, nil
	}
	return nil, failed(http.StatusNotFound, "rest_user_invalid_id", "There is no such user.")
}

func mayListUsers(r *request) *fault {
	if r.user.can("list_users") {
		return nil
	}
	switch {
	case len(r.words("roles")) > 0 || len(r.words("capabilities")) > 0:
		return r.denied("rest_user_cannot_view", "You may not look for users by what they may do.")
	case r.inEdit():
		return r.denied("rest_forbidden_context", "You may not edit users.")
	case r.str("orderby") == "email" || r.str("orderby") == "registered_date":
		return r.denied("rest_forbidden_orderby", "You may not order users by this.")
	case r.str("who") == "authors" && !r.user.can("edit_posts"):
		return r.denied("rest_forbidden_who", "You may not ask for authors.")
	}
	return nil
}

func mayReadUser(r *request) *fault {
	u, f := r.findUser()
	if f != nil {
		return f
	}
	if r.user != nil && r.user.id == u.id {
		return nil
	}
	if r.inEdit() && !r.user.canEditUser(u) {
		return r.denied("rest_forbidden_context", "You may not edit this user.")
	}
	if !r.user.canEditUser(u) && !r.user.can("list_users") && !r.published(u) {
		return r.denied("rest_user_cannot_view", "You may not see this user.")
	}
	return nil
}

func mayCreateUser(r *request) *fault {
	if !r.user.can("create_users") {
		return r.denied("rest_cannot_create_user", "You may not create users.")
	}
	return nil
}

func mayUpdateUser(r *request) *fault {
	u, f := r.findUser()
	if f != nil {
		return f
	}
	if len(r.words("roles")) > 0 && !r.user.can("promote_users") {
		return r.denied("rest_cannot_edit_roles", "You may not change anybody's roles.")
	}
	if !r.user.canEditUser(u) {
		return r.denied("rest_cannot_edit", "You may not edit this user.")
	}
	return nil
}

func mayDeleteUser(r *request) *fault {
	if _, f := r.findUser(); f != nil {
		return f
	}
	if !r.user.can("delete_users") {
		return r.denied("rest_user_cannot_delete", "You may not delete this user.")
	}
	return nil
}

// published tells whether visitors can read something of the user's.
func (s *Site) published(u *user) bool {
	return slices.ContainsFunc(s.posts, func(p *post) bool { return p.author == u.id && p.status == "publish" && p.kind != mediaKind })
}

func listUsers(r *request) (*answer, *fault) {
	var found []*user
	for _, u := range r.users {
		if r.wantsUser(u) {
			found = append(found, u)
		}
	}
	include, slugs := r.integers("include"), r.words("slug")
	direction := 1
	if r.str("order") == "desc" {
		direction = -1
	}
	slices.SortStableFunc(found, func(a, b *user) int {
		switch r.str("orderby") {
		case "id":
			return direction * cmp.Compare(a.id, b.id)
		case "slug":
			return direction * cmp.Compare(a.slug, b.slug)
		case "email":
			return direction * cmp.Compare(a.email, b.email)
		case "registered_date":
			return direction * a.registered.Compare(b.registered)
		case "include":
			return cmp.Compare(slices.Index(include, a.id), slices.Index(include, b.id))
		case "include_slugs":
			return cmp.Compare(slices.Index(slugs, a.slug), slices.Index(slugs, b.slug))
		}
		return direction * cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	part, p := cut(r, found)
	items := []any{}
	for _, u := range part {
		items = append(items, r.showUser(u, r.str("context")))
	}
	return r.paged(items, p), nil
}

func (r *request) wantsUser(u *user) bool {
	include, slugs, who := r.integers("include"), r.words("slug"), r.words("roles")
	search := strings.ToLower(r.str("search"))
	where := u.login + "\n" + u.name + "\n" + u.slug
	if r.user.can("list_users") {
		where += "\n" + u.email
	}
	published := !r.user.can("list_users")
	if r.given("has_published_posts") {
		published = published || r.get("has_published_posts") != false
	}
	return (len(include) == 0 || slices.Contains(include, u.id)) && !slices.Contains(r.integers("exclude"), u.id) &&
		(len(slugs) == 0 || slices.Contains(slugs, u.slug)) && strings.Contains(strings.ToLower(where), search) &&
		(len(who) == 0 || slices.ContainsFunc(u.roles, func(role string) bool { return slices.Contains(who, role) })) &&
		(r.str("who") == "" || u.can("edit_posts")) && (!published || r.published(u)) &&
		!slices.ContainsFunc(r.words("capabilities"), func(c string) bool { return !u.can(c) })
}

func readUser(r *request) (*answer, *fault) {
	u, f := r.findUser()
	if f != nil {
		return nil, f
	}
	if r.inEdit() && !r.user.canEditUser(u) {
		return nil, r.denied("rest_forbidden_context", "You may not edit this user.")
	}
	return &answer{data: r.showUser(u, r.str("context"))}, nil
}
