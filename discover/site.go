package discover

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Format begins every recording.
const Format = "toolpress/site/1"

// Site is what a WordPress site said, normalised. It holds no credential and
// nothing that changes from one reading to the next.
type Site struct {
	Format string `json:"format"`
	// URL is the site's front address as it was found to answer.
	URL string `json:"url"`
	// Root is the REST root below which every route lies.
	Root string `json:"root"`
	// RootFrom says how the root was found.
	RootFrom    RootSource `json:"root_from"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Timezone    string     `json:"timezone,omitempty"`
	// WordPress is the version the front page names; many sites name none.
	WordPress string `json:"wordpress,omitempty"`
	// Locale is the one of the texts below, as WordPress names it; empty where the
	// site does not say.
	Locale string `json:"locale,omitempty"`
	// ApplicationPasswords reports that the site offers them (the index's
	// "authentication").
	ApplicationPasswords bool `json:"application_passwords"`
	// User is who the credential is; nil for nobody, or where the site does
	// not say.
	User       *User    `json:"user,omitempty"`
	Namespaces []string `json:"namespaces"`
	// Routes in the order of their canonical form.
	Routes []Route `json:"routes"`
	// AbilitiesAPI says whether the site has the Abilities API and let us read it.
	AbilitiesAPI AbilitiesState `json:"abilities_api"`
	// Abilities in the order of their names.
	Abilities  []Ability  `json:"abilities,omitempty"`
	Categories []Category `json:"categories,omitempty"`
	// Permissions are what Probe found, for the operations that were asked for;
	// nil when nothing was.
	Permissions Permissions `json:"permissions,omitempty"`

	// Spoken is the locale that the site answered in, where the texts are those of
	// another reading ([Site.Reworded]). It is no part of the recording.
	Spoken string `json:"-"`
	// Notes say what was survived on the way: text around JSON, a page of
	// abilities that repeats. They are no part of the recording.
	Notes []string `json:"-"`
}

// RootSource is how the REST root was found.
type RootSource string

// The ways to the REST root, in the order they are tried.
const (
	FromLink      RootSource = "Link header"
	FromHTML      RootSource = "HTML link"
	FromPath      RootSource = "/wp-json/"
	FromRestRoute RootSource = "?rest_route=/"
)

// AbilitiesState tells "none" from "not there" and "not for you".
type AbilitiesState string

// The states of the Abilities API.
const (
	AbilitiesListed       AbilitiesState = "listed"
	AbilitiesAbsent       AbilitiesState = "absent"        // before WordPress 6.9
	AbilitiesNotPermitted AbilitiesState = "not permitted" // the list needs a user with "read"
)

// User is who a credential is (GET /wp/v2/users/me?context=edit).
type User struct {
	// ID is the user's number, as text.
	ID    string   `json:"id,omitempty"`
	Login string   `json:"login"`
	Roles []string `json:"roles,omitempty"`
	// Administrator reports the capability manage_options: more than an agent
	// should have.
	Administrator bool `json:"administrator,omitempty"`
}

// Route is one entry of the index.
type Route struct {
	// Path is the canonical form: /wp/v2/posts/{id}.
	Path string `json:"path"`
	// Pattern is the index's key, a PCRE: /wp/v2/posts/(?P<id>[\d]+).
	Pattern   string      `json:"pattern"`
	Namespace string      `json:"namespace"`
	Params    []PathParam `json:"params,omitempty"`
	// Unreadable says why the pattern has no canonical form; empty when it has.
	Unreadable string     `json:"unreadable,omitempty"`
	Endpoints  []Endpoint `json:"endpoints"`
	// Schema describes an object of the route, as the site wrote it; may be nil.
	Schema any `json:"schema,omitempty"`
}

// PathParam is one named group of a route's pattern.
type PathParam struct {
	Name string `json:"name"`
	// Pattern is the group's own PCRE.
	Pattern string `json:"pattern"`
}

// Endpoint is one callback of a route: its methods, and its arguments as the
// site wrote them.
type Endpoint struct {
	Methods []string       `json:"methods"`
	Args    map[string]any `json:"args,omitempty"`
}

// Ability is one entry of GET /wp-abilities/v1/abilities.
type Ability struct {
	Name         string `json:"name"`
	Label        string `json:"label,omitempty"`
	Description  string `json:"description,omitempty"`
	Category     string `json:"category,omitempty"`
	InputSchema  any    `json:"input_schema,omitempty"`
	OutputSchema any    `json:"output_schema,omitempty"`
	// Meta holds annotations, public, show_in_rest, mcp and what plugins add.
	Meta map[string]any `json:"meta,omitempty"`
}

// Category is one entry of GET /wp-abilities/v1/categories.
type Category struct {
	Slug        string `json:"slug"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
}

// Encode writes a recording: fields in the order of the type, keys below them
// sorted, two spaces of indent, one final newline.
func Encode(s *Site) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return nil, fmt.Errorf("encoding the recording: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads a recording written by [Encode].
func Decode(data []byte) (*Site, error) {
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("not a recording: %w", err)
	}
	if head.Format != Format {
		return nil, fmt.Errorf("not a recording this toolpress reads: its format is %q, want %q; record the site again with toolpress discover -o FILE", head.Format, Format)
	}
	var s Site
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("reading the recording: %w", err)
	}
	return &s, nil
}
