package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/generate/schema"
)

func (a *app) explainCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "explain TOOL|OPERATION", Short: "Say what made a tool what it is, or why something is none", Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("explain takes one tool or operation", `an operation is written as "GET /wp/v2/posts/{id}" or "ability:acme/search"; toolpress check lists the tools`)
			}
			return nil
		},
		Long: `Print every field of a tool with what set it, what a model sees of it, and the
request that a call becomes, with arguments drawn from its schema. Of what is not
served it says why. Nothing is called.`,
		Example: "  toolpress explain find_posts\n  toolpress explain --from site.json 'DELETE /wp/v2/posts/{id}'",
		RunE:    func(c *cobra.Command, args []string) error { return a.explain(c.Context(), args[0]) },
	}
	c.Flags().BoolVar(&a.asJSON, "json", false, "print it as one line of JSON")
	return c
}

// explain prints what became of what is asked for; what is unknown is a usage
// error.
func (a *app) explain(ctx context.Context, asked string) error {
	s, err := a.load(ctx, "")
	if err != nil {
		return err
	}
	defer s.close()
	surface, catalog, _, err := s.permitted(ctx)
	if err != nil {
		return err
	}
	e := catalog.Explain(surface, asked)
	if e.Unknown != "" {
		return usage(e.Unknown, e.Hint)
	}
	out, err := newExplained(asked, surface, e)
	if err != nil {
		return err
	}
	if !a.asJSON {
		return out.print(a.stdout)
	}
	text, err := schema.Encode(out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", text)
	return err
}

// explained is what explain --json prints.
type explained struct {
	Asked    string            `json:"asked"`
	Served   []explainedTool   `json:"served"`
	Withheld []curate.Withheld `json:"withheld"`
	Hint     string            `json:"hint,omitempty"`
}

// explainedTool is a tool as some of the profiles serve it.
type explainedTool struct {
	Profiles  []string         `json:"profiles"`
	Operation string           `json:"operation"`
	Tokens    int              `json:"tokens"`
	Settings  []curate.Setting `json:"settings"`
	// Tool is as MCP lists it.
	Tool    *curate.Tool     `json:"tool"`
	Example explainedExample `json:"example"`
	does    string
}

// explainedExample is one call: what a model gives, and what is sent for it. Where
// the site could not take it, Refused says why and there is no request.
type explainedExample struct {
	Arguments json.RawMessage   `json:"arguments"`
	Request   *explainedRequest `json:"request,omitempty"`
	Refused   string            `json:"refused,omitempty"`
}

type explainedRequest struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	// Body is the JSON, or a text that says what the file is.
	Body any `json:"body,omitempty"`
}

func newExplained(asked string, surface *generate.Surface, e curate.Explanation) (*explained, error) {
	out := &explained{Asked: asked, Served: []explainedTool{}, Withheld: []curate.Withheld{}, Hint: e.Hint}
	out.Withheld = append(out.Withheld, e.Withheld...)
	for _, s := range e.Served {
		t := explainedTool{Profiles: s.Profiles, Operation: s.Tool.Operation, Tokens: s.Tool.Tokens(), Settings: s.Tool.Settings(), Tool: s.Tool, does: effect(s.Tool.Annotations)}
		var err error
		if t.Example, err = newExample(surface, s.Tool); err != nil {
			return nil, err
		}
		out.Served = append(out.Served, t)
	}
	return out, nil
}

// newExample is a call of the tool, with the address that the site is at and
// without the credential that goes along.
func newExample(surface *generate.Surface, t *curate.Tool) (explainedExample, error) {
	arguments, r, refused := t.Example()
	x := explainedExample{Arguments: arguments}
	if refused == nil {
		x.Request, refused = newRequest(surface.Root, r)
	}
	if refused != nil {
		x.Refused = refused.Error()
	}
	return x, nil
}

// newRequest is a request as it goes to the site at root. The error says why it
// cannot be sent.
func newRequest(root string, r wp.Request) (*explainedRequest, error) {
	at, err := url.Parse(root)
	if err != nil {
		return nil, err
	}
	address, err := r.URL(at)
	if err != nil {
		return nil, err
	}
	out := &explainedRequest{Method: r.Method, URL: address.String(), Headers: map[string]string{"Authorization": curate.NotShown}, Body: r.Body}
	switch body := r.Body.(type) {
	case nil:
	case wp.File:
		out.Body = described(body)
		if body.Type != "" {
			out.Headers["Content-Type"] = body.Type
		}
		if body.Name != "" {
			out.Headers["Content-Disposition"] = body.Disposition()
		}
	default:
		out.Headers["Content-Type"] = "application/json"
	}
	return out, nil
}

// described says what the file of a request is, or where it is when it is sent.
func described(f wp.File) string {
	switch {
	case f.From == nil:
		return fmt.Sprintf("(%s of %s)", count(len(f.Data), "byte"), f.Type)
	case f.From.Address != "":
		return "(the file at " + f.From.Shown() + ", fetched when it is sent: its name and type are told by it)"
	}
	return "(the file " + f.From.Shown() + " below a directory of site.media.roots, opened when it is sent)"
}

// print prints it for a person.
func (e *explained) print(w io.Writer) error {
	for i, t := range e.Served {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := t.print(w); err != nil {
			return err
		}
	}
	for _, left := range e.Withheld {
		where := "not served"
		if left.Profile != "" {
			where += " by " + left.Profile
		}
		fmt.Fprintf(w, "%s: %s (%s): %s\n", where, left.Tool, left.Operation, left.Reason)
	}
	if e.Hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", e.Hint)
	}
	return nil
}

func (t *explainedTool) print(w io.Writer) error {
	fmt.Fprintf(w, "%s, served by %s: %s, calls %s, about %s of a model's context\n\n", t.Tool.Name, strings.Join(t.Profiles, ", "), t.does, t.Operation, count(t.Tokens, "token"))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "FIELD\tSET BY\tVALUE\n")
	for _, s := range t.Settings {
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Field, strings.Join(s.From, ", "), settingText(s.Value))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	seen, err := indented(t.Tool)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nwhat a model sees:\n%s\n\na call such as\n%s\n", seen, t.Example.Arguments)
	if t.Example.Request == nil {
		fmt.Fprintf(w, "is refused, since no example fits: %s\n", t.Example.Refused)
		return nil
	}
	fmt.Fprintf(w, "becomes\n%s", t.Example.Request)
	return nil
}

// String writes the request as HTTP does, with its whole address.
func (r *explainedRequest) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Method, r.URL)
	for _, name := range []string{"Authorization", "Content-Type", "Content-Disposition"} {
		if v := r.Headers[name]; v != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	switch body := r.Body.(type) {
	case nil:
	case string: // what a file is
		fmt.Fprintf(&b, "\n%s\n", body)
	default:
		text, _ := schema.Encode(body) // it was JSON before
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	return b.String()
}

// settingText is a value on one line.
func settingText(v any) string {
	if text, is := v.(string); is && text != "" {
		return strings.Join(strings.Fields(text), " ")
	}
	text, _ := schema.Encode(v) // values of a curation or of the site: JSON already
	return string(text)
}

// indented is JSON as a person reads it.
func indented(v any) (string, error) {
	text, err := schema.Encode(v)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var pretty json.RawMessage = text
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(pretty); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
