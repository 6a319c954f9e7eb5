package doctor

import (
	"bytes"
	"net/http"
	"strings"
)

// The firewalls that are known by name.
const (
	cloudflare  = "Cloudflare"
	sucuri      = "Sucuri"
	wordfence   = "Wordfence"
	modSecurity = "ModSecurity"
	siteGround  = "SiteGround's captcha"
	imunify     = "Imunify360"
	imperva     = "Imperva"
	amazon      = "AWS WAF"
	unnamed     = "a firewall"
)

// openings say where each is told to let toolpress through.
var openings = map[string]string{
	cloudflare:  "in Cloudflare: Security → WAF → a custom rule that skips the challenges for the path /wp-json/ and this machine's address; \"Bot Fight Mode\" knows no exception for a path and has to be off",
	sucuri:      "in Sucuri's dashboard: Firewall → Access Control → allow this machine's address, or allow the path /wp-json/",
	wordfence:   "in WordPress: Wordfence → Blocking, remove the block; then Firewall → All Options → Allowlisted IP addresses: add this machine's",
	modSecurity: "ask the host which ModSecurity rule forbids the request (its audit log has the number) and to switch that rule off for /wp-json/",
	siteGround:  "ask SiteGround to let this machine's address past the captcha; it counts requests from one address",
	imunify:     "in the host's control panel: Imunify360 → Lists → White List: add this machine's address, or ask the host",
	imperva:     "in Imperva's console: allow this machine's address, or exempt /wp-json/ from the bot rules",
	amazon:      "in AWS WAF: an allow rule for this machine's address or for the path /wp-json/",
	unnamed:     "ask the host what answers this to programs, and to let this machine's address or the path /wp-json/ through",
}

// signs are texts on the pages of each, in lower case.
var signs = []struct{ name, text string }{
	{wordfence, "wordfence"},
	{sucuri, "sucuri website firewall"},
	{sucuri, "sucuri.net"},
	{modSecurity, "mod_security"},
	{modSecurity, "modsecurity"},
	{modSecurity, "not acceptable!"},
	{imunify, "imunify360"},
	{siteGround, "sgcaptcha"},
	{imperva, "_incapsula_resource"},
	{cloudflare, "<title>just a moment"},
	{cloudflare, "<title>attention required! | cloudflare"},
	{cloudflare, "/cdn-cgi/challenge-platform/"},
	{unnamed, "captcha"},
	{unnamed, "are you human"},
	{unnamed, "checking your browser"},
}

// guard names what answers in a site's place, by the headers and the page of
// one answer; empty when WordPress does, or nothing that is known to block. A
// page of the site's own that speaks of a firewall is none: only what is
// refused, or challenged, is read.
func guard(a *answer) string {
	switch {
	case a.header.Get("Cf-Mitigated") != "":
		return cloudflare
	case a.header.Get("X-Sucuri-Block") != "":
		return sucuri
	case a.header.Get("Sg-Captcha") != "":
		return siteGround
	case a.header.Get("X-Amzn-Waf-Action") != "":
		return amazon
	case a.json() != nil || a.status == http.StatusNotFound:
		return ""
	}
	page := bytes.ToLower(a.body[:min(len(a.body), 64<<10)])
	for _, sign := range signs {
		if bytes.Contains(page, []byte(sign.text)) {
			return sign.name
		}
	}
	if a.status != http.StatusForbidden && a.status != http.StatusNotAcceptable {
		return ""
	}
	if name := between(a); name != "" {
		return name
	}
	return unnamed
}

// between names what lies between this machine and the site, by the headers it
// leaves on every answer, also on WordPress's own; empty when nothing shows.
func between(a *answer) string {
	switch server := strings.ToLower(a.header.Get("Server")); {
	case server == "cloudflare" || a.header.Get("Cf-Ray") != "":
		return cloudflare
	case strings.HasPrefix(server, "sucuri") || a.header.Get("X-Sucuri-Id") != "":
		return sucuri
	case a.header.Get("X-Iinfo") != "":
		return imperva
	}
	return ""
}
