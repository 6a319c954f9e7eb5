// Package wp is the HTTP client of one WordPress site's REST API.
//
// A [Client] is pinned to the origin it was made for: every URL is built from
// that origin, the REST root below it and the segments of a [Request]. No
// redirect is followed, no address the site returns is ever contacted, and a
// credential leaves only over https or to this machine. Bodies are bounded
// after decompression, every exchange has a deadline, and all of them together
// may have a [Pace].
//
// The package knows how PHP reads a query string ([Query]), what a site may
// print around its JSON ([Noise]) and what WordPress says when it refuses
// ([Error]). It does not know routes, schemas or abilities, it never retries,
// and it does not decide what a model may see of an error.
package wp
