package doctor_test

import (
	"net/http"
	"slices"

	"toolpress/discover/doctor"
	"toolpress/discover/wp"
)

// right is an application password's shape, and nobody's password.
const right = "aBcD efGh 1234 iJkL mnOp 5678"

// troubles are the sites of these tests, in the order of the cases.
var troubles = slices.Concat(ofCredentials, ofSites)

// ofCredentials are between a password and WordPress.
var ofCredentials = []trouble{
	{name: "W00 nothing wrong"},
	{
		name: "W50 header stripped, XML-RPC says so", title: "The web server drops the Authorization header",
		story: "The password is right and never reaches WordPress: Apache with CGI or FastCGI, or a proxy. WordPress gives the same answer as to a wrong password; XML-RPC tells them apart.",
		front: both(xmlrpc(editorPassword), strips),
		want:  []want{failed("credential", "The password is right", "CGIPassAuth On", "fastcgi_param HTTP_AUTHORIZATION", "[E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]")},
	},
	{
		name: "W50 wrong password, XML-RPC says so", title: "The password is not this user's",
		story: "It has the right shape, and was revoked, or belongs to another user or site.",
		front: xmlrpc(editorPassword), opts: as("editor", right),
		want: []want{failed("credential", "not an application password of editor")},
	},
	{
		name:  "W50 header stripped and XML-RPC closed",
		front: both(strips, answers("/xmlrpc.php", http.StatusForbidden, page("Forbidden", ""))),
		want:  []want{failed("credential", "WordPress does not say which", "CGIPassAuth On", "make one under Users")},
	},
	{
		name: "W51 to www and https", title: "The address redirects",
		story: "http to https, or to www: with a redirect the password would follow, so toolpress stays and says which address to use.",
		front: moves("https://www.shop.example"),
		want:  []want{failed("redirect", "https://shop.example redirects to https://www.shop.example", "use https://www.shop.example.")},
	},
	{
		name: "W51 pages only", front: pagesMove,
	},
	{
		name: "W51 to the login page", front: answers("/", http.StatusFound, "", "Location", "/wp-login.php?redirect_to=x"), path: "/wp-admin/",
		want: []want{failed("redirect", "login page", "without /wp-admin")},
	},
	{
		name: "W52 a proxy ends https", title: "WordPress does not know that it is asked over https",
		story: "A proxy ends https and speaks http with WordPress, which then offers no application passwords.",
		front: both(passwordsOff("", "http://shop.example/?token=s3cret"), strips),
		want: []want{
			warned("passwords", "its own address is http://shop.example", "HTTP_X_FORWARDED_PROTO"),
			failed("credential", "switched off"),
		},
	},
	{
		name: "W52 over http", front: passwordsOff("", ""), plain: true, opts: visitor,
		want: []want{warned("passwords", "over http", "WP_ENVIRONMENT_TYPE"), warned("credential", "nobody"), warned("abilities", "not listed to visitors")},
	},
	{
		name: "W53 Wordfence has them off", title: "A security plugin switches application passwords off",
		story: "Wordfence does it when it is installed; other plugins and hosts have a switch as well.",
		front: both(passwordsOff("wordfence/v1", ""), strips),
		want:  []want{warned("passwords", "Wordfence → All Options"), failed("credential", "switched off")},
	},
	{
		name:  "W53 off for this user",
		front: answers("/wp-json/wp/v2/users/me", http.StatusUnauthorized, refusal(401, "application_passwords_disabled_for_user")),
		want:  []want{failed("credential", "switched off for editor")},
	},
	{
		name:  "W53 REST closed to visitors",
		front: answers("/wp-json", http.StatusUnauthorized, refusal(401, "rest_cannot_access")), opts: visitor,
		want: []want{failed("root", "401 rest_cannot_access", "set TOOLPRESS_USER")},
	},
	{
		name: "W53 REST closed to visitors, and the header stripped",
		front: both(xmlrpc(editorPassword),
			answers("/wp-json", http.StatusUnauthorized, refusal(401, "rest_login_required"))),
		want: []want{failed("credential", "401 rest_login_required", "The password is right", "CGIPassAuth On")},
	},
	{
		name:  "W53 REST closed to everybody",
		front: answers("/wp-json", http.StatusForbidden, refusal(403, "rest_disabled")),
		want:  []want{failed("root", "403 rest_disabled", "find the plugin that says rest_disabled")},
	},
	{
		name:  "W54 users hidden",
		front: answers("/wp-json/wp/v2/users", http.StatusNotFound, refusal(404, "rest_no_route")),
	},
	{
		name: "W54 users hidden and no abilities",
		front: both(answers("/wp-json/wp/v2/users", http.StatusForbidden, refusal(403, "rest_user_cannot_view")),
			both(answers("/wp-json/wp-abilities", http.StatusNotFound, refusal(404, "rest_no_route")),
				indexed(func(index map[string]any) { index["namespaces"] = []any{"wp/v2"} }))),
		want: []want{warned("credential", "answers 403"), warned("abilities")},
	},
	{
		name: "W55 login password", title: "The login password in the place of an application password",
		story: "WordPress's REST API takes application passwords only.",
		opts:  as("editor", "hunter2"),
		want:  []want{failed("credential", "24 letters and digits", "make one under Users → Profile → Application Passwords")},
	},
	{
		name:  "W55 as an older WordPress says it",
		front: answers("/wp-json", http.StatusUnauthorized, refusal(401, "incorrect_password")), opts: as("editor", right),
		want: []want{failed("credential", "the header arrives", "revoked")},
	},
	{
		name:  "W55 the label for the user",
		front: answers("/wp-json/wp/v2/users/me", http.StatusUnauthorized, refusal(401, "invalid_username")), opts: as("my agent", right),
		want: []want{failed("credential", "no user my agent", "not the label")},
	},
	{
		name: "W56 a token that nothing reads", opts: func(o *doctor.Options) { o.WP.Credential = wp.Credential{Token: wp.NewSecret("hunter2")} },
		want: []want{failed("credential", "a bearer token was sent", "application password needs no plugin")},
	},
	{
		name: "W58 an administrator", title: "It works, as an administrator",
		story: "Everything an administrator may do is more than an agent should be able to.",
		opts:  as("admin", adminPassword),
		want:  []want{warned("rights", "administrator: may change settings", "role Editor or Author")},
	},
}
