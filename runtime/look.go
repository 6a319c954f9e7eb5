package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// lookTimeout bounds the reading of what a call would change.
const lookTimeout = 10 * time.Second

// looking is what has to be known of what is stored before a change is sent.
type looking struct {
	// text is the argument with a text that may not go over every other: without
	// blocks, or with the mark of one that was shortened. Empty: there is none.
	text            string
	bare, shortened bool
	// readAt is the time of the last change that the model read; empty: it said none.
	readAt string
}

// blocks begins each block of a text (serialize_block, in wp-includes/blocks.php).
const blocks = "<!-- wp:"

// lookingOf is what a call has to look at.
func lookingOf(a admission, r wp.Request) looking {
	l := looking{readAt: a.readAt}
	body, _ := r.Body.(map[string]any)
	if !a.tool.EditsBlocks() || body == nil {
		return l
	}
	text, path := body["content"], []string{"content"}
	if parts, ok := text.(map[string]any); ok {
		text, path = parts["raw"], append(path, "raw")
	}
	if written, ok := text.(string); ok {
		l.bare, l.shortened = !strings.Contains(written, blocks), strings.Contains(written, marker)
		if l.bare || l.shortened {
			l.text, _ = a.tool.SentName(path...)
		}
	}
	return l
}

// look reads what a call would change, where something depends on it, and says why
// the call is not made; nil when it may go on. told is what could not be looked at.
// It is no part of the call: nothing of it is kept under a key, and nobody is asked
// about a change that would be refused. Between the look and the change somebody
// else may still change it: WordPress has no condition that would go with the
// change itself.
func (s *Server) look(ctx context.Context, a admission, r wp.Request) (told []warning, refused *mcp.CallToolResult) {
	l := lookingOf(a, r)
	if l.text == "" && l.readAt == "" {
		return nil, nil
	}
	found, err := s.stored(ctx, a, r, l)
	switch {
	case err != nil && l.readAt != "":
		a.entry.failed(ctx, wp.Request{Method: http.MethodGet}, err)
		return nil, problem("Nothing was sent: whether it was changed since you read it could not be looked up. " +
			cause(a.tool, readFault(r, err)) + "\nNext: try once more in a moment; if it fails again, tell the user.")
	case err != nil && l.shortened:
		return nil, s.prevented(a, cutText(a, l.text, marker))
	case err != nil:
		s.opts.Log.Info("a text is changed without a look at it", "tool", a.tool.Name, "operation", a.tool.Operation, "error", loggable(a.tool, err))
		return []warning{{l.text, "How it was stored before could not be looked up (" + cmp.Or(code(readFault(r, err)), "no answer") + "): if it was blocks, they are lost."}}, nil
	}
	defer func() {
		if refused != nil { // who is told to read it again is not given what is kept
			s.wrote(a.tool, nil)
		}
	}()
	switch now := found.modified; {
	case l.readAt != "" && now == "":
		return nil, s.prevented(a, "Nothing was sent: the site does not say when it was changed last.\nNext: tell the user that this tool's if_unmodified cannot be kept.")
	case l.readAt != "" && !sameDate("_gmt", utc(l.readAt), now, nil):
		return nil, s.prevented(a, s.outdated(ctx, a, r, l.readAt, now))
	case l.shortened && !strings.Contains(found.text, marker):
		return nil, s.prevented(a, cutText(a, l.text, marker))
	case l.bare && strings.Contains(found.text, blocks):
		return nil, s.prevented(a, fmt.Sprintf("Nothing was sent: what is stored is made of blocks (%s… -->), and the new %s has none: they would be lost.\n"+
			"Next: read it as it is stored%s, change there what is to change, and send the whole text with its block comments.", blocks, l.text, withSource(a)))
	}
	return nil, nil
}

// prevented ends a call that would have done harm.
func (s *Server) prevented(a admission, text string) *mcp.CallToolResult {
	a.entry.Outcome = outcomePrevented
	s.opts.Log.Info("call prevented", "tool", a.tool.Name, "operation", a.tool.Operation)
	return problem(text)
}

func cutText(a admission, argument, mark string) string {
	return fmt.Sprintf("Nothing was sent: %s holds %q, with which toolpress marks a text that it has cut: the rest would be lost.\n"+
		"Next: read the whole text%s, and send that with your changes; if it is too long to be read whole, tell the user.", argument, mark, withSource(a))
}

// marked is the first argument of a change that ends as toolpress ends a text that
// it has cut, or is what stands for one that another part has, and that mark; empty
// where there is none.
func marked(t *curate.Tool, r wp.Request) (argument, mark string) {
	body, _ := r.Body.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(body)) {
		text, path := body[name], []string{name}
		if parts, ok := text.(map[string]any); ok {
			text, path = parts["raw"], append(path, "raw")
		}
		written, _ := text.(string)
		switch written = strings.TrimSpace(written); {
		case strings.HasSuffix(written, marker):
			mark = marker
		case inPart.MatchString(written):
			mark = written
		default:
			continue
		}
		argument, _ = t.SentName(path...)
		return argument, mark
	}
	return "", ""
}

// found is what was read of what a call would change.
type found struct{ text, modified string }

