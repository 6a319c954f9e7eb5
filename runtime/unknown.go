package runtime

import (
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"toolpress/curate"
)

// maxGone bounds the names that a profile remembers having served.
const maxGone = 1000

// remember keeps what the profile served before and serves no more, so that a
// client which was not told yet learns what became of it.
func (p *profile) remember(old *profile) {
	p.gone = map[string]string{}
	if old == nil {
		return
	}
	for name, t := range old.byName {
		if p.byName[name] == nil {
			p.gone[name] = t.Operation
		}
	}
	// What this change took goes before what earlier ones did.
	for _, name := range slices.Sorted(maps.Keys(old.gone)) {
		if p.byName[name] == nil && len(p.gone) < maxGone {
			p.gone[name] = old.gone[name]
		}
	}
}

// tool is the tool of a name or an alias. What this profile never served is
// unknown, whatever other profiles serve.
func (p *profile) tool(name string) (*curate.Tool, error) {
	if t := p.byName[name]; t != nil {
		return t, nil
	}
	if p.held[name] {
		// Nothing of what changed: that is what nobody has approved.
		return nil, unknownTool(name, ": it waits for the operator of this server, who has to approve what it does now (pin_mismatch); tell the user")
	}
	operation, served := p.gone[name]
	if !served {
		return nil, unknownTool(name, "")
	}
	for _, other := range slices.Sorted(maps.Keys(p.byName)) {
		if t := p.byName[other]; t.Operation == operation {
			return nil, unknownTool(name, fmt.Sprintf(": the tools have changed, and it is gone; %s calls the same", t.Name))
		}
	}
	return nil, unknownTool(name, ": the tools have changed, and it is gone; list them again")
}

func unknownTool(name, became string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q%s", clip(name, 80), became)}
}
