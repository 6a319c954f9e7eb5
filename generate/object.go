package generate

import (
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/discover/wp"
)

// Object is what a route says of the object it answers with
// (WP_REST_Controller::get_item_schema), as far as a write has to know it. The zero
// value knows nothing.
type Object struct {
	// Holds are the properties that an answer may have; true of one that has it in
	// every context. What goes in and is in no answer, a password, is not there.
	Holds map[string]bool
	// Blocks says that the property content is a text that may be stored as blocks:
	// core gives a version of theirs to it alone.
	Blocks bool
	// Modified is the property with the time of the last change, in UTC:
	// modified_gmt, WooCommerce's date_modified_gmt. Empty: there is none.
	Modified string
	// LocalDates are properties with a time that is in the site's own time zone.
	LocalDates []string
}

// everyContext is the context that anybody may ask for; an answer has its
// properties in every other one too.
const everyContext = "view"

// objectOf reads the schema of a route.
func objectOf(r *discover.Route) Object {
	of := Object{Holds: map[string]bool{}}
	said := propertiesOf(r.Schema)
	for name, about := range said {
		p, ok := about.(map[string]any)
		if !ok {
			continue
		}
		contexts := wp.List(p["context"])
		if p["context"] != nil && len(contexts) == 0 {
			continue
		}
		of.Holds[name] = slices.Contains(contexts, any(everyContext))
		if isDate(p) && !strings.HasSuffix(name, "_gmt") {
			of.LocalDates = append(of.LocalDates, name)
		}
	}
	slices.Sort(of.LocalDates)
	_, of.Blocks = propertiesOf(said["content"])["block_version"]
	for _, name := range []string{"modified_gmt", "date_modified_gmt"} {
		if _, there := of.Holds[name]; there && of.Modified == "" {
			of.Modified = name
		}
	}
	return of
}

// propertiesOf are those of an object's schema; nil where it has none.
func propertiesOf(v any) map[string]any {
	s, _ := v.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	return properties
}

// isDate reports a time, as core writes one or as WooCommerce does.
func isDate(p map[string]any) bool {
	return p["format"] == "date-time" || p["type"] == "date-time" || slices.Contains(wp.List(p["type"]), any("date-time"))
}

// IsItem reports that the operation's route ends in a placeholder: it is about one
// object, which its path names.
func (o *Operation) IsItem() bool { return o.Ability == "" && strings.HasSuffix(o.Route, "}") }
