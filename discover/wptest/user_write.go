package wptest

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var loginName = regexp.MustCompile(`^[A-Za-z0-9 _.@-]+$`)

func createUser(r *request) (*answer, *fault) {
	bad := func(code, message string) (*answer, *fault) { return nil, failed(http.StatusBadRequest, code, message) }
	login, email := r.str("username"), r.str("email")
	for _, u := range r.users {
		if u.login == login {
			return nil, failed(0, "existing_user_login", "Somebody has this name already.")
		}
		if u.email == email {
			return nil, failed(0, "existing_user_email", "Somebody has this e-mail address already.")
		}
	}
	for _, role := range r.words("roles") {
		if roles[role] == nil {
			return bad("rest_user_invalid_role", "There is no such role.")
		}
	}
	u := &user{login: login, name: login, nickname: login, slug: slugOf(login), locale: "en_US", roles: []string{"subscriber"}, registered: time.Now().UTC()}
	r.fillUser(u)
	u.id, r.nextUser = r.nextUser, r.nextUser+1
	r.users = append(r.users, u)
	r.set("context", "edit")
	return created(r.showUser(u, "edit"), r.rest("/wp/v2/users/"+strconv.Itoa(u.id))), nil
}

func updateUser(r *request) (*answer, *fault) {
	u, f := r.findUser()
	if f != nil {
		return nil, f
	}
	email := r.str("email")
	if slices.ContainsFunc(r.users, func(o *user) bool { return o != u && o.email == email }) {
		return nil, failed(http.StatusBadRequest, "rest_user_invalid_email", "Somebody else has this e-mail address.")
	}
	if r.given("username") && r.str("username") != u.login {
		return nil, failed(http.StatusBadRequest, "rest_user_invalid_argument", "A username cannot be changed.")
	}
	for _, role := range r.words("roles") {
		if roles[role] == nil {
			return nil, failed(http.StatusBadRequest, "rest_user_invalid_role", "There is no such role.")
		}
	}
	r.fillUser(u)
	r.set("context", "edit")
	return &answer{data: r.showUser(u, "edit")}, nil
}

func (r *request) fillUser(u *user) {
	for name, into := range map[string]*string{
		"name": &u.name, "first_name": &u.first, "last_name": &u.last, "email": &u.email, "url": &u.url, "description": &u.about, "nickname": &u.nickname,
	} {
		if r.given(name) {
			*into = r.str(name)
		}
	}
	if slug := r.str("slug"); slug != "" {
		u.slug = slugOf(slug)
	}
	if locale := r.str("locale"); locale != "" {
		u.locale = locale
	}
	if names := r.words("roles"); len(names) > 0 {
		u.roles = names
	}
}

func deleteUser(r *request) (*answer, *fault) {
	u, f := r.findUser()
	if f != nil {
		return nil, f
	}
	heir := r.integer("reassign")
	if !r.truth("force") {
		return nil, failed(http.StatusNotImplemented, "rest_trash_not_supported", "Users have no trash. Set force=true to delete.")
	}
	if heir != 0 && (heir == u.id || r.userBy(heir) == nil) {
		return nil, failed(http.StatusBadRequest, "rest_user_invalid_reassign", "There is no such user to give their posts to.")
	}
	was := r.showUser(u, "edit")
	r.users = slices.DeleteFunc(r.users, func(o *user) bool { return o == u })
	for _, p := range slices.Clone(r.posts) {
		if p.author != u.id {
			continue
		}
		if heir != 0 {
			p.author = heir
			continue
		}
		r.posts = slices.DeleteFunc(r.posts, func(o *post) bool { return o == p })
	}
	return &answer{data: deleted(was)}, nil
}

func userCallbacks(own callbacks) {
	// check_username: a new name has only some letters.
	own.checks["username"] = func(_ *request, _ *field, value any) *fault {
		name, ok := value.(string)
		if !ok || strings.TrimSpace(name) == "" || !loginName.MatchString(name) {
			return failed(http.StatusBadRequest, "rest_user_invalid_username", "The username holds letters that are not allowed.")
		}
		return nil
	}
	// check_reassign: a number, or false or nothing for nobody.
	own.checks["reassign"] = func(_ *request, _ *field, value any) *fault {
		if _, ok := number(value); ok || value == "" || value == false || value == "false" {
			return nil
		}
		return failed(http.StatusBadRequest, "rest_invalid_param", "That is no user.")
	}
}
