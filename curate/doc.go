// Package curate decides what a model sees: it reads curation.yaml and the
// layers it extends ([Parse]), applies them to a [generate.Surface] and gives
// the [Catalog] that is served, with findings about everything that matched
// nothing or had to be withheld.
//
// Reading is strict and complains about everything at once, at the place it
// was written. Applying never fails as a whole: what cannot be served is
// withheld with a reason and the rest is served.
//
// The package is pure: no network, file, clock or logger; [Parse] takes the
// opener for the files a curation extends. It sends nothing to the site.
package curate
