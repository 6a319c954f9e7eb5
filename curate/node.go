package curate

import "gopkg.in/yaml.v3"

// resolve follows an alias, a bounded number of times and to a bounded end: what
// is written once may be read a hundred times.
func (r *reader) resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		r.aliases++
		r.aliased += size(n.Alias, maxAliased-r.aliased+1)
		switch {
		case r.aliases > maxAlias:
			r.fail(n, "write the values out", "more than %d aliases", maxAlias)
		case r.aliased > maxAliased:
			r.fail(n, "write the values out", "the aliases stand for more than %d values", maxAliased)
		default:
			n = n.Alias
			continue
		}
		r.stopped = true
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}
	}
	return n
}

// size counts a node and what is in it, aliases as one, up to a limit.
func size(n *yaml.Node, limit int) int {
	count := 1
	for _, c := range n.Content {
		if count >= limit {
			break
		}
		count += size(c, limit-count)
	}
	return count
}

// value keeps a node whose type only the site's schema tells. Its aliases are
// counted here, so that following them later is bounded.
func (r *reader) value(n *yaml.Node) *yaml.Node {
	var visit func(n *yaml.Node, depth int)
	visit = func(n *yaml.Node, depth int) {
		if depth > maxValueDepth {
			r.fail(n, "", "a value is nested deeper than %d levels", maxValueDepth)
			return
		}
		if r.stopped {
			return
		}
		n = r.resolve(n)
		if n.Kind == yaml.MappingNode {
			r.pairs(n, func(*yaml.Node, *yaml.Node) {}) // doubled keys, merge keys
		}
		for _, c := range n.Content {
			visit(c, depth+1)
		}
	}
	visit(n, 0)
	return r.resolve(n)
}

// follow follows an alias that value has counted.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

const maxValueDepth = 32
