package discover

import (
	"context"
	"errors"
	"net/http"

	"toolpress/discover/wp"
)

// Away reports an error of [Find], [Root.Read] or [Root.Probe] that says that the
// site is down or slow for now: nothing answers, not in time, with a failure of the
// server, or with something that is no REST API, such as a page about maintenance.
// A credential that is refused, a certificate that is not trusted and a redirect
// are none: they do not pass by themselves.
func Away(err error) bool {
	var e *wp.Error
	switch {
	case err == nil, errors.Is(err, wp.ErrPlainHTTP), errors.Is(err, wp.ErrStoreHTTP):
		return false
	case errors.Is(err, context.DeadlineExceeded):
		return true
	case !errors.As(err, &e):
		return errors.Is(err, ErrNoRoot)
	}
	switch e.Kind {
	case wp.Unreachable, wp.TimedOut, wp.Broken, wp.Crowded:
		return true
	case wp.NotJSON:
		return e.Status != http.StatusUnauthorized
	case wp.Refused:
		return e.Status >= 500 || e.Status == http.StatusTooManyRequests
	}
	return false
}
