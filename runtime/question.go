package runtime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// maxShown bounds one argument in a question, in bytes.
const maxShown = 200

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// question says what will happen, on which site, with which arguments. Its first
// line is the curation's; the rest is always there, so that no value of a model
// can hide what is asked: each is on a line of its own, as JSON and without
// characters that nobody sees.
func question(a admission, request wp.Request, arguments json.RawMessage) string {
	t := a.tool
	var given map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &given) // checked before
	ask := placeholder.ReplaceAllStringFunc(t.Confirm.Ask, func(m string) string {
		name := strings.Trim(m, "{}")
		if name == "site" {
			return host(a.about)
		}
		return cmp.Or(bare(given[name]), bare(given[t.ArgumentName(name)]), "(not given)")
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nSite: %s\nTool: %s\nRequest: %s %s\n", cmp.Or(ask, t.Title+"?"), a.about, t.Name, request.Method, schema.Legible(request.Route(), maxShown))
	named, _ := t.Arguments()
	for _, p := range named {
		if v, there := given[p.Name]; there {
			fmt.Fprintf(&b, "- %s: %s\n", p.Name, shown(v))
			delete(given, p.Name)
		}
	}
	if len(given) > 0 {
		fmt.Fprintf(&b, "- and %d arguments more\n", len(given))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shown is a value on one line, with its letters as they read, however a client
// escapes them.
func shown(v json.RawMessage) string {
	if plain, err := unescaped(v); err == nil {
		v = plain
	}
	text := schema.Legible(string(v), maxShown)
	if len(v) > maxShown {
		text += fmt.Sprintf(" (%d bytes)", len(v))
	}
	return text
}

// bare is a value within a sentence: text without its quotes.
func bare(v json.RawMessage) string {
	var text string
	if json.Unmarshal(v, &text) != nil {
		text = string(v)
	}
	return schema.Legible(text, maxShown)
}

// host is the site's name for a person.
func host(site string) string {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" {
		return site
	}
	return u.Host
}
