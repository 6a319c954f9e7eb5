package curate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"toolpress/generate/schema"
)

// widened says what of a schema takes more than another; empty when nothing
// does. Both come from one schema of the site, by narrowing: what cannot be
// ordered has to be the same.
func widened(was, now *schema.Schema) string {
	for _, check := range []func(was, now *schema.Schema) string{widenedValues, widenedNumbers, widenedCounts, widenedBelow} {
		if wider := check(was, now); wider != "" {
			return wider
		}
	}
	return ""
}

func wider(what string, now, was any) string {
	return fmt.Sprintf("%s %v is wider than the tool's own, %v", what, now, was)
}

func widenedValues(was, now *schema.Schema) string {
	if len(was.Types) > 0 && (len(now.Types) == 0 || slices.ContainsFunc(now.Types, func(t string) bool { return !was.Allows(t) })) {
		return wider("type", types(now), types(was))
	}
	if was.Enum != nil {
		own := values(was.Enum)
		for _, v := range values(now.Enum) {
			if !slices.Contains(own, v) {
				return fmt.Sprintf("%.80s is none of the tool's own values, %s", v, some(own))
			}
		}
		if now.Enum == nil {
			return wider("enum", "of anything", some(own))
		}
	}
	for _, text := range []struct{ what, was, now string }{{"pattern", was.Pattern, now.Pattern}, {"format", was.Format, now.Format}} {
		if text.was != "" && text.was != text.now {
			return fmt.Sprintf("%s %s is another than the tool's own, %s", text.what, text.now, text.was)
		}
	}
	return ""
}

// values are values as JSON.
func values(list []any) []string {
	var texts []string
	for _, v := range list {
		texts = append(texts, encoded(v))
	}
	return texts
}

func encoded(v any) string {
	text, _ := schema.Encode(v) // values of a curation or of the site: JSON already
	return string(text)
}

func widenedNumbers(was, now *schema.Schema) string {
	for _, n := range []struct {
		what     string
		was, now json.Number
		side     int // 0: has to be the same
	}{
		{"minimum", was.Minimum, now.Minimum, -1},
		{"maximum", was.Maximum, now.Maximum, 1},
		{"exclusive minimum", was.ExclusiveMinimum, now.ExclusiveMinimum, -1},
		{"exclusive maximum", was.ExclusiveMaximum, now.ExclusiveMaximum, 1},
		{"multiple of", was.MultipleOf, now.MultipleOf, 0},
	} {
		x, y, both := rationals(n.now, n.was)
		if n.was != "" && (!both || x.Cmp(y)*n.side > 0 || n.side == 0 && x.Cmp(y) != 0) {
			return wider(n.what, cmp.Or(n.now, "none"), n.was)
		}
	}
	return ""
}

func widenedCounts(was, now *schema.Schema) string {
	for _, n := range []struct {
		what     string
		was, now *int
		side     int
	}{
		{"min_length", was.MinLength, now.MinLength, -1},
		{"max_length", was.MaxLength, now.MaxLength, 1},
		{"min_items", was.MinItems, now.MinItems, -1},
		{"max_items", was.MaxItems, now.MaxItems, 1},
		{"min_properties", was.MinProperties, now.MinProperties, -1},
		{"max_properties", was.MaxProperties, now.MaxProperties, 1},
	} {
		switch {
		case n.was != nil && n.now == nil:
			return wider(n.what, "none", *n.was)
		case n.was != nil && (*n.now-*n.was)*n.side > 0:
			return wider(n.what, *n.now, *n.was)
		}
	}
	if was.UniqueItems && !now.UniqueItems {
		return "it takes an item twice, and the tool's own does not"
	}
	return ""
}

// widenedBelow compares items, properties and variants.
func widenedBelow(was, now *schema.Schema) string {
	switch {
	case was.Closed && !now.Closed:
		return "it takes properties that the tool's own does not name"
	case len(was.AnyOf) != len(now.AnyOf) || len(was.AllOf) != len(now.AllOf):
		return "its variants are others than the tool's own"
	}
	const further = "further properties"
	type pair struct {
		at       string
		was, now *schema.Schema
	}
	pairs := []pair{{"items", was.Items, now.Items}, {further, was.Additional, now.Additional}}
	for _, p := range now.Properties {
		own := was.Property(p.Name)
		if own == nil && was.Closed {
			return "the profile shows " + p.Name + ", which the tool hides"
		}
		if own != nil {
			if own.Required && !p.Required {
				return p.Name + " cannot be optional: the tool requires it"
			}
			pairs = append(pairs, pair{p.Name, own.Schema, p.Schema})
		}
	}
	for i := range was.AnyOf {
		pairs = append(pairs, pair{"a variant", was.AnyOf[i], now.AnyOf[i]})
	}
	for i := range was.AllOf {
		pairs = append(pairs, pair{"a part", was.AllOf[i], now.AllOf[i]})
	}
	for _, p := range pairs {
		if p.was == nil || p.now == nil && p.at == further && now.Closed {
			continue
		}
		if p.now == nil {
			p.now = &schema.Schema{}
		}
		if wider := widened(p.was, p.now); wider != "" {
			return p.at + ": " + wider
		}
	}
	return ""
}
