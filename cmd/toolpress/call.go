package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/generate/schema"
	"toolpress/runtime"
)

// callFlags are the flags of call.
type callFlags struct {
	input, profile, stateDir string
	yes, dryRun              bool
}

func (a *app) callCommand() *cobra.Command {
	var f callFlags
	c := &cobra.Command{
		Use: "call TOOL [name=value …]", Short: "Call one tool, without an MCP client", Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no tool is named", "toolpress check lists the tools; see toolpress call --help")
			}
			return nil
		},
		Long: `Call one tool on the path a client's call takes and print the structured result,
or, where the site answers with a file, what it is.
A value is read by the type the tool's schema gives it: text as it is, a list as
values with commas between, anything else as JSON. Exits 1 when the call fails.

With --dry-run nothing is called: it prints the request that would be sent, without
the credential and without what is a secret or private.`,
		Example: "  toolpress call find_posts query=sale per_page=3\n  toolpress call find_posts categories=3,7\n  toolpress call find_posts --input '{\"query\":\"sale\"}'",
		RunE:    func(c *cobra.Command, args []string) error { return a.call(c.Context(), args[0], args[1:], f) },
	}
	c.Flags().StringVar(&f.input, "input", "", "the arguments as one JSON object, or @FILE")
	c.Flags().BoolVar(&f.yes, "yes", false, "call a tool that asks a person first: you are the person")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the request that would be sent, and send nothing")
	addStateDir(c, &f.stateDir)
	addProfile(c, &f.profile)
	return c
}

func (a *app) call(ctx context.Context, name string, pairs []string, f callFlags) error {
	if a.from != "" && !f.dryRun {
		return usage("call needs a site: a recording takes no calls", "leave --from out, or say --dry-run")
	}
	s, err := a.load(ctx, "")
	if err != nil {
		return err
	}
	defer s.close()
	surface, catalog, _ := s.apply()
	p, err := profileOf(catalog, f.profile)
	if err != nil {
		return err
	}
	tool := p.Called(name)
	if tool == nil {
		return s.unknownTool(catalog, p, name)
	}
	arguments, err := callArguments(tool, pairs, f.input)
	if err != nil {
		return err
	}
	if f.dryRun {
		return a.printRequest(surface.Root, tool, arguments)
	}
	if _, err := s.account(p); err != nil {
		return err
	}
	if f.yes {
		ctx = runtime.Confirmed(ctx)
	} else if tool.Asks() {
		return usage(tool.Name+" asks a person first", "look at what it would send with --dry-run, and say --yes to call it")
	}
	calls := a.remembered(f.stateDir, catalog.Site)
	if tool.Idempotency != nil {
		if err := calls.Check(ctx); err != nil {
			return forgotten(err)
		}
	}
	server := runtime.NewServer(catalog, runtime.Options{Version: version(), Site: s.root.Client(), Access: s.access, Calls: calls})
	result, err := server.Call(ctx, p.Name, tool.Name, arguments)
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool.Name, err)
	}
	return a.printResult(result)
}

// printRequest prints what a call would send; what is wrong with its arguments is
// an error, as it would be for a model.
func (a *app) printRequest(root string, tool *curate.Tool, arguments json.RawMessage) error {
	r, err := tool.Request(arguments)
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool.Name, err)
	}
	sent, err := newRequest(root, tool.Redacted(r))
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool.Name, err)
	}
	_, err = fmt.Fprint(a.stdout, sent)
	return err
}

// unknownTool says which curation was looked in, and what it has.
func (s *source) unknownTool(catalog *curate.Catalog, p *curate.Profile, name string) error {
	var names []string
	for _, t := range p.Tools {
		names = append(names, t.Name)
	}
	hint := "nothing is served"
	if len(names) > 0 {
		hint = "the tools are " + strings.Join(names, ", ")
	}
	for _, w := range catalog.Withheld {
		if w.Tool == name {
			hint = "it is withheld: " + w.Reason
		}
	}
	return usage(fmt.Sprintf("there is no tool %q in %s", name, s.name()), hint)
}

// callArguments reads the arguments of a call from the command line.
func callArguments(tool *curate.Tool, pairs []string, input string) (json.RawMessage, error) {
	if input != "" {
		if len(pairs) > 0 {
			return nil, usage("arguments are given twice: as name=value and with --input", "use one of them")
		}
		if file, is := strings.CutPrefix(input, "@"); is {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, usage(fmt.Sprintf("reading the arguments: %v", err), "")
			}
			return data, nil
		}
		return json.RawMessage(input), nil
	}
	arguments := map[string]json.RawMessage{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usage(fmt.Sprintf("%q is no argument", pair), "write it as name=value")
		}
		text, err := argumentValue(tool.ArgumentSchema(name), value)
		if err != nil {
			return nil, err
		}
		arguments[name] = text
	}
	return schema.Encode(arguments)
}

// argumentValue reads a value of the command line by its schema; nil where the
// tool has no such argument.
func argumentValue(s *schema.Schema, value string) (json.RawMessage, error) {
	isJSON := json.Valid([]byte(value))
	switch {
	case s != nil && s.Is("string"):
		return schema.Encode(value)
	case s != nil && s.Is("array") && !strings.HasPrefix(value, "["):
		items := []json.RawMessage{}
		for item := range strings.SplitSeq(value, ",") {
			text, err := argumentValue(s.Items, item)
			if err != nil {
				return nil, err
			}
			items = append(items, text)
		}
		return schema.Encode(items)
	case isJSON:
		return json.RawMessage(value), nil
	}
	return schema.Encode(value)
}

// printResult prints what a client would get, of a file what it is; a failed call
// is an error.
func (a *app) printResult(result *mcp.CallToolResult) error {
	var text []string
	file := false
	for _, c := range result.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			text = append(text, c.Text)
		case *mcp.ResourceLink:
			file, text = true, append(text, c.URI)
		default:
			file = true
		}
	}
	if result.IsError {
		return &failure{err: errors.New(strings.Join(text, "\n")), code: exitFailed}
	}
	if file {
		fmt.Fprintln(a.stdout, strings.Join(text, "\n"))
		return nil
	}
	structure, err := schema.Encode(result.StructuredContent)
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, structure, "", "  "); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, pretty.String())
	for _, c := range result.Content[1:] { // what is said of it
		if t, ok := c.(*mcp.TextContent); ok {
			a.say("%s", t.Text)
		}
	}
	return nil
}
