package wp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what went wrong with an exchange.
type Kind string

// The kinds of failure, from the wire upwards.
const (
	Unreachable Kind = "unreachable" // no connection: name, address, refused
	BadTLS      Kind = "tls"         // the certificate or the handshake
	TimedOut    Kind = "timeout"     // the deadline passed
	Crowded     Kind = "crowded"     // no turn within the client's own bounds; nothing was sent
	Broken      Kind = "broken"      // the connection ended before the answer did
	Unread      Kind = "file"        // the file that was sent could not be read to its end
	Redirected  Kind = "redirect"    // 3xx; never followed
	TooLarge    Kind = "too large"   // the body is over the limit
	NotJSON     Kind = "not JSON"    // HTML, a firewall's page, an empty body
	Echoed      Kind = "echo"        // the answer repeats the credential; nothing of it is kept
	Refused     Kind = "refused"     // WordPress answered with an error
)

// ErrPage is the cause of an answer that is an HTML page instead of JSON.
var ErrPage = errors.New("the body is an HTML page")

// ErrEchoed is the cause of an answer that is not told.
var ErrEchoed = errors.New("the answer repeats toolpress's own credential")

// Error is one failed exchange with the site, for its operator. What a model
// may see of it is the runtime's decision: Excerpt, URL and Err never are.
type Error struct {
	Kind   Kind
	Method string
	// URL is the address asked, without its query.
	URL string
	// Status is the HTTP status; 0 when there was no answer.
	Status int
	// Code, Message and Data are WordPress's error envelope
	// (WP_REST_Server::error_to_response); empty when there was none.
	Code    string
	Message string
	Data    json.RawMessage
	// Location is where a redirect pointed: scheme, host and path only.
	Location string
	// Excerpt is the start of a body that was not JSON, at most 120 bytes.
	Excerpt string
	// Claim is the media type of a body that is neither JSON nor what it says it
	// is, as of an HTML page that says it is image/png; empty for any other.
	Claim string
	// RetryAfter is how long the site asks to be left alone; 0 where it does not
	// say.
	RetryAfter time.Duration
	// Sent reports that the request may have reached the site. A write that
	// was sent and not answered has an unknown outcome.
	Sent bool
	// Err is the cause below, when there is one.
	Err error
}

// Error gives the path from the request to the cause:
// "GET https://…/wp-json/wp/v2/posts: 401 rest_not_logged_in: You are not currently logged in."
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", e.Method, e.URL)
	switch e.Kind {
	case Refused:
		fmt.Fprintf(&b, "%d", e.Status)
		if e.Code != "" {
			fmt.Fprintf(&b, " %s: %s", e.Code, e.Message)
		}
	case Redirected:
		fmt.Fprintf(&b, "%d redirects to %s", e.Status, e.Location)
	case NotJSON:
		fmt.Fprintf(&b, "%d with a body that is not JSON", e.Status)
		if e.Claim != "" {
			fmt.Fprintf(&b, ", nor the %s it says it is", e.Claim)
		}
		if e.Excerpt != "" {
			fmt.Fprintf(&b, ": %q", e.Excerpt)
		}
	case TooLarge:
		fmt.Fprintf(&b, "the body is larger than %v", e.Err)
	case Echoed:
		fmt.Fprintf(&b, "%d, and %v", e.Status, e.Err)
	default:
		fmt.Fprintf(&b, "%v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause below.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeUnknown reports that a write may or may not have happened.
func (e *Error) OutcomeUnknown() bool {
	return e.Sent && e.Status == 0 && e.Method != "GET" && e.Method != "HEAD" && e.Method != "OPTIONS"
}
