package doctor

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// header is how each kind of server is told to pass the Authorization header
// on; what is to be copied stands on a line of its own.
const header = `Apache: "CGIPassAuth On" in .htaccess; where PHP runs as CGI, below "RewriteEngine On":
RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
nginx with PHP-FPM, where the other fastcgi_param lines are:
fastcgi_param HTTP_AUTHORIZATION $http_authorization;
Another proxy or a CDN in front: let it pass the header Authorization on. Tools → Site Health shows whether it arrives.`

// otherLogin reports the code of a plugin that wants another login.
func otherLogin(code string) bool {
	return strings.HasPrefix(code, "jwt_") || strings.HasPrefix(code, "rest_cookie") || strings.Contains(code, "oauth1")
}

// refused tells why the credential is not taken. It always fails.
func (e *examination) refused(ctx context.Context, said *answer) bool {
	code, message := said.envelope()
	fail := func(evidence, remedy string) bool { return e.fail("credential", "Sign-in", evidence, remedy) }
	user := plain(e.opts.WP.Credential.User, 60)
	switch {
	case said.json() == nil:
		if name := guard(said); name != "" {
			return fail(fmt.Sprintf("asked who we are, %s answers in the site's place: %d %s", name, said.status, headline(said.body)), openings[name])
		}
		return fail(fmt.Sprintf("asked who we are, the site answers %d with what is not JSON %s", said.status, headline(said.body)), "its PHP error log says why")
	case strings.HasPrefix(e.opts.WP.Credential.User, "ck_"):
		return fail("TOOLPRESS_USER holds a WooCommerce consumer key: it opens WooCommerce's routes only, and WordPress does not know it",
			"TOOLPRESS_USER is the login name of a user; "+newPassword)
	case strings.HasPrefix(code, "application_passwords_disabled"):
		return fail("the site has application passwords switched off for "+user, e.switchedOff())
	case code == "invalid_username" || code == "invalid_email":
		return fail("the site knows no user "+user, "TOOLPRESS_USER is the login name or the mail address of the user, not the label of the application password")
	case code == "incorrect_password" || code == "invalidpassword":
		return e.wrong(code)
	case strings.HasPrefix(code, "jwt_"):
		return fail(fmt.Sprintf("a JWT plugin takes the header for itself: %d %s", said.status, code),
			"let the plugin leave \"Authorization: Basic\" to WordPress, or switch it off: application passwords need no plugin")
	case strings.HasPrefix(code, "rest_cookie"):
		return fail(fmt.Sprintf("the site asks for the browser's cookie and nonce: %d %s", said.status, code),
			"cookies are for people in wp-admin, not for a sidecar: a plugin limits the REST API to them; let it take application passwords as well")
	case strings.Contains(code, "oauth1"):
		return fail(fmt.Sprintf("the site asks for OAuth 1.0a: %d %s", said.status, code),
			"toolpress does not sign OAuth 1.0a: WordPress has application passwords since 5.6; switch the OAuth plugin off for this user and "+newPassword)
	case said.status == http.StatusUnauthorized:
		return e.notLoggedIn(ctx, code)
	}
	return fail(fmt.Sprintf("asked who we are, the site answers %d %s: %s", said.status, code, message),
		"a security plugin or the host refuses this user: find the plugin that says "+code+" and let it admit signed-in users")
}

// wrong says what a password is that arrived and was not taken.
func (e *examination) wrong(code string) bool {
	said := "the header arrives, and the password is not one of " + plain(e.opts.WP.Credential.User, 60) + "'s application passwords (" + code + ")"
	if !e.shaped() {
		return e.loginPassword(said)
	}
	return e.fail("credential", "Sign-in", said, "it was revoked, or belongs to another user or site: "+newPassword)
}

func (e *examination) loginPassword(said string) bool {
	return e.fail("credential", "Sign-in", said+". It does not look like one: those are 24 letters and digits, in six groups of four; this is the login password, or a part",
		"the login password does not work with the REST API: "+newPassword+", spaces and all")
}

// notLoggedIn tells a password that is wrong from a header that did not
// arrive. To WordPress they are the same (since 6.3, and in the late releases
// of older branches); but XML-RPC takes an application password in the body.
func (e *examination) notLoggedIn(ctx context.Context, code string) bool {
	if !e.opts.WP.Credential.Token.Empty() {
		return e.fail("credential", "Sign-in", "a bearer token was sent, and to the site we are nobody (401 "+code+"): the token has ended, or no plugin reads it, or the web server drops the Authorization header",
			"WordPress itself takes no bearer token, its plugin has to be on; an application password needs no plugin.\n"+header)
	}
	said := "a password was sent, and to the site we are nobody (401 " + code + ")"
	if !e.shaped() {
		return e.loginPassword(said)
	}
	if methods, _ := e.site.Authentication.(map[string]any); e.site.Namespaces != nil && methods["application-passwords"] == nil {
		return e.fail("credential", "Sign-in", said+", as the site has application passwords switched off", "see the line about application passwords above")
	}
	user := plain(e.opts.WP.Credential.User, 60)
	switch e.xmlrpc(ctx) {
	case taken:
		return e.fail("credential", "Sign-in", said+". The password is right: XML-RPC, where it is no header, takes it. So the Authorization header is lost before WordPress reads it", header)
	case notTaken:
		return e.fail("credential", "Sign-in", said+". XML-RPC, where it is no header, does not take it either: it is not an application password of "+user,
			"TOOLPRESS_USER is the login name, not the password's label; the password may be revoked or another site's: "+newPassword)
	}
	return e.fail("credential", "Sign-in", said+". Either the password is not one of "+user+"'s, or the web server drops the Authorization header; WordPress does not say which",
		"first "+newPassword+". If that changes nothing, let the web server pass the header on.\n"+header)
}

// verdict is what XML-RPC says about a password.
type verdict int

const (
	unknown verdict = iota
	taken
	notTaken
)

// xmlrpc asks once whether the site takes the password where it needs no
// header: wp.getUsersBlogs changes nothing (wp-includes/class-wp-xmlrpc-server.php).
// Many hosts close XML-RPC; that leaves it unknown.
func (e *examination) xmlrpc(ctx context.Context) verdict {
	dir := ""
	for _, said := range []any{e.root.URL, e.site.URL} { // of what the site says, the path only
		address, _ := said.(string)
		if at, err := url.Parse(address); err == nil && address != "" {
			dir = strings.Trim(at.Path, "/")
		}
	}
	u := url.URL{Scheme: e.address.Scheme, Host: e.address.Host, Path: path.Join("/", dir, "xmlrpc.php")}
	var body bytes.Buffer
	body.WriteString(`<?xml version="1.0"?><methodCall><methodName>wp.getUsersBlogs</methodName><params>`)
	for _, value := range []string{e.opts.WP.Credential.User, e.opts.WP.Credential.Password.Reveal()} {
		body.WriteString("<param><value><string>")
		_ = xml.EscapeText(&body, []byte(value)) // a buffer takes everything
		body.WriteString("</string></value></param>")
	}
	body.WriteString("</params></methodCall>")
	said, err := e.probe.send(ctx, http.MethodPost, &u, nobody, "text/xml", body.Bytes())
	switch {
	case err != nil || said.status != http.StatusOK:
		return unknown
	case bytes.Contains(said.body, []byte("<fault>")) && bytes.Contains(said.body, []byte("<int>403</int>")):
		return notTaken
	case bytes.Contains(said.body, []byte("<name>blogid</name>")):
		return taken
	}
	return unknown
}
