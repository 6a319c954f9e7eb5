package curate

import (
	"maps"

	"gopkg.in/yaml.v3"
)

func (r *reader) selectorKeys(s *selector) keys {
	list := func(into *[]Text, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *into = r.globs(v, what) }
	}
	return keys{
		"ability": list(&s.ability, "ability"), "category": list(&s.category, "category"), "namespace": list(&s.namespace, "namespace"),
		"vendor": list(&s.vendor, "vendor"), "route": list(&s.route, "route"),
		"method": func(_, v *yaml.Node) {
			for _, item := range r.items(v) {
				if t, ok := r.choice(item, "method", "GET", "POST", "PUT", "PATCH", "DELETE"); ok {
					s.method = append(s.method, t)
				}
			}
		},
	}
}

func (r *reader) globs(n *yaml.Node, what string) []Text {
	list := r.texts(n, what)
	for _, t := range list {
		if err := checkGlob(t.Value); err != nil {
			r.add(t.Pos, "* is one segment, ** any depth, ? one character; everything else is literal", "%s: %v", what, err)
		}
	}
	return list
}

// selector reads the keys that choose operations; extra keys are the entry's own.
func (r *reader) selector(n *yaml.Node, what string, extra keys) selector {
	s := selector{pos: r.pos(n)}
	known := r.selectorKeys(&s)
	maps.Copy(known, extra)
	before := len(r.findings)
	r.mapping(n, what, known)
	if s.empty() && len(r.findings) == before {
		r.fail(n, "add one of ability, category, namespace, vendor, route, method", "%s chooses nothing", what)
	}
	return s
}

func (r *reader) exposes(n *yaml.Node) []expose {
	var list []expose
	for _, item := range r.items(n) {
		var e expose
		e.selector = r.selector(item, "an entry of expose", keys{
			"writes": func(_, v *yaml.Node) { e.writes, _ = r.boolean(v, "writes") },
			"groups": func(_, v *yaml.Node) { e.groups = r.texts(v, "groups") },
		})
		list = append(list, e)
	}
	return list
}

func (r *reader) excludes(n *yaml.Node) []selector {
	var list []selector
	for _, item := range r.items(n) {
		list = append(list, r.selector(item, "an entry of exclude", nil))
	}
	return list
}

func (r *reader) rules(n *yaml.Node) []rule {
	var list []rule
	for _, item := range r.items(n) {
		var one rule
		matched := false
		r.mapping(item, "a rule", keys{
			"match": func(_, v *yaml.Node) { one.match, matched = r.selector(v, "match", nil), true },
			"set":   func(_, v *yaml.Node) { r.mapping(v, "set", r.settingsKeys(&one.set)) },
		})
		if !matched && r.resolve(item).Kind == yaml.MappingNode {
			r.fail(item, "a rule is { match: {…}, set: {…} }", "a rule without match")
			continue
		}
		list = append(list, one)
	}
	return list
}
