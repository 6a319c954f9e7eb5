package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
	"toolpress/runtime/media"
)

// Bounds of what a site may say to a model.
const (
	maxMessage = 500 // bytes of a message
	maxCode    = 64  // bytes of an error code
	maxParams  = 20  // arguments named
)

// unbuilt is the text for a call that was not sent: its error names arguments
// and was written by us.
func unbuilt(tool string, err error) string {
	var faults curate.Faults
	if errors.As(err, &faults) {
		var b strings.Builder
		b.WriteString("Nothing was sent: the arguments are not right.\n")
		for _, f := range faults {
			b.WriteString("- " + clip(f, maxMessage) + "\n")
		}
		b.WriteString("Next: correct these arguments and call " + tool + " again.")
		return b.String()
	}
	return "Nothing was sent: this call cannot be built. " + clip(err.Error(), maxMessage) +
		"\nNext: leave that argument out or give it another value, and call " + tool + " again."
}

// tooMuch is the text for an answer that does not fit. A write has happened,
// and must not be asked for again.
func tooMuch(method string, most int) string {
	if !reads(method) {
		return fmt.Sprintf("Done: the site carried it out. Its answer is larger than the %d bytes this tool may give, and is left out.\n"+
			"Next: do not repeat the call; read what it changed if that is needed.", most)
	}
	return fmt.Sprintf("The site answered, but with more than the %d bytes this tool may give, of one item too.\n"+
		"Next: do not repeat the call. Use a tool that gives less of it, or tell the user: max_bytes of this tool is too small.", most)
}

// unanswered is the text for an exchange that failed. Of the site's own words
// only the code, the message and the named arguments of WordPress's envelope
// are in it; never an address, an excerpt or a cause.
func unanswered(a admission, r wp.Request, err error) string {
	e, sent := normal(r, err)
	var unsent *wp.RequestError
	var left *openError
	var file *media.Error
	switch {
	case errors.As(err, &file):
		return "Nothing was sent: " + plain(file.Message) + ".\nNext: " + file.Next + "."
	case errors.As(err, &left):
		return fmt.Sprintf("Nothing was sent: the site did not answer %d times in a row, and is left alone. It is asked again in %s.\n"+
			"Next: wait that long, then call again; if it fails again, tell the user that the site does not answer.", left.failures, lasting(left.again))
	case errors.As(err, &unsent):
		return unbuilt(a.tool.Name, unsent)
	case !sent:
		return "Nothing was sent: the request cannot be put on the wire.\nNext: send fewer or shorter arguments."
	}
	text := cause(a.tool, e)
	if unknown(e) {
		return text + "\nThe outcome is unknown: the change may have been made.\nNext: " + lookFirst(a)
	}
	return text + "\nNext: " + next(a.tool, e)
}

// normal is the failure of an exchange as one of the site's; false where the
// request cannot be sent at all.
func normal(r wp.Request, err error) (*wp.Error, bool) {
	var e *wp.Error
	if errors.As(err, &e) {
		return e, true
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &wp.Error{Kind: wp.TimedOut, Method: r.Method, Sent: true}, true
	}
	return nil, false
}

// unknown reports whether a write may have happened: no answer, or one that
// does not say.
func unknown(e *wp.Error) bool {
	if e.OutcomeUnknown() {
		return true
	}
	// WordPress gives some plain refusals a 500 or 501; those it names.
	fault := e.Kind == wp.Refused && e.Status >= 500 && nextByCode(e.Code, e.Status) == ""
	unread := e.Kind == wp.NotJSON && !tooLong(e) || e.Kind == wp.TooLarge || e.Kind == wp.Echoed || e.Kind == wp.Broken || e.Kind == wp.TimedOut
	return e.Sent && (fault || unread) && !reads(e.Method)
}

// tooLong reports a body that a web server did not let through (W81).
func tooLong(e *wp.Error) bool { return e.Status == http.StatusRequestEntityTooLarge }

func reads(method string) bool {
	return method == "GET" || method == "HEAD" || method == "OPTIONS"
}

// cause says what went wrong.
func cause(t *curate.Tool, e *wp.Error) string {
	if e.Kind == wp.NotJSON && tooLong(e) {
		return "The site's web server refused the call with status 413: its body is too large."
	}
	switch e.Kind {
	case wp.Refused:
		return refused(t, e)
	case wp.NotJSON:
		if gateway(e.Status) {
			return fmt.Sprintf("The site is not there for the moment: status %d, and no answer of WordPress.", e.Status)
		}
		if e.Status >= http.StatusInternalServerError {
			return fmt.Sprintf("The site answered with status %d and %s: WordPress, a plugin or the web server failed.", e.Status, instead(e))
		}
		return fmt.Sprintf("The site answered with status %d and %s: a firewall, a login page or a fault in a plugin stands before the REST API.", e.Status, instead(e))
	case wp.TooLarge:
		return "The site's answer was larger than toolpress reads."
	case wp.Echoed:
		return "The site's answer repeats the password or key that toolpress signs in with, and is not shown: a plugin there prints what it is sent."
	case wp.Redirected:
		return fmt.Sprintf("The site answered with a redirect (status %d), which is never followed.", e.Status)
	case wp.TimedOut:
		return "The site did not answer in time."
	case wp.Crowded:
		return "Nothing was sent: too many calls wait for the site."
	case wp.Unread:
		return "The file broke off while it was sent to the site."
	case wp.Unreachable:
		return "The site cannot be reached."
	case wp.BadTLS:
		return "The site's certificate was not accepted."
	}
	return "The connection to the site broke before it answered."
}

