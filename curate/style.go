package curate

import "toolpress/generate"

// styles takes how arguments are written in a query, before their values are
// read: a value may have to fit. What a rule says is left alone where an
// operation has no such argument, or one that cannot be written so.
func (b *toolBuilder) styles(folded []*argument) {
	said := map[string]generate.Style{}
	for i, l := range b.sets {
		for _, s := range l.set.args {
			if s.wire == nil {
				continue
			}
			g := named(folded, s.name.Value)
			if wrong, hint := b.unstyled(g, &s); wrong != "" {
				if b.strict(i) {
					b.fail(l.file, s.wire.Pos, hint, "wire: %s %s", s.name.Value, wrong)
				}
				continue
			}
			g.Style = styleOf(&s)
			g.original.Style, said[g.original.Name] = g.Style, g.Style
		}
	}
	if len(said) > 0 {
		b.tool.op = b.candidate.op.Styled(said)
	}
}

// unstyled says why an argument cannot be written as a layer says, and what to
// do; empty where it can.
func (b *toolBuilder) unstyled(g *argument, s *argSettings) (wrong, hint string) {
	if g == nil {
		return "is a part of one", "say it of the argument itself, " + pathParts(s.name.Value)[0]
	}
	return b.candidate.op.Unstyled(g.original, styleOf(s)), "leave wire out"
}

func styleOf(s *argSettings) generate.Style {
	return map[string]generate.Style{"auto": generate.Auto, "comma": generate.Comma, "brackets": generate.Brackets}[s.wire.Value]
}