// stored reads it: the item of the call's own path, as an editor has it, and of it
// only what is looked at.
func (s *Server) stored(ctx context.Context, a admission, r wp.Request, l looking) (found, error) {
	var fields []string
	if l.text != "" {
		fields = append(fields, "content.raw")
	}
	modified := ""
	if l.readAt != "" {
		modified = a.tool.Unmodified.Field
		fields = append(fields, modified)
	}
	item, err := s.aside(ctx, a, r.Segments, wp.Query{{Name: "context", Value: "edit"}, {Name: "_fields", Value: strings.Join(fields, ",")}})
	if err != nil {
		return found{}, err
	}
	var object map[string]any
	object, _ = decodedValue(item).(map[string]any)
	content, _ := object["content"].(map[string]any)
	text, readable := content["raw"].(string)
	if l.text != "" && !readable {
		return found{}, &wp.Error{Kind: wp.NotJSON, Method: http.MethodGet, Status: http.StatusOK, Sent: true}
	}
	return found{text: text, modified: schema.ScalarText(object[modified])}, nil
}

// aside gets something of the site for a call, and not as it: the log's lines of
// calls, the audit and what is kept know nothing of it.
func (s *Server) aside(ctx context.Context, a admission, segments []string, query wp.Query) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	resp, err := s.breaker.do(ctx, a.site, wp.Request{Method: http.MethodGet, Segments: segments, Query: query, Trace: a.trace})
	if err != nil {
		return nil, err
	}
	if resp == nil {
		return nil, &wp.Error{Kind: wp.Broken, Method: http.MethodGet}
	}
	return resp.JSON, nil
}

// readFault is a failed look as an error of the site.
func readFault(r wp.Request, err error) *wp.Error {
	r.Method = http.MethodGet
	if e, ok := normal(r, err); ok {
		return e
	}
	return &wp.Error{Kind: wp.Unreachable, Method: http.MethodGet}
}

// utc is a time of the model's, with a Z: it is of a field in UTC.
func utc(at string) string { return strings.TrimSuffix(at, "Z") + "Z" }

// outdated is the text for a change of what somebody has changed since.
func (s *Server) outdated(ctx context.Context, a admission, r wp.Request, readAt, now string) string {
	t, name, who := a.tool, a.tool.Unmodified.Argument, ""
	is := "its " + t.Unmodified.Field + " is no longer"
	if !t.Result.Private.Below(t.Unmodified.Field).Whole() {
		is = "its " + t.Unmodified.Field + " is " + clip(plain(now), maxCode) + " now, and no longer"
	}
	if by := s.changedBy(ctx, a, r, now); by != "" {
		who = ", by the user " + by
	}
	return fmt.Sprintf("Nothing was sent: it was changed after you read it%s: %s %s.\nNext: read it again%s, make your change in what it is now, and call %s with the new %s.",
		who, is, clip(plain(readAt), maxCode), withSource(a, t.Unmodified.Field), t.Name, name)
}

// revisionsRead is how many revisions of a post are looked through: an autosave is
// one, and is no change of the post.
const revisionsRead = "5"

// changedBy is the id of who made the last change, where a revision of the post has
// the date of it (_wp_post_revision_data, in wp-includes/revision.php); empty where
// none does: not every change makes one.
func (s *Server) changedBy(ctx context.Context, a admission, r wp.Request, at string) string {
	if !a.tool.EditsBlocks() || a.tool.Result.Private.Below("author").Whole() {
		return ""
	}
	query := wp.Query{{Name: "context", Value: "edit"}, {Name: "per_page", Value: revisionsRead}, {Name: "_fields", Value: "author,date_gmt"}}
	text, err := s.aside(ctx, a, append(slices.Clone(r.Segments), "revisions"), query)
	if err != nil {
		return ""
	}
	list, _ := decodedValue(text).([]any)
	for _, one := range list {
		revision, _ := one.(map[string]any)
		if author, ok := revision["author"].(json.Number); ok && revision["date_gmt"] == at {
			return author.String()
		}
	}
	return ""
}

// withSource names the tool that reads a text as it is stored and gives those fields,
// or as many as one does, and cuts it the latest; where there is none, what else
// reads it.
func withSource(a admission, fields ...string) string {
	var best *curate.Tool
	_, route, _ := strings.Cut(a.tool.Operation, " ")
	if a.served != nil {
		for _, name := range slices.Sorted(maps.Keys(a.served.byName)) {
			t := a.served.byName[name]
			if reads, _ := t.ReadsSource(); reads && t.Name == name && t.Operation == "GET "+route && (best == nil || better(t, best, fields)) {
				best = t
			}
		}
	}
	if best == nil {
		return with(a)
	}
	if _, itself := best.ReadsSource(); !itself {
		context, _ := best.SentName("context")
		return " with " + best.Name + " (" + context + ": edit)"
	}
	return " with " + best.Name
}

// better reports that a tool reads the stored text by itself and another does not, or
// gives more of the fields, or as many and a longer text.
func better(t, than *curate.Tool, fields []string) bool {
	gives := func(t *curate.Tool) (n int) {
		for _, f := range fields {
			if t.Gives(f) {
				n++
			}
		}
		return n
	}
	itself := func(t *curate.Tool) int {
		if _, is := t.ReadsSource(); is {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(itself(t), itself(than)), cmp.Compare(gives(t), gives(than)), cmp.Compare(longest(t), longest(than))) > 0
}

// longest is about how long a text the tool gives whole, in bytes.
func longest(t *curate.Tool) int {
	most := cmp.Or(t.Result.MaxBytes, math.MaxInt)
	return min(most, cmp.Or(t.Result.MaxText, most))
}
