package discover

import (
	"errors"
	"net/http"
	"strings"

	"toolpress/discover/wp"
)

// Advice names the usual cause behind an error of [Find] or [Root.Read] and
// what to do about it, in one or two sentences for the site's operator. It is
// empty where there is nothing better to say than the error itself.
func Advice(err error) string {
	var e *wp.Error
	switch {
	case errors.Is(err, wp.ErrPlainHTTP):
		return "use the site's https address; on a private network --insecure-http accepts the risk"
	case errors.Is(err, wp.ErrStoreHTTP):
		return "over http WooCommerce wants its keys as OAuth 1.0a signatures, which toolpress does not make: use the site's https address, or leave the keys out; an application password works"
	case errors.Is(err, wp.ErrEchoed):
		return "a plugin prints what it is sent into its answers, the password too: find it, switch it off, and make a new password"
	case errors.As(err, &e) && e.Kind != wp.Refused && e.Kind != wp.NotJSON:
		return transportAdvice(e)
	case errors.Is(err, ErrCredential):
		return credentialAdvice(e)
	case e == nil && errors.Is(err, ErrNoRoot):
		return "the address answers with JSON that is not WordPress's: is it the address of the site itself?"
	case e == nil:
		return ""
	case e.Status == http.StatusServiceUnavailable:
		return "the site is down for maintenance, or its host has too much to do: try again in a few minutes"
	case e.Kind == wp.NotJSON && firewall(e):
		return "a firewall in front of the site answers instead of WordPress: allow this machine's address or the path of the REST API there"
	case errors.Is(err, ErrNoRoot):
		return "open the address in a browser: is it a page of a WordPress site? If it is, a plugin or the host switches the REST API off"
	case e.Kind == wp.NotJSON:
		return "the site answers with something that is not JSON: a maintenance page, or a plugin that prints into the answer; ask the address with curl to see it"
	case e.Status == http.StatusForbidden:
		return "a security plugin or the host forbids the REST API to this user: allow it there, " + e.Code + " says which rule"
	case e.Status >= 500:
		return "the site itself fails: its PHP error log says why"
	}
	return ""
}

func transportAdvice(e *wp.Error) string {
	switch e.Kind {
	case wp.Unreachable:
		if strings.Contains(e.Err.Error(), "no such host") {
			return "the name does not resolve: check the spelling, and this machine's DNS"
		}
		return "nothing answers there: check the address and port, and whether a firewall lies between"
	case wp.BadTLS:
		return "the certificate is not one this machine trusts: let the site send its full chain, or name its authority: site: { ca_file: FILE }, or TOOLPRESS_CA_FILE"
	case wp.TimedOut:
		return "the site does not answer in time: try again, and ask the host whether it limits requests from this machine"
	case wp.Crowded:
		return "what site.upstream allows is used up: try again in a moment, or raise its rate, burst or concurrency"
	case wp.Redirected:
		if strings.Contains(e.Location, "wp-login.php") {
			return "this address is for signed-in people: use the site's own, without /wp-admin"
		}
		return "toolpress follows no redirect, because a credential would follow it: use " + e.Location + " as the site's address if that is the site"
	case wp.TooLarge:
		return "the answer is larger than any WordPress index; is this the right address?"
	}
	return "the connection broke before the answer ended: try again, and look at the site's error log"
}

// credentialAdvice tells the ways a credential fails apart, by WordPress's
// code (wp-includes/user.php, wp_authenticate_application_password).
func credentialAdvice(e *wp.Error) string {
	switch e.Code {
	case "rest_not_logged_in":
		// A wrong application password and none at all look alike (6.1.9, 6.8, 7.1):
		// core determines the user after it asks whether the password was wrong.
		return "either the application password is not one of this user's (WordPress does not tell; make one under Users → Profile → Application Passwords, " +
			"the login password does not do), or the web server strips the Authorization header. " +
			"Apache: add \"CGIPassAuth On\" to .htaccess; nginx with FPM: pass \"fastcgi_param HTTP_AUTHORIZATION $http_authorization;\""
	case "incorrect_password", "invalid_username", "invalid_email", "invalidpassword":
		return "TOOLPRESS_PASSWORD must be an application password, not the login password: make one under Users → Profile → Application Passwords; TOOLPRESS_USER is the login name, not the password's label"
	case "application_passwords_disabled", "application_passwords_disabled_for_user":
		return "application passwords are switched off, by a plugin or the host: allow them for this user"
	}
	return "the site asks for another login: look at what " + e.Code + " means to the plugin that sends it"
}

// firewall recognises the pages of what stands in front of a site.
func firewall(e *wp.Error) bool {
	page := strings.ToLower(e.Excerpt)
	for _, mark := range []string{"just a moment", "cloudflare", "sucuri", "attention required", "mod_security", "not acceptable", "captcha", "wordfence"} {
		if strings.Contains(page, mark) {
			return true
		}
	}
	return e.Status == http.StatusForbidden
}
