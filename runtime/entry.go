package runtime

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"toolpress/discover/wp"
	"toolpress/runtime/media"
)

// The outcomes of a call. docs/audit.md says what each means.
const (
	outcomeOK          = "ok"
	outcomeFailed      = "failed"      // the site refused, or did not answer
	outcomeUnknown     = "unknown"     // a change may have been made
	outcomeCancelled   = "cancelled"   // by the client, and nothing was changed
	outcomeTooLarge    = "too_large"   // done, and the answer left out
	outcomeInvalid     = "invalid"     // arguments that are not right
	outcomeLimited     = "limited"     // too often
	outcomeBusy        = "busy"        // too many at the same time
	outcomeUnconfirmed = "unconfirmed" // a person did not say yes, or not yet
	outcomePrevented   = "prevented"   // it would have done harm to what is stored
	outcomeRepeated    = "repeated"    // its key was used: what became of the first call
	outcomeUnlisted    = "unknown_tool"
	outcomeInternal    = "internal" // a fault of ours
)

// What became of a confirmation.
const (
	confirmAsked      = "asked"
	confirmConfirmed  = "confirmed"
	confirmDeclined   = "declined"
	confirmClosed     = "closed"     // without an answer
	confirmUnanswered = "unanswered" // the client did not ask
	confirmIncomplete = "incomplete" // the form
	confirmUnable     = "unable"     // the client cannot ask
	confirmCodeGiven  = "code_given" // two_step, to the model
	confirmCodeTaken  = "code_taken"
	confirmOperator   = "operator" // who started the call at the command line
)

// confirmationOf is what became of a confirmation whose state was not taken.
func confirmationOf(err error) string {
	switch {
	case errors.Is(err, errExpired):
		return "expired"
	case errors.Is(err, errSpent):
		return "used"
	case errors.Is(err, errCrowded):
		return "crowded"
	}
	return "forged"
}

// entry is what is known of a call while it runs, and then its line in the audit.
type entry struct {
	start time.Time
	form  map[string]any // what a person filled in

	Time            string            `json:"time"`
	Profile         string            `json:"profile"`
	Principal       string            `json:"principal"`
	Tool            string            `json:"tool"`
	Operation       string            `json:"operation,omitempty"`
	Arguments       map[string]string `json:"arguments,omitempty"`
	OtherArguments  int               `json:"other_arguments,omitempty"`
	Values          map[string]any    `json:"values,omitempty"`
	Confirmation    string            `json:"confirmation,omitempty"`
	Form            map[string]string `json:"form,omitempty"`
	FormValues      map[string]any    `json:"form_values,omitempty"`
	Outcome         string            `json:"outcome"`
	Status          int               `json:"status,omitempty"`
	Error           string            `json:"error,omitempty"`
	DurationSeconds float64           `json:"duration_s"`
	Bytes           int               `json:"bytes"`
	Tokens          int               `json:"tokens"`
}

// failed notes why an exchange failed.
func (e *entry) failed(ctx context.Context, r wp.Request, err error) {
	var ours *jsonrpc.Error
	if errors.As(err, &ours) {
		e.Outcome = outcomeInternal
		return
	}
	var left *openError
	if errors.As(err, &left) {
		e.Outcome, e.Error = outcomeFailed, "left alone"
		return
	}
	var file *media.Error
	if errors.As(err, &file) {
		e.Outcome, e.Error = outcomeFailed, string(wp.Unread)
		return
	}
	fault, sent := normal(r, err)
	if !sent {
		e.Outcome = outcomeInvalid
		return
	}
	e.Outcome, e.Status, e.Error = outcomeFailed, fault.Status, string(fault.Kind)
	if c := code(fault); fault.Kind == wp.Refused && c != "" {
		e.Error = c
	}
	switch {
	case unknown(fault):
		e.Outcome = outcomeUnknown
	case errors.Is(ctx.Err(), context.Canceled):
		e.Outcome = outcomeCancelled
	}
}
