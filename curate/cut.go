package curate

import (
	"cmp"
	"slices"

	"toolpress/generate/schema"
)

// Cut is one thing to leave out of a profile, and the tokens that saves.
type Cut struct {
	Tool string `json:"tool"`
	// Argument is the one to hide, as the model calls it; empty: the tool goes as
	// a whole.
	Argument string `json:"argument,omitempty"`
	Saves    int    `json:"saves"`
}

// Cuts are what would bring a profile nearer to its budget, what saves most
// first: of too many tokens the arguments that may be left out and after them
// the tools; of too many tools the tools alone. Nil within the budget.
func (p *Profile) Cuts() []Cut {
	var arguments, tools []Cut
	tokens := p.MaxTokens > 0 && p.Tokens() > p.MaxTokens
	if !tokens && (p.MaxTools == 0 || len(p.Tools) <= p.MaxTools) {
		return nil
	}
	for _, t := range p.Tools {
		tools = append(tools, Cut{Tool: t.Name, Saves: t.Tokens()})
		if tokens {
			arguments = append(arguments, t.cuts()...)
		}
	}
	most := func(a, b Cut) int {
		return cmp.Or(cmp.Compare(b.Saves, a.Saves), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Argument, b.Argument))
	}
	slices.SortFunc(arguments, most)
	slices.SortFunc(tools, most)
	return append(arguments, tools...)
}

// cuts are the arguments that a tool can do without.
func (t *Tool) cuts() (cuts []Cut) {
	for i, p := range t.schema.Properties {
		if p.Required {
			continue
		}
		less, shorter := *t.schema, *t
		less.Properties = slices.Delete(slices.Clone(t.schema.Properties), i, i+1)
		text, err := schema.Encode(less.In(t.dialect))
		if err != nil {
			continue
		}
		shorter.InputSchema = text
		cuts = append(cuts, Cut{t.Name, p.Name, t.Tokens() - shorter.Tokens()})
	}
	return cuts
}
