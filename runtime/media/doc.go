// Package media opens the file of an upload where a call says where it is: below a
// directory of this machine, or on the web. What is allowed comes with the file
// ([wp.Source]); nothing is remembered from one to the next.
//
// A path is opened in an [os.Root]: no symbolic link and no race leads out of the
// directory, and what is no regular file is never opened. An address is fetched
// without credential, cookie or proxy, over https, by redirects within the allowed
// hosts only, and after the name was resolved each connection is refused that does
// not lead to the public Internet (T01, T02). What a file is its first bytes have to
// confirm.
//
// A small file is read whole before the site hears of it, so that one that cannot
// be had changes nothing; a larger one goes through as it is read. The package sends
// nothing to a site and does not know what a model may see of an error: an [Error]
// says it in words that hold no directory and no query.
package media
