package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"toolpress/discover"
	"toolpress/discover/wp"
)

// index is what the checks want of GET {root} (WP_REST_Server::get_index).
type index struct {
	URL            any `json:"url"`
	Namespaces     any `json:"namespaces"`
	Authentication any `json:"authentication"`
}

// has reports a namespace that begins so.
func (i index) has(prefix string) bool {
	for _, n := range wp.List(i.Namespaces) {
		if name, ok := n.(string); ok && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// rest says where the REST API is and whether what it answers is JSON.
func (e *examination) rest(ctx context.Context) bool {
	if e.root == nil {
		return e.rootless()
	}
	how := map[discover.RootSource]string{
		discover.FromLink: "named by the page's Link header", discover.FromHTML: "named by a link in the page's head", discover.FromPath: "found at /wp-json/; the page names none",
		discover.FromRestRoute: "found at ?rest_route=/; the page names none",
	}[e.root.From]
	if how == "" {
		how = "found by " + string(e.root.From)
	}
	at := e.root.Client().Root()
	code, message := e.index.envelope()
	switch {
	case e.index.ok():
		e.fine("root", "REST API", at+", "+how)
	case e.index.status == http.StatusServiceUnavailable:
		return e.fail("root", "REST API", at+" answers 503 "+headline(e.index.body), "the site is down for maintenance, or its host has too much to do: try again in a few minutes")
	case originLost(e.index):
		return e.fail("root", "REST API", fmt.Sprintf("%s answers %d", at, e.index.status), behindCloudflare)
	case e.index.status >= http.StatusInternalServerError:
		return e.fail("root", "REST API", fmt.Sprintf("%s answers %d %s", at, e.index.status, headline(e.index.body)),
			"the site itself fails: its PHP error log says in which plugin; WordPress also sends the administrator a mail about it")
	case e.index.json() == nil:
		return e.notJSON(at)
	case e.index.status == http.StatusUnauthorized && !e.anonymous():
		// WordPress up to some version says so of any call with a wrong
		// password; what a visitor may see says the rest.
		open, err := e.probe.get(ctx, e.below(nil), nobody)
		if err != nil || !open.ok() {
			e.fine("root", "REST API", at+", "+how)
			e.refused(ctx, e.index)
			return false
		}
		e.index = open
		e.fine("root", "REST API", at+", "+how)
	default:
		return e.fail("root", "REST API", fmt.Sprintf("%s answers %d %s: %s", at, e.index.status, code, message), e.closed(code))
	}
	_ = json.Unmarshal(e.index.json(), &e.site) // what cannot be read is empty
	if e.site.Namespaces == nil {
		return e.fail("json", "JSON", at+" answers with JSON that is no REST index", "is this the address of a WordPress site? Another program may answer at /wp-json/")
	}
	e.noise()
	return true
}

// originLost reports Cloudflare's own errors about the server behind it.
func originLost(a *answer) bool {
	return between(a) == cloudflare && a.status >= 520 && a.status <= 530
}

const behindCloudflare = "Cloudflare does not reach the server behind it, or does not like its certificate: is the server up, does it admit Cloudflare's addresses? The number of the error says more in Cloudflare's documentation"

// closed is the remedy for a REST API that is shut.
func (e *examination) closed(code string) string {
	if e.anonymous() {
		return "a plugin closes the REST API to visitors: run toolpress login, or set TOOLPRESS_USER and TOOLPRESS_PASSWORD"
	}
	return "a security plugin or the host closes the REST API to this user: find the plugin that says " + code + " and let it leave the REST API open to signed-in users"
}

// rootless explains an address without a REST API.
func (e *examination) rootless() bool {
	said := fmt.Sprintf("%s answers %d %s; no Link header, nothing at /wp-json/ nor at ?rest_route=/", where(e.address), e.page.status, headline(e.page.body))
	switch page := e.page.body; {
	case e.page.status == http.StatusServiceUnavailable:
		return e.fail("root", "REST API", said, "the site is down for maintenance, or its host has too much to do: try again in a few minutes")
	case originLost(e.page):
		return e.fail("root", "REST API", said, behindCloudflare)
	case e.page.status >= http.StatusInternalServerError:
		return e.fail("root", "REST API", said, "the site itself fails: its PHP error log says in which plugin")
	case bytes.Contains(page, []byte("/wp-content/")), bytes.Contains(page, []byte("/wp-includes/")):
		return e.fail("root", "REST API", said, "it is a WordPress, and a plugin or the host switches its REST API off: look for \"Disable REST API\" among the plugins and for rules about wp-json at the host")
	}
	return e.fail("root", "REST API", said, "is this the address of a WordPress site? Open it in a browser; where the front is another system, give the address WordPress itself has")
}

func (e *examination) notJSON(at string) bool {
	said := fmt.Sprintf("%s answers %d with what is not JSON", at, e.index.status)
	if page := headline(e.index.body); page != "" {
		said += ", a page " + page
	} else if text := plain(string(e.index.body[:min(len(e.index.body), 2000)]), 100); text != "" {
		said += ": “" + text + "”"
	}
	remedy := "a plugin or the host answers in WordPress's place: a \"coming soon\" or maintenance plugin, a login wall, a cache"
	if plugin := culprit(e.index.body); plugin != "" {
		remedy = "the text comes from " + plugin + ": update it or switch it off"
	}
	return e.fail("json", "JSON", said, remedy)
}

// inPlugin finds whose file a PHP message names.
var inPlugin = regexp.MustCompile(`wp-content/(mu-plugins|plugins|themes)/([\w.-]+)[\w./-]*(?:</b>)?(?: on line (?:<b>)?(\d+))?`)

// culprit names the plugin or theme in a PHP message, with the file and line.
func culprit(text []byte) string {
	m := inPlugin.FindSubmatch(text[:min(len(text), 64<<10)])
	if m == nil {
		return ""
	}
	kind := map[string]string{"plugins": "the plugin ", "mu-plugins": "the must-use plugin ", "themes": "the theme "}[string(m[1])]
	return kind + plain(string(m[2]), 60) + " (" + plain(string(m[0]), 160) + ")"
}

var bom = []byte("\xef\xbb\xbf")

// noise quotes what stands around the JSON. It is survived; an update of the
// plugin that prints it may make it worse.
func (e *examination) noise() {
	at := bytes.Index(e.index.body, e.index.json())
	before, after := e.index.body[:at], e.index.body[at+len(e.index.json()):]
	text := strings.TrimSpace(string(bytes.ReplaceAll(before, bom, nil)))
	switch {
	case text != "":
		remedy := "a plugin or the theme prints into the answer; with WP_DEBUG_DISPLAY off in wp-config.php notices go to the log"
		if plugin := culprit(before); plugin != "" {
			remedy = "it comes from " + plugin + ": update it, or set WP_DEBUG_DISPLAY to false in wp-config.php, so that notices go to the log"
		}
		e.warn("json", "JSON", "before the JSON stands “"+plain(short(text), 150)+"”", remedy)
	case bytes.Contains(before, bom):
		e.warn("json", "JSON", "a byte order mark stands before the JSON", "a PHP file was saved as \"UTF-8 with BOM\": mostly wp-config.php or the theme's functions.php; save it without")
	case len(bytes.TrimSpace(after)) > 0:
		e.warn("json", "JSON", "after the JSON stands “"+comment(string(after))+"”", "a cache or optimisation plugin signs every answer: let it leave /wp-json/ alone")
	default:
		e.fine("json", "JSON", "clean")
	}
}

var serverPath = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\][\w./\\-]*(wp-content/)`)

// short leaves out where on the server WordPress lies.
func short(text string) string { return serverPath.ReplaceAllString(text, "…/$1") }

// comment is the text of an HTML comment, which [plain] would drop as a tag.
func comment(text string) string {
	return plain(strings.NewReplacer("<!--", "", "-->", "").Replace(text), 150)
}
