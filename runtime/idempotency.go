package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/runtime/once"
)

// firstCall is the member of _meta that says of a result given again when it was
// made.
const firstCall = "toolpress/first-call"

// callOf is a call by its key: the one of its argument, or the request itself. A
// key is good for one site, profile, principal and tool.
func callOf(a admission, request wp.Request, arguments json.RawMessage) (once.Call, error) {
	sent, err := digestCall(request)
	if err != nil {
		return once.Call{}, err
	}
	given := a.tool.Key(arguments)
	if given == "" {
		given = string(sent)
	}
	// Lengths before, so that no two keys run into each other.
	h := sha256.New()
	for _, part := range []string{a.about, a.profile, a.principal, a.tool.Name, given} {
		fmt.Fprintf(h, "%d %s", len(part), part)
	}
	return once.Call{
		Key: hex.EncodeToString(h.Sum(nil)), Request: hex.EncodeToString(sent),
		Tool: a.tool.Name, Window: a.tool.Idempotency.Window,
	}, nil
}

// repeated answers a call that asks a person before it is made, where what became
// of its key is known: nobody is asked in vain. It is nil where the call may go on.
func (s *Server) repeated(ctx context.Context, a admission, request wp.Request, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	if a.tool.Idempotency == nil || !a.tool.Asks() {
		return nil, nil
	}
	c, err := callOf(a, request, arguments)
	if err != nil {
		return nil, s.internal("making a key", "tool", a.tool.Name, "error", err)
	}
	o, err := s.opts.Calls.Look(ctx, c)
	switch {
	case err != nil:
		return s.unremembered(a, err), nil
	case o.State == "":
		return nil, nil
	}
	return s.firstAgain(a, o), nil
}

// once makes a call unless its key was used: then it gives what came of that, and
// waits for it. A client that goes away ends no call that was begun: it would have
// an unknown outcome, and whoever repeats it nothing else.
func (s *Server) once(ctx context.Context, a admission, request wp.Request, arguments json.RawMessage) (res *mcp.CallToolResult, err error) {
	c, err := callOf(a, request, arguments)
	if err != nil {
		return nil, s.internal("making a key", "tool", a.tool.Name, "error", err)
	}
	o, first, failed := s.opts.Calls.Do(ctx, c, func() (o once.Outcome) {
		if ctx.Err() != nil {
			res = problem("Nothing was sent: the call was given up before.\nNext: call " + a.tool.Name + " again if it is still wanted.")
			return outcomeOf(res, once.Released)
		}
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel()
		if deadline, ok := ctx.Deadline(); ok {
			var stop context.CancelFunc
			own, stop = context.WithDeadline(own, deadline)
			defer stop()
		}
		defer context.AfterFunc(s.aborted, cancel)()
		if a.told, res = s.look(own, a, request); res != nil { // with the site itself: it is no part of the call
			return outcomeOf(res, once.Released)
		}
		site := &heard{Site: a.site, state: once.Released}
		a.site = site
		res, err = s.reply(own, a, request)
		return outcomeOf(res, site.state)
	})
	switch {
	case failed != nil && !first:
		return s.unremembered(a, failed), nil
	case failed != nil:
		s.opts.Log.Error("what became of a call is not remembered: a repetition would hear that it is unknown", "tool", a.tool.Name, "error", failed)
	}
	if first {
		return res, err
	}
	s.opts.Log.Info("call repeated, nothing was sent", "tool", a.tool.Name, "operation", a.tool.Operation, "first", o.State)
	return s.firstAgain(a, o), nil
}

// heard is a site, and what became of the call it was asked for.
type heard struct {
	Site
	state once.State
}

// Do implements [Site]. What was unknown once stays so until the site has done it.
func (h *heard) Do(ctx context.Context, r wp.Request) (*wp.Response, error) {
	before := h.state
	h.state = once.Unknown // should it panic
	resp, err := h.Site.Do(ctx, r)
	e, sent := normal(r, err)
	switch {
	case err == nil && resp != nil:
		h.state = once.Done
	case err != nil && !(sent && unknown(e)):
		h.state = before
	}
	return resp, err
}

// outcomeOf is what is remembered of a result.
func outcomeOf(res *mcp.CallToolResult, state once.State) once.Outcome {
	o := once.Outcome{State: state}
	switch {
	case res == nil:
	case res.IsError:
		for _, c := range res.Content {
			if t, ok := c.(*mcp.TextContent); ok {
				o.Problem += t.Text
			}
		}
	default:
		o.Value, _ = res.StructuredContent.(json.RawMessage)
	}
	return o
}

