package discover

import (
	"context"
	"net/http"
	"strings"
)

// spoken is the locale of the texts of an answer, empty where the site does not say:
// what the answer names itself, else the front page's. WordPress translates what the
// REST API tells into the site's language, whoever asks: the user's own counts in
// wp-admin alone, and ?_locale=user comes too late for a credential in a header, of
// which WordPress learns when the translations are loaded (wp-settings.php,
// determine_locale; seen on 7.1). So it is the front page that is asked, again
// where it matters.
func (r *Root) spoken(ctx context.Context, answer http.Header) string {
	if named := answer.Get("Content-Language"); named != "" && !strings.Contains(named, ",") {
		return localeOf(named)
	}
	if r.client.Locale() != "" {
		if front, err := ParseAddress(r.URL); err == nil {
			if _, text, err := landing(ctx, r.client, front.JoinPath("/")); err == nil {
				return localeOf(readHead(text).lang)
			}
		}
	}
	return localeOf(r.head.lang)
}

// localeOf is a language tag (RFC 5646) as WordPress writes it: en-US is en_US.
func localeOf(tag string) string {
	return strings.ReplaceAll(strings.TrimSpace(tag), "-", "_")
}

// SameLocale reports that two locales may be one: that one of them, where it says
// less, says nothing else (de and de_DE). One that is empty is not known, and may be
// any.
func SameLocale(a, b string) bool {
	x, y := strings.Split(strings.ToLower(a), "_"), strings.Split(strings.ToLower(b), "_")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return a == "" || b == ""
		}
	}
	return true
}

// Reworded is the site with the texts that another reading had for the same things:
// the titles and descriptions of its arguments, schemas, abilities and categories.
// What the other did not have keeps its own. Neither changes.
func (s *Site) Reworded(before *Site) *Site {
	out := *s
	out.Locale, out.Spoken, out.Description = before.Locale, s.Locale, before.Description
	routes := map[string]Route{}
	for _, r := range before.Routes {
		routes[r.Pattern] = r
	}
	out.Routes = nil
	for _, r := range s.Routes {
		old := routes[r.Pattern]
		r.Schema = reworded(r.Schema, old.Schema)
		endpoints := []Endpoint{}
		for i, e := range r.Endpoints {
			if i < len(old.Endpoints) && e.Args != nil {
				e.Args, _ = words(e.Args, old.Endpoints[i].Args, false).(map[string]any)
			}
			endpoints = append(endpoints, e)
		}
		r.Endpoints = endpoints
		out.Routes = append(out.Routes, r)
	}
	abilities := map[string]Ability{}
	for _, a := range before.Abilities {
		abilities[a.Name] = a
	}
	out.Abilities = nil
	for _, a := range s.Abilities {
		if old, had := abilities[a.Name]; had {
			a.Label, a.Description = old.Label, old.Description
			a.InputSchema, a.OutputSchema = reworded(a.InputSchema, old.InputSchema), reworded(a.OutputSchema, old.OutputSchema)
		}
		out.Abilities = append(out.Abilities, a)
	}
	categories := map[string]Category{}
	for _, c := range before.Categories {
		categories[c.Slug] = c
	}
	out.Categories = nil
	for _, c := range s.Categories {
		if old, had := categories[c.Slug]; had {
			c = old
		}
		out.Categories = append(out.Categories, c)
	}
	return &out
}

// reworded is a schema with the texts of another.
func reworded(now, before any) any { return words(now, before, true) }

// words is a value with another's texts. In a schema title and description are
// texts where they are strings; what a schema holds of data is data. In anything
// else, such as properties, every member is a schema, whatever it is called.
func words(now, before any, schema bool) any {
	switch now := now.(type) {
	case map[string]any:
		old, _ := before.(map[string]any)
		if old == nil {
			return now
		}
		out := make(map[string]any, len(now))
		for key, v := range now {
			_, isText := v.(string)
			_, wasText := old[key].(string)
			switch {
			case schema && (key == "title" || key == "description") && isText && wasText:
				out[key] = old[key]
			case schema && (key == "default" || key == "enum" || key == "const" || key == "examples" || key == "example" || key == "required"):
				out[key] = v
			case schema && (key == "properties" || key == "patternProperties" || key == "definitions" || key == "$defs"):
				out[key] = words(v, old[key], false)
			default:
				out[key] = words(v, old[key], true)
			}
		}
		return out
	case []any:
		old, _ := before.([]any)
		out := make([]any, len(now))
		for i, v := range now {
			out[i] = v
			if i < len(old) {
				out[i] = words(v, old[i], true)
			}
		}
		return out
	}
	return now
}
