// Package schema is the schema language of toolpress: [Schema], a JSON Schema
// 2020-12 reduced to what says something about a value WordPress takes.
//
// A [Compiler] makes schemas of WordPress's, which are draft-04 as PHP writes it:
// references stand in their place, what is wrong is repaired by a named rule, and
// every [Repair] is recorded. [Schema.In] is a schema as a [Dialect] publishes it,
// and a [Check] reads and checks values as WordPress would. [CleanText],
// [SafeName] and the limits keep what a site says fit to be shown.
//
// The package does not know operations, routes or abilities, and does not decide
// which arguments a tool has: that is package generate, which imports this one.
// It does not follow a reference out of a schema, and reads no network, file or
// clock.
package schema
