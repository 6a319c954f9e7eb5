package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// confirmWindow is how long a person may take to answer.
const confirmWindow = 10 * time.Minute

// confirmation names the one question of a call (InputRequests).
const confirmation = "confirmation"

// asking is what a call knows of who can be asked, and what was answered.
type asking struct {
	// able is a client that can show a person a form.
	able bool
	// modern is a request of 2026-07-28.
	modern bool
	state  string
	answer *mcp.ElicitResult
	// put is set when a question was handed to the client.
	put *bool
}

// askingOf reads what a request brings.
func askingOf(req *mcp.CallToolRequest) asking {
	version, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	a := asking{modern: version >= modernVersion, state: req.Params.RequestState}
	if c := req.ClientCapabilities(); c != nil && c.Elicitation != nil {
		// Neither said is a client of the revision that only had forms.
		a.able = c.Elicitation.Form != nil || c.Elicitation.URL == nil
	}
	a.answer, _ = req.Params.InputResponses[confirmation].(*mcp.ElicitResult)
	return a
}

// confirmed is the context key of a call that a person has confirmed.
type confirmed struct{}

// Confirmed is a context whose calls a person has confirmed already, at the
// command line: [Server.Call] does not ask again.
func Confirmed(ctx context.Context) context.Context {
	return context.WithValue(ctx, confirmed{}, true)
}

// confirm asks a person where the tool wants that. It returns what the client
// gets instead of the call's result; nil when the call may go on. Nothing a
// model sends within its first call lets it go on. That call is the one that is
// counted: who was asked is not asked in vain.
func (s *Server) confirm(ctx context.Context, a admission, request wp.Request, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	t := a.tool
	if done, _ := ctx.Value(confirmed{}).(bool); done || !t.Asks() {
		if t.Asks() {
			a.entry.Confirmation = confirmOperator
		}
		return s.turn(a), nil
	}
	a.entry.Outcome = outcomeUnconfirmed
	binding, err := bind(a, request)
	if err != nil {
		return nil, s.internal("binding a confirmation", "tool", t.Name, "error", err)
	}
	twoStep := t.Confirm.WithoutElicitation == curate.TwoStep
	switch {
	case a.asking.state != "" && a.asking.answer != nil:
		return s.answered(a, binding)
	case a.asking.able:
		if late := s.turn(a); late != nil {
			return late, nil
		}
		if _, refused := s.look(ctx, a, request); refused != nil {
			return refused, nil
		}
		return s.ask(a, binding, question(a, request, arguments)), nil
	case twoStep:
		return s.secondStep(ctx, a, binding, request, arguments)
	}
	a.entry.Confirmation = confirmUnable
	if a.asking.modern {
		return nil, &jsonrpc.Error{
			Code:    mcp.CodeMissingRequiredClientCapabilities,
			Message: t.Name + " was not run: it asks a person first, and this client cannot (elicitation)",
			Data:    json.RawMessage(`{"requiredCapabilities":{"elicitation":{}}}`),
		}
	}
	return problem(t.Name + " was not run: it asks a person first, and this client cannot ask anybody (elicitation). Nothing was changed. Do not repeat the call; tell the user."), nil
}

// bind is what a confirmation is good for: this principal's call of this tool
// with exactly this request. What is confirmed is what is sent.
func bind(a admission, request wp.Request) ([]byte, error) {
	return digestCall(request, a.profile, a.principal, a.tool.Name, a.readAt)
}

// digestCall is a digest of exactly what is sent, and of whose it is.
func digestCall(request wp.Request, whose ...string) ([]byte, error) {
	query, err := request.Query.Encode()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal([]any{whose, request.Method, request.Segments, query, request.Body})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// ask hands the question to the client: as InputRequests in the modern era, as
// elicitation/create, by the SDK, in a session.
func (s *Server) ask(a admission, binding []byte, question string) *mcp.CallToolResult {
	if a.asking.put != nil {
		*a.asking.put = true
	}
	a.entry.Confirmation = confirmAsked
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{confirmation: &mcp.ElicitParams{
			Mode: "form", Message: question, RequestedSchema: a.tool.Confirm.Form(),
		}},
		RequestState: s.seals.seal(binding, confirmWindow),
	}
}

