// Package login gets an application password of a WordPress site through a
// person's browser, and keeps it for later commands.
//
// [Ask] reads where the site lets a person approve an application
// (wp-admin/authorize-application.php), [Listen] opens a port on 127.0.0.1 that
// waits for one answer of the browser, [Try] asks the site who the password
// makes us, and [Save], [Lookup] and [Forget] keep one file per site below the
// user's config directory, for this user alone to read. [Revoke] deletes the
// password on the site.
//
// It finds no REST root and decides no precedence: the caller has a client of
// the site already, and takes a credential of the environment before a stored
// one. It encrypts nothing: who reads this user's files reads the password.
package login
