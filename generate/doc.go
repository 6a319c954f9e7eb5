// Package generate turns what a site said ([discover.Site]) into what it could
// offer: a [Surface] of operations, one for each endpoint and ability, with a
// stable identity, a proposed name, a JSON Schema 2020-12 of its arguments,
// explicit annotations, and a plan that builds the [wp.Request] of a call.
//
// WordPress's schemas are repaired on the way, in package schema, and every
// repair is recorded. A schema that cannot be repaired withholds its own
// operation, never another.
//
// The package is pure: no network, file, clock or logger. The same site gives
// the same bytes. It does not decide what a model sees: that is curate's work,
// and nothing here can be served without it. It does not read or check a schema
// itself, and does not know what single clients refuse (package clients).
package generate
