// Package wptest is a WordPress site in memory: the bookshop "Maple Street
// Books", with posts, pages, terms, media, users, comments, settings and
// abilities of every kind, answering over HTTP as WordPress 7.1 does. It is
// what `toolpress demo` shows and what tests write to; each [Site] has its own
// content, and a write shows in the next read.
//
// The routes are data: a pattern, endpoints with their arguments, a permission
// and a handler. The order in which a request is checked, the errors and the
// rights of the roles are core's; test/parity compares every answer with a real
// site, and where they differ this package is wrong.
//
// [WooCommerce] adds a small shop, wc/v3, whose arguments are those of WooCommerce
// 10.5 and whose customers are made up. [Files] adds routes that answer with files.
//
// It does not run PHP: no blocks, themes, plugins, revisions' content, batches
// or cookies, and of multipart bodies and kses nothing at all. It lists
// only the routes and arguments it implements.
package wptest