// inputRequired is a result that asks for input. It has no content (MCP
// 2026-07-28, InputRequiredResult), for which the SDK writes null.
type inputRequired struct{ *mcp.CallToolResult }

// MarshalJSON leaves the content out.
func (r inputRequired) MarshalJSON() ([]byte, error) {
	text, err := r.CallToolResult.MarshalJSON()
	if err != nil {
		return nil, err
	}
	list, err := members(text)
	if err != nil {
		return nil, err
	}
	return object(slices.DeleteFunc(list, func(m member) bool { return m.name == "content" }))
}

// answered takes the person's answer.
func (s *Server) answered(a admission, binding []byte) (*mcp.CallToolResult, error) {
	name := a.tool.Name
	err := s.seals.open(a.asking.state, binding)
	if err != nil {
		a.entry.Confirmation = confirmationOf(err)
	}
	switch {
	case errors.Is(err, errForged):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error() + ": call " + name + " again, without requestState"}
	case err != nil:
		return unsealed(a, err, "To ask again, call again."), nil
	}
	a.entry.form = a.asking.answer.Content
	switch a.asking.answer.Action {
	case "accept":
	case "decline":
		a.entry.Confirmation = confirmDeclined
		return problem(name + " was not run: the person asked said no. Nothing was changed. Do not repeat the call unless the user wants it."), nil
	default:
		a.entry.Confirmation = confirmClosed
		return problem(name + " was not run: the person asked closed the question without an answer. Nothing was changed. Ask the user what to do."), nil
	}
	if faults := a.tool.Confirm.Filled(a.asking.answer.Content); faults != nil {
		a.entry.Confirmation = confirmIncomplete
		return problem(fmt.Sprintf("%s was not run: the form was not filled in, %s. Nothing was changed. To ask again, call again.", name, clip(strings.Join(faults, "; "), maxMessage))), nil
	}
	a.entry.Confirmation = confirmConfirmed
	s.opts.Log.Info("confirmed by a person", "tool", name, "operation", a.tool.Operation, "fields", len(a.asking.answer.Content))
	return nil, nil
}

// unsealed is the text for a confirmation that is not taken. Who repeats a call that was
// confirmed may have lost its answer: it was made.
func unsealed(a admission, err error, again string) *mcp.CallToolResult {
	if errors.Is(err, errSpent) {
		return problem(fmt.Sprintf("%s was not run again: %v, for a call that was made then. First read what became of it%s. %s", a.tool.Name, err, with(a), again))
	}
	return problem(fmt.Sprintf("%s was not run: %v. Nothing was changed. %s", a.tool.Name, err, again))
}

// secondStep is for clients that cannot ask, where the curation allows it: the
// first call is told what it would do and gets a code for the second. It slows
// a model down and is nobody's consent: the model holds the code.
func (s *Server) secondStep(ctx context.Context, a admission, binding []byte, request wp.Request, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	var given map[string]any
	_ = json.Unmarshal(arguments, &given) // checked before
	code, _ := given[curate.ConfirmationArgument].(string)
	if code != "" {
		err := s.seals.open(code, binding)
		if err == nil {
			a.entry.Confirmation = confirmCodeTaken
			return nil, nil
		}
		a.entry.Confirmation = confirmationOf(err)
		return unsealed(a, err, "Call again without "+curate.ConfirmationArgument+" to get a new code."), nil
	}
	if late := s.turn(a); late != nil {
		return late, nil
	}
	if _, refused := s.look(ctx, a, request); refused != nil {
		return refused, nil
	}
	a.entry.Confirmation = confirmCodeGiven
	return problem(fmt.Sprintf("%s was not run yet. Nothing was changed. Show the user this, and only if they agree call again with the same arguments and %s %q, within %d minutes:\n\n%s",
		a.tool.Name, curate.ConfirmationArgument, s.seals.seal(binding, confirmWindow), int(confirmWindow.Minutes()), question(a, request, arguments))), nil
}