// instead names what came instead of JSON.
func instead(e *wp.Error) string {
	what := "something that is not JSON"
	if errors.Is(e, wp.ErrPage) {
		what = "an HTML page"
	}
	if e.Claim != "" {
		what += " that says it is " + clip(e.Claim, maxCode)
	}
	return what
}

// thrown are codes whose message is what PHP code threw: it may hold anything,
// a password too (WP_Ability::do_execute).
var thrown = []string{"ability_callback_exception"}

// refused is what the site says of a refusal. Of a tool with private fields its
// message stays here, which may hold one, and what it says of an argument of their
// name.
func refused(t *curate.Tool, e *wp.Error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The site refused with status %d", e.Status)
	if code := code(e); code != "" {
		b.WriteString(" " + code)
	}
	hidden := privateNames(t)
	switch message := plain(e.Message); {
	case message == "" || slices.Contains(thrown, e.Code):
	case len(hidden) > 0:
		b.WriteString(". What it says may be private, and is not shown")
	default:
		b.WriteString(". It says: " + message)
	}
	var data struct {
		Params json.RawMessage `json:"params"`
		Term   int             `json:"term_id"` // of term_exists: the one that is there
	}
	// Data may be anything; what is no object has no params.
	_ = json.Unmarshal(e.Data, &data)
	if data.Term > 0 && len(hidden) == 0 {
		fmt.Fprintf(&b, " Its id is %d.", data.Term)
	}
	var said map[string]string
	var missing []string
	switch {
	case json.Unmarshal(data.Params, &said) == nil:
		for i, name := range slices.Sorted(maps.Keys(said)) {
			if i == maxParams {
				fmt.Fprintf(&b, "\n- and %d more", len(said)-maxParams)
				break
			}
			fmt.Fprintf(&b, "\n- %s", clip(plain(t.ArgumentName(name)), maxCode))
			if !isHidden(hidden, name) {
				b.WriteString(": " + plain(said[name]))
			}
		}
	case json.Unmarshal(data.Params, &missing) == nil && len(missing) > 0:
		for i, name := range missing {
			missing[i] = clip(plain(t.ArgumentName(name)), maxCode)
		}
		b.WriteString("\n- missing: " + strings.Join(missing[:min(len(missing), maxParams)], ", "))
	}
	return b.String()
}

// code is WordPress's error code when it looks like one, or nothing.
func code(e *wp.Error) string {
	if len(e.Code) > maxCode || strings.ContainsFunc(e.Code, func(r rune) bool {
		return r >= utf8.RuneSelf || !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.:/", r))
	}) {
		return ""
	}
	return e.Code
}

// plain is text of the site as one line that a model may see.
func plain(text string) string { return schema.CleanText(text, maxMessage) }

// clip shortens text to at most most characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// less is what to do where a site answers with too much: of a list the model asks for
// fewer, where it can.
func less(t *curate.Tool) string {
	if name, _ := t.Offers("per_page", 1); name != "" {
		return "call again with a smaller " + name + "."
	}
	return "do not repeat the call as it is: ask for less of it, or tell the user."
}

// next is what to do about a refusal, by the code and then by the status.
func next(t *curate.Tool, e *wp.Error) string {
	if tooLong(e) {
		return "send less: a smaller file, or shorter texts. How much the site takes, its administrator knows."
	}
	if e.RetryAfter > 0 && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable) {
		return "wait " + lasting(e.RetryAfter) + " before the next call: the site asks for that."
	}
	if e.Kind == wp.NotJSON && e.Status >= http.StatusInternalServerError {
		return nextByStatus(e.Status)
	}
	if e.Kind == wp.Refused {
		return cmp.Or(nextByCode(e.Code, e.Status), nextByStatus(e.Status))
	}
	switch e.Kind {
	case wp.TooLarge:
		return less(t)
	case wp.Crowded:
		return "wait a minute, then call again, and make fewer calls at the same time."
	case wp.TimedOut, wp.Broken, wp.Unread, wp.Unreachable:
		return "try once more in a moment; if it fails again, tell the user that the site does not answer."
	}
	return "do not repeat the call; tell the user, whose administrator has to look at the site."
}