// firstAgain is what a repeated call gets, with its line in the audit.
func (s *Server) firstAgain(a admission, o once.Outcome) *mcp.CallToolResult {
	a.entry.Outcome = outcomeRepeated
	return repetition(a, o)
}

// repetition is what a repeated call gets: the first result, and that it is that; or
// why there is none.
func repetition(a admission, o once.Outcome) *mcp.CallToolResult {
	name, key, at := a.tool.Name, keyName(a.tool), o.At.UTC().Format(time.RFC3339)
	switch o.State {
	case once.Done:
		return doneBefore(a, o, at)
	case once.Released:
		return problem(o.Problem)
	case once.InFlight:
		return problem(name + " was not run again: the first call with " + key + ", of " + at + ", is still being made.\nNext: repeat this very call to learn what became of it. It is not made twice.")
	case once.Other:
		return problem(name + " was not run: " + key + " was used for another call, at " + at + ". Nothing was changed.\nNext: for something new give a new " + a.tool.Idempotency.Argument + "; to repeat that call give its arguments unchanged.")
	}
	return problem(name + " was not run again: the first call with " + key + ", of " + at + ", was sent and its answer was lost.\nThe outcome is unknown: the change may have been made.\nNext: " + lookFirst(a))
}

// doneBefore gives the first result again.
func doneBefore(a admission, o once.Outcome, at string) *mcp.CallToolResult {
	note := "This is the result of the first call with " + keyName(a.tool) + ", of " + at + ". Nothing was sent again."
	if a.tool.Idempotency.Argument == "" {
		note += " Until " + o.Until.UTC().Format(time.RFC3339) + " the same call is not made again."
	} else {
		note += " For something new give a new " + a.tool.Idempotency.Argument + "."
	}
	switch {
	case o.Problem != "":
		return problem(o.Problem + "\n" + note)
	case o.Value == nil:
		return problem(a.tool.Name + " was done by the first call with " + keyName(a.tool) + ", of " + at + ", and not again. Its result is not kept any more.\nNext: do not repeat the call. Read what it changed" + with(a) + " if that is needed.")
	}
	res := structured(o.Value)
	res.Content = append(res.Content, &mcp.TextContent{Text: note})
	res.Meta = mcp.Meta{firstCall: at}
	return res
}

// keyName is what a model knows the key as.
func keyName(t *curate.Tool) string {
	if t.Idempotency.Argument == "" {
		return "these arguments"
	}
	return "this " + t.Idempotency.Argument
}

// unremembered refuses a call that could not be kept from being made twice. Of the
// file only the log speaks: a model has no use for it.
func (s *Server) unremembered(a admission, err error) *mcp.CallToolResult {
	s.opts.Log.Error("call refused: it could not be remembered", "tool", a.tool.Name, "error", err)
	next := "tell the user, whose administrator finds the reason in toolpress's log."
	if errors.Is(err, once.ErrBusy) || errors.Is(err, once.ErrFull) {
		next = "wait a minute, then repeat this very call; if it fails again, tell the user."
	}
	return problem(a.tool.Name + " was not run: toolpress has to remember its calls, so that none is made twice, and cannot now. Nothing was changed.\nNext: " + next)
}

// lookFirst is what to do about a call that may have been made.
func lookFirst(a admission) string {
	look := "First read what it should have changed" + with(a)
	switch i := a.tool.Idempotency; {
	case i == nil:
		return "do not repeat the call. " + look + ", and call again only if it did not."
	case i.Argument == "":
		return "do not repeat the call: it is not made again. " + look + "; if it did not, tell the user."
	default:
		return "do not repeat the call: with this " + i.Argument + " it is not made again. " + look + ", and only if it did not, call again with a new " + i.Argument + "."
	}
}

// with names the tool that reads what a tool changes.
func with(a admission) string {
	if name := a.served.reader(a.tool); name != "" {
		return " with " + name
	}
	return ""
}

// reader is a tool of the profile that reads what t changes: its own route, or the
// list that its item is of. It is empty where there is none.
func (p *profile) reader(t *curate.Tool) string {
	_, route, isRoute := strings.Cut(t.Operation, " ")
	if p == nil || !isRoute {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(p.byName)) {
		if p.byName[name].Operation == "GET "+route && p.byName[name].Name == name {
			return name
		}
	}
	if at := strings.LastIndex(route, "/"); strings.HasSuffix(route, "}") && at > 0 {
		return p.reader(&curate.Tool{Operation: "GET " + route[:at]})
	}
	return ""
}
