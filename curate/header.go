package curate

import (
	"slices"
	"strings"

	"toolpress/generate"
)

// takeHeaders takes the headers that arguments travel in besides: of values
// that are one text, and each header once.
func (b *toolBuilder) takeHeaders() {
	for _, l := range b.sets {
		for i := range l.set.args {
			if s := &l.set.args[i]; s.header != nil {
				b.takeHeader(l, s)
			}
		}
	}
}

func (b *toolBuilder) takeHeader(l layered, s *argSettings) {
	at := slices.IndexFunc(b.visible, func(v generate.Arg) bool {
		op := b.candidate.op.Arg(b.tool.siteName(v.Name))
		return v.Name == s.name.Value || op != nil && speaksOf(s.name.Value, *op)
	})
	if at < 0 {
		// What is not shown has no value of the model's; an unknown name is told
		// where arguments are.
		if b.candidate.op.Arg(s.name.Value) != nil && slices.ContainsFunc(b.candidate.sets, func(c layered) bool { return c.set == l.set }) {
			b.fail(l.file, s.header.Pos, "show the argument, or leave the header out", "%s is not shown, and has no header", s.name.Value)
		}
		return
	}
	v := b.visible[at]
	switch {
	case len(v.Schema.Types) != 1 || !slices.Contains([]string{"string", "integer", "boolean"}, v.Schema.Types[0]):
		b.fail(l.file, s.header.Pos, "", "a header carries text, a whole number, true or false, and %s is %s", v.Name, types(v.Schema))
		return
	case secretName.MatchString(v.Name) || secretName.MatchString(s.header.Value):
		b.fail(l.file, s.header.Pos, "leave the header out", "%s may be a secret, and proxies and logs see headers", v.Name)
		return
	}
	for arg, header := range b.tool.Headers {
		if arg != v.Name && strings.EqualFold(header, s.header.Value) {
			b.fail(l.file, s.header.Pos, "call one of them another name", "%s and %s would have one header, %s", arg, v.Name, s.header.Value)
			return
		}
	}
	if b.tool.Headers == nil {
		b.tool.Headers = map[string]string{}
	}
	b.tool.Headers[v.Name] = s.header.Value
	carried := *v.Schema
	carried.Header = s.header.Value
	b.visible[at].Schema = &carried
}
