package curate

import (
	"slices"
	"testing"

	"toolpress/generate"
)

// A misspelt drop in the file itself is an error, since it serves the tool again;
// one of a file that it extends, and an optional one, stays as it was.
func TestDropOfNothing(t *testing.T) {
	drop := "version: 1\ntools: { find_tgs: false }\n"
	for text, want := range map[string]Severity{
		drop: SeverityError,
		"version: 1\nextends: base.yaml\ntools: { find: { from: GET /wp/v2/posts } }\n": SeverityWarning,
	} {
		_, findings := layersOf(t, text, map[string]string{"base.yaml": drop})
		at := slices.IndexFunc(findings, func(f Finding) bool { return f.ID == "never-matched" })
		if at < 0 || findings[at].Severity != want {
			t.Errorf("%s: %v, want %s", text, findings, want)
		}
	}
}

// A namespace that is not there goes before a path that is near in another one,
// whatever the method.
func TestMissingNamespace(t *testing.T) {
	s := generate.FromSite(recordedSite(t, "wordpress-7.1"))
	for id, want := range map[string]string{
		"GET /wc/v3/orders/{id}": "is its plugin active?",
		"POST /wc/v3/orders":     "is its plugin active?",
		"GET /wp/v3/posts/{id}":  `did you mean "GET /wp/v2/posts/{id}"?`,
		"GET /wp/v2/post/{id}":   `did you mean "GET /wp/v2/posts/{id}"?`,
	} {
		if _, hint := missing(s, id); hint != want {
			t.Errorf("%s: %s, want %s", id, hint, want)
		}
	}
}
