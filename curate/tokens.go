package curate

import (
	"toolpress/generate"
	"toolpress/generate/schema"
)

// Tokens estimates the tokens of a text as models count them: four bytes to a
// token. docs/tokens.md has how far off it is.
func Tokens(text []byte) int { return (len(text) + 3) / 4 }

// Tokens estimates what the tool takes of a model's context: its JSON as
// tools/list has it. The output schema is the client's and goes to no model: no
// model API has a place for it.
func (t *Tool) Tokens() int {
	seen := t.listed()
	seen.OutputSchema = nil
	text, err := schema.Encode(seen)
	if err != nil {
		return 0
	}
	return Tokens(text)
}

// RawTokens estimates what the tool's operation would take as the site offers
// it: with its own words and all its arguments.
func (t *Tool) RawTokens() int {
	if raw := rawTool(t.op); raw != nil {
		return raw.Tokens()
	}
	return 0
}

// Raw is what a surface would be without curation: one tool for each operation,
// in the surface's order. It is there to be counted and takes no calls.
func Raw(s *generate.Surface) *Profile {
	p := &Profile{Name: DefaultProfile}
	for _, o := range s.Operations {
		if t := rawTool(o); t != nil {
			p.Tools = append(p.Tools, t)
		}
	}
	return p
}

// rawTool is an operation as one tool; nil where it can be none.
func rawTool(o *generate.Operation) *Tool {
	input, err := schema.Encode(generate.InputSchema(o.Args, o.Extra).In(schema.Common))
	if err != nil {
		return nil
	}
	return &Tool{Name: o.Name, Title: o.Title, Description: o.Description, InputSchema: input, Annotations: o.Annotations, Operation: o.ID}
}
