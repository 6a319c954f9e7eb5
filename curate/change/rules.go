package change

// A Rule is a way in which a tool may change.
type Rule struct {
	// ID is what a [Change] names.
	ID string
	// Kinds are those that a change of this rule may be; two where it depends on
	// which way a value goes, or on whether a model writes it or reads it.
	Kinds []Kind
	// What says when it applies.
	What string
}

// Rules are all of them, in the order of the documentation.
func Rules() []Rule {
	return []Rule{
		{"profile-removed", []Kind{Breaking}, "a profile is gone"},
		{"profile-added", []Kind{Additive}, "a new profile"},
		{"tool-removed", []Kind{Breaking}, "a tool is gone, or is not permitted any more"},
		{"tool-added", []Kind{Additive}, "a new tool"},
		{"tool-renamed", []Kind{Breaking, Additive}, "a tool has another name: breaking where the old one cannot be called any more"},
		{"alias-removed", []Kind{Breaking}, "an old name cannot be called any more"},
		{"operation-changed", []Kind{Breaking}, "the tool calls another operation of the site"},
		{"method-changed", []Kind{Breaking, Additive}, "the site is called by another method: breaking where that can do more"},
		{"argument-removed", []Kind{Breaking}, "an argument is gone, or arguments that are not named are not taken any more"},
		{"argument-required", []Kind{Breaking}, "an argument became required, or is new and required"},
		{"argument-optional", []Kind{Additive}, "an argument is not required any more"},
		{"argument-added", []Kind{Additive}, "a new argument that may be left out"},
		{"field-removed", []Kind{Breaking}, "a field of the result is gone, or the result is not described any more"},
		{"field-required", []Kind{Additive}, "a field of the result is always there now"},
		{"field-optional", []Kind{Breaking}, "a field of the result may be absent now"},
		{"field-added", []Kind{Additive}, "a new field of the result"},
		{"type-changed", []Kind{Breaking, Additive}, "another type, or other alternatives: breaking where an argument admits less, or a field of the result may be more"},
		{"values-fewer", []Kind{Breaking, Additive}, "a value of an enum is gone: breaking for an argument"},
		{"values-more", []Kind{Breaking, Additive}, "a value came to an enum: breaking for a field of the result"},
		{"bound-tighter", []Kind{Breaking, Additive}, "a minimum, a maximum, a length, a pattern or a format admits less: breaking for an argument"},
		{"bound-looser", []Kind{Breaking, Additive}, "one of these admits more: breaking for a field of the result"},
		{"default-changed", []Kind{Breaking}, "an argument that is left out means something else"},
		{"annotation-danger", []Kind{Breaking}, "a hint went toward danger: not read-only, destructive, not idempotent, open world"},
		{"annotation-safer", []Kind{Additive}, "a hint went the other way"},
		{"schema-changed", []Kind{Breaking}, "another keyword of a schema, about which nothing is known"},
		{"text-changed", []Kind{Text}, "words alone: a title, a description, an example"},
	}
}
