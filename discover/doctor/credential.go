package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"toolpress/discover/wp"
)

// passwords says whether the site offers application passwords, and why not.
func (e *examination) passwords(context.Context) bool {
	if methods, _ := e.site.Authentication.(map[string]any); methods["application-passwords"] != nil {
		e.fine("passwords", "Application passwords", "on")
		return true
	}
	home, _ := e.site.URL.(string)
	off := "off: the index offers none"
	switch {
	case e.address.Scheme == "http":
		e.warn("passwords", "Application passwords", off+", and the site is asked over http",
			"WordPress offers them over https only: use https; on a developer's machine define( 'WP_ENVIRONMENT_TYPE', 'local' ) in wp-config.php")
	case strings.HasPrefix(home, "http://"):
		e.warn("passwords", "Application passwords", off+", and the site believes that its own address is "+plain(withoutQuery(home), 120),
			"a proxy ends https and WordPress does not know: set $_SERVER['HTTPS'] = 'on' in wp-config.php where HTTP_X_FORWARDED_PROTO is https, and both addresses under Settings → General to https")
	default:
		e.warn("passwords", "Application passwords", off, e.switchedOff())
	}
	return true
}

// switchedOff names the plugins that are known to switch application passwords
// off, when the index shows that they are there.
func (e *examination) switchedOff() string {
	for _, known := range []struct{ namespace, where string }{
		{"wordfence", "Wordfence switches them off: Wordfence → All Options → Brute Force Protection → \"Disable WordPress application passwords\", take the tick away"},
		{"ithemes-security", "Solid Security may switch them off: Security → Settings → Advanced → WordPress Tweaks → REST API and application passwords"},
		{"solid-security", "Solid Security may switch them off: Security → Settings → Advanced → WordPress Tweaks → REST API and application passwords"},
		{"really-simple", "Really Simple Security may switch them off: Settings → Hardening → \"Disable application passwords\""},
		{"hostinger-tools", "Hostinger Tools may switch them off: Hostinger → Tools → \"Disable application passwords\""},
	} {
		if e.site.has(known.namespace) {
			return known.where
		}
	}
	return "a security plugin or the host switches them off (the filter wp_is_application_passwords_available): look among the plugins' settings for \"application passwords\", then ask the host"
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// applicationPassword is the shape WordPress makes (WP_Application_Passwords,
// PW_LENGTH); a person may have copied it with its spaces.
var applicationPassword = regexp.MustCompile(`^[A-Za-z0-9]{24}$`)

func (e *examination) shaped() bool {
	return applicationPassword.MatchString(strings.ReplaceAll(e.opts.WP.Credential.Password.Reveal(), " ", ""))
}

// user is what the checks want of GET /wp/v2/users/me?context=edit.
type user struct {
	Username     string `json:"username"`
	Slug         string `json:"slug"`
	Roles        any    `json:"roles"`
	Capabilities any    `json:"capabilities"`
}

// credential asks the site who we are.
func (e *examination) credential(ctx context.Context) bool {
	if e.anonymous() {
		e.warn("credential", "Sign-in", "nobody: only what every visitor may read",
			"toolpress login gets an application password through the browser; or set TOOLPRESS_USER and TOOLPRESS_PASSWORD to a user and one of theirs (Users → Profile → Application Passwords)")
		return true
	}
	edit := url.Values{"context": {"edit"}}
	said, err := e.probe.get(ctx, e.below(edit, "wp", "v2", "users", "me"), e.opts.WP.Credential)
	if err == nil && !said.ok() && cached(said.header) != "" {
		// A cache may answer with what it kept of a visitor: ask past it.
		edit.Set("_", fmt.Sprint(e.opts.Now().UnixNano()))
		said, err = e.probe.get(ctx, e.below(edit, "wp", "v2", "users", "me"), e.opts.WP.Credential)
	}
	if err != nil {
		return e.fail("credential", "Sign-in", "asked who we are, the site does not answer: "+plain(err.Error(), 120), "try again; the site's PHP error log says more")
	}
	code, _ := said.envelope()
	switch {
	case said.ok():
		var me user
		if err := json.Unmarshal(said.json(), &me); err != nil || me.Username == "" && me.Slug == "" {
			e.warn("credential", "Sign-in", "the site's answer to who we are cannot be read", "a plugin changes /wp/v2/users/me")
			return true
		}
		e.me = &me
		name := plain(firstOf(me.Username, me.Slug), 60)
		if hit := cached(said.header); hit != "" {
			e.warn("credential", "Sign-in", "signed in as "+name+", says an answer from a cache ("+hit+"), which may be another user's",
				"let the cache leave requests with an Authorization header alone: what one user may read is shown to the next")
			return true
		}
		e.fine("credential", "Sign-in", "signed in as "+name)
		return true
	case said.json() != nil && said.status != http.StatusUnauthorized && !otherLogin(code):
		// As discover reads it: a route that is blocked is not a credential refused.
		return e.unnamed(ctx, said)
	}
	return e.refused(ctx, said)
}

// unnamed asks another way where users/me is blocked: an ability of core.
func (e *examination) unnamed(ctx context.Context, blocked *answer) bool {
	said, err := e.probe.get(ctx, e.below(nil, "wp-abilities", "v1", "abilities", "core", "get-user-info", "run"), e.opts.WP.Credential)
	if err == nil && said.status == http.StatusUnauthorized {
		return e.refused(ctx, said)
	}
	if err == nil && said.ok() {
		var me struct {
			Login string `json:"user_login"`
			Roles any    `json:"roles"`
		}
		if json.Unmarshal(said.json(), &me) == nil && me.Login != "" {
			e.me = &user{Username: me.Login, Roles: me.Roles}
			e.fine("credential", "Sign-in", fmt.Sprintf("signed in as %s; /wp/v2/users/me is blocked (%d), the ability core/get-user-info says so", plain(me.Login, 60), blocked.status))
			return true
		}
	}
	e.warn("credential", "Sign-in", fmt.Sprintf("the site does not say who we are: /wp/v2/users/me answers %d", blocked.status),
		"a security plugin hides the users; toolpress works, but cannot tell whether the password was taken: allow /wp/v2/users/me to signed-in users")
	return true
}

// newPassword names the way to a new application password.
const newPassword = "make one under Users → Profile → Application Passwords and put it into TOOLPRESS_PASSWORD"

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// roles are a user's, for a person.
func (u *user) roles() string {
	var names []string
	for _, r := range wp.List(u.Roles) {
		if name, ok := r.(string); ok {
			names = append(names, plain(name, 40))
		}
	}
	if len(names) == 0 {
		return "no role on this site"
	}
	return strings.Join(names, ", ")
}
