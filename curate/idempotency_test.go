package curate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keyed is a tool with a key, which a profile narrows.
const keyed = `
version: 1
groups: { write: { describe: Change } }
tools:
  add:
    from: POST /wp/v2/posts
    args: { "*": hidden, title: { required: true } }
    idempotency: { argument: key, window: 24h }
    confirm: { when: always, without_elicitation: two_step }
    groups: [write]
profiles:
  default: { groups: [write] }
  narrow: { groups: [write], tools: { add: { args: { title: { max_length: 20 } } } } }
`

// The key is an argument that the tool requires, beside the code of two_step, and
// no part of what is sent; a profile that narrows the tool has it too (T34).
func TestKeyIsAnArgumentThatIsNotSent(t *testing.T) {
	catalog, findings := apply(t, keyed)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for _, profile := range []string{DefaultProfile, "narrow"} {
		tool := catalog.Profiles[profile].Tool("add")
		var s struct {
			Properties map[string]struct{ Type, Pattern string }
			Required   []string
		}
		if err := json.Unmarshal(tool.InputSchema, &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Properties) != 3 || s.Properties["key"].Type != "string" || !slices.Contains(s.Required, "key") || slices.Contains(s.Required, "confirmation") {
			t.Errorf("%s: %s", profile, tool.InputSchema)
		}
		arguments := json.RawMessage(`{"title":"x","key":"k-1","confirmation":"code"}`)
		r, err := tool.Request(arguments)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]any{"title": map[string]any{"raw": "x"}}, r.Body); diff != "" || len(r.Query) > 0 || tool.Key(arguments) != "k-1" {
			t.Errorf("%s: %s %v %q", profile, diff, r.Query, tool.Key(arguments))
		}
		for given, want := range map[string]string{
			`{"title":"x"}`:                                          "key is required",
			`{"title":"x","key":""}`:                                 "key must match",
			`{"title":"x","key":"two words"}`:                        "key must match",
			`{"title":"x","key":"ключ"}`:                             "key must match",
			`{"title":"x","key":5}`:                                  "key must be",
			`{"title":"x","key":"` + strings.Repeat("k", 129) + `"}`: "key must match",
		} {
			if _, err := tool.Request(json.RawMessage(given)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, want %s", profile, given, err, want)
			}
		}
		if _, err := tool.Request(json.RawMessage(`{"title":"x","key":"` + strings.Repeat("k", 128) + `"}`)); err != nil {
			t.Errorf("%s: a key of 128: %v", profile, err)
		}
	}
}

// A profile cannot take the key away: it has no word for it.
func TestProfileKeepsIdempotency(t *testing.T) {
	for instead, want := range map[string]string{
		"{ idempotency: { window: 1m } }":      `has no key "idempotency"`,
		"{ args: { key: hidden } }":            "no argument",
		"{ args: { key: { fix: the-same } } }": "no argument",
	} {
		text := strings.ReplaceAll(keyed, "{ args: { title: { max_length: 20 } } }", instead)
		c, err := Parse("curation.yaml", []byte(text), nil)
		var said string
		if err != nil {
			said = err.Error()
		} else {
			catalog, findings := c.Apply(shop(t), nil)
			if said = findings.Errors().Error(); catalog.Profiles["narrow"].Tool("add") != nil {
				t.Errorf("%s is served", instead)
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %s", instead, said)
		}
	}
	// Its own entry keeps it where it says nothing of it.
	catalog, _ := apply(t, keyed)
	if diff := cmp.Diff(catalog.Profiles[DefaultProfile].Tool("add").Idempotency, catalog.Profiles["narrow"].Tool("add").Idempotency); diff != "" {
		t.Error(diff)
	}
}

// Without an argument for the key there is none.
func TestNoArgumentForAKey(t *testing.T) {
	catalog, findings := apply(t, strings.ReplaceAll(keyed, "argument: key, ", ""))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	tool := catalog.Profiles[DefaultProfile].Tool("add")
	if _, err := tool.Request(json.RawMessage(`{"title":"x"}`)); err != nil || strings.Contains(string(tool.InputSchema), `"key"`) {
		t.Errorf("%v %s", err, tool.InputSchema)
	}
	if _, err := tool.Request(json.RawMessage(`{"title":"x","key":"k-1"}`)); err == nil {
		t.Error("takes a key")
	}
}
