// Package discover reads what a WordPress site can do into a [Site]: its REST
// routes with their arguments and schemas, its abilities and their categories,
// and who the credential is.
//
// [Find] locates the REST root from the address of any page of the site, and
// [Root.Read] asks it: one request for the index in the help context, one for
// the identity, one for each page of abilities, one for the categories. A
// [Site] can be written and read back ([Encode], [Decode]); the same answers
// give the same bytes.
//
// The package repairs nothing and judges nothing: schemas stay as the site
// wrote them, and no operation is dropped. It only survives what surrounds
// them, and says so in [Site.Notes].
package discover
