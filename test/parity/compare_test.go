package parity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// call is one request of the table.
type call struct {
	as   string // the login; empty for nobody, "stranger" for a wrong password
	do   string // method and path below the REST root; //… below the site
	body string // JSON where it begins with {
	save string // the name of the number that comes back, {name} elsewhere

	header []string
	file   []byte // a body as it is
	// skip names members of the body that another test compares.
	skip []string
	// allow are differences that cannot be helped, each with its reason: a
	// part of the difference's text, " because " and why.
	allow []string
}

func (c call) who() string {
	if c.as == "" {
		return "nobody"
	}
	return c.as
}

func (c call) accepts(difference string) string {
	for _, a := range c.allow {
		if part, reason, ok := strings.Cut(a, " because "); ok && strings.Contains(difference, part) {
			return reason
		}
	}
	return ""
}

// compare lists how the embedded site's answer differs.
func compare(real, fake *target, c call, want, got reply) []string {
	var list []string
	differ := func(what string, want, got any) {
		if want != got {
			list = append(list, fmt.Sprintf("%s: real %v, embedded %v", what, want, got))
		}
	}
	differ("status", want.status, got.status)
	for _, name := range []string{"Content-Type", "Allow", "X-WP-Total", "X-WP-TotalPages", "Cache-Control", "Content-Disposition"} {
		differ(name, want.header.Get(name), got.header.Get(name))
	}
	differ("Link", rels(want), rels(got))
	differ("Location", real.plain(want.header.Get("Location")), fake.plain(got.header.Get("Location")))
	if want.header.Get("Content-Disposition") != "" { // a file
		differ("body", string(want.body), string(got.body))
	}
	if !strings.HasPrefix(want.header.Get("Content-Type"), "application/json") || want.status != got.status {
		return append(list, excerptOnStatus(want, got)...)
	}
	before, wantJSON := split(want.body)
	after, gotJSON := split(got.body)
	differ("text before the JSON", before, after)
	if (wantJSON == nil) != (gotJSON == nil) {
		return append(list, fmt.Sprintf("body: real %.80q, embedded %.80q", want.body, got.body))
	}
	for _, d := range (&comparison{real: real, fake: fake, skip: c.skip}).values("", wantJSON, gotJSON) {
		list = append(list, "body"+d)
	}
	return list
}

func excerptOnStatus(want, got reply) []string {
	if want.status == got.status {
		return nil
	}
	return []string{fmt.Sprintf("answers: real %.160s, embedded %.160s", want.body, got.body)}
}

// split parts what a plugin printed from the JSON; nil JSON is no body.
func split(body []byte) (before string, value any) {
	if json.Unmarshal(body, &value) == nil {
		return "", value
	}
	if i := bytes.IndexAny(body, "{["); i >= 0 && json.Unmarshal(body[i:], &value) == nil {
		return string(body[:i]), value
	}
	return string(body), nil
}

// comparison walks two bodies.
type comparison struct {
	real, fake *target
	skip       []string
}

// literal members have to be equal, not only alike.
var literal = []string{
	"code", "status", "slug", "type", "taxonomy", "count", "deleted", "protected", "sticky", "method", "name", "title", "raw", "rendered", "parent",
	"post", "author", "comment_status", "ping_status", "generated_slug", "author_name", "author_email", "username", "email", "alt_text", "mime_type",
	"media_type", "date", "date_gmt", "value", "allow", "categories", "tags", "roles", "public", "format", "featured_media", "annotations", "subtype",
	"term_id", "source_url", "filename", "amount", "price", "class_list", "permalink_template", "link", "href", "input_schema", "output_schema",
}

// free are members of those names whose text is the embedded site's own.
var free = []string{"description", "message", "labels", "schema", "params", "guid"}

func (c *comparison) values(at string, want, got any) []string {
	if slices.Contains(c.skip, strings.TrimPrefix(at, ".")) {
		return nil
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		return c.objects(at, w, g)
	case []any:
		g, ok := got.([]any)
		if !ok {
			break
		}
		if len(w) != len(g) {
			return []string{fmt.Sprintf("%s: real has %d items, embedded %d", at, len(w), len(g))}
		}
		var list []string
		for i := range w {
			list = append(list, c.values(fmt.Sprintf("%s[%d]", at, i), w[i], g[i])...)
			if len(list) > 0 {
				break // the others are like it
			}
		}
		return list
	default:
		if kind(want) == kind(got) {
			return c.scalars(at, want, got)
		}
	}
	return []string{fmt.Sprintf("%s: real %s, embedded %s", at, kind(want), kind(got))}
}

func (c *comparison) objects(at string, want, got map[string]any) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if v, ok := got[name]; ok {
			list = append(list, c.values(at+"."+name, want[name], v)...)
		} else {
			list = append(list, fmt.Sprintf("%s.%s: only the real one has it (%s)", at, name, kind(want[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			list = append(list, fmt.Sprintf("%s.%s: only the embedded one has it (%s)", at, name, kind(got[name])))
		}
	}
	return list
}

var moment = regexp.MustCompile(`^20\d\d-\d\d-\d\dT`)

func (c *comparison) scalars(at string, want, got any) []string {
	path := strings.FieldsFunc(at, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	last := ""
	for _, name := range path {
		if slices.Contains(free, name) {
			return nil
		}
		if name != "" && (name[0] < '0' || name[0] > '9') {
			last = name
		}
	}
	if want == got || slices.Contains(path, "predecessor-version") { // revisions have numbers of their own
		return nil
	}
	w, g := want, got
	if n, ok := want.(float64); ok {
		w, g = c.real.known(n), c.fake.known(got.(float64))
	}
	if s, ok := want.(string); ok {
		w, g = c.words(c.real, s), c.words(c.fake, got.(string))
		if w == g || strings.ReplaceAll(s, c.real.base, "") == strings.ReplaceAll(got.(string), c.fake.base, "") {
			return nil
		}
		if moment.MatchString(s) && !strings.HasPrefix(s, "2025") && !strings.HasPrefix(s, "203") {
			return nil // now
		}
	}
	if last == "title" && slices.Contains(path, "output_schema") {
		return nil
	}
	if w == g || last != "id" && !slices.Contains(literal, last) {
		return nil
	}
	return []string{fmt.Sprintf("%s: real %v, embedded %v", at, w, g)}
}

var inWords = regexp.MustCompile(`\d+`)

// words takes the site's address and captured numbers out of a text.
func (c *comparison) words(t *target, s string) string {
	s = strings.ReplaceAll(s, t.base, "")
	return inWords.ReplaceAllStringFunc(s, t.named)
}

func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		if len(v) == 0 {
			return "empty list"
		}
		return "list"
	}
	return "object"
}
