package curate

import (
	"fmt"
	"maps"
	"strings"

	"gopkg.in/yaml.v3"

	"toolpress/generate/schema"
)

// laterArgs are keys of the language this version does not have yet.
var laterArgs = []string{"lookup", "send_header"}

func (r *reader) tools(n *yaml.Node) []entry {
	var list []entry
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "tools is a mapping: the key is the tool's name", "tools must be a mapping of names, not %s", kind(n))
		return nil
	}
	r.pairs(n, func(k, v *yaml.Node) {
		e := entry{name: Text{Value: k.Value, Pos: r.pos(k)}}
		if !toolName.MatchString(k.Value) {
			r.fail(k, "a name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -", "%q is no name of a tool", short(k.Value))
		}
		if e.drop = r.isFalse(v); e.drop {
			list = append(list, e)
			return
		}
		known := r.settingsKeys(&e.set)
		maps.Copy(known, r.entryKeys(&e))
		r.mapping(v, "a tool", known)
		if e.replaces.Value != "" && len(e.from) > 0 {
			r.add(e.replaces.Pos, "leave from out, or call the entry by the old name", "a tool that replaces another calls what that called")
		}
		list = append(list, e)
	})
	return list
}

// entryKeys read what only one tool can say.
func (r *reader) entryKeys(e *entry) keys {
	return keys{
		"from": func(_, v *yaml.Node) {
			for _, item := range r.items(v) {
				if t, ok := r.identity(item); ok {
					e.from = append(e.from, t)
				}
			}
		},
		"optional": func(_, v *yaml.Node) { e.optional, _ = r.boolean(v, "optional") },
		"replaces": func(_, v *yaml.Node) {
			if t, ok := r.toolName(v, "replaces"); ok && t.Value == e.name.Value {
				r.fail(v, "name the tool of the earlier layer", "%s replaces itself", t.Value)
			} else if ok {
				e.replaces = t
			}
		},
		"aliases": func(_, v *yaml.Node) {
			e.aliases = []Text{}
			for _, item := range r.items(v) {
				if t, ok := r.toolName(item, "an alias"); ok {
					e.aliases = append(e.aliases, t)
				}
			}
		},
	}
}

// toolName reads the name of a tool.
func (r *reader) toolName(n *yaml.Node, what string) (Text, bool) {
	t, ok := r.text(n, what)
	if ok && !toolName.MatchString(t.Value) {
		r.fail(n, "a name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -", "%q is no name of a tool", short(t.Value))
		return t, false
	}
	return t, ok
}

func (r *reader) settingsKeys(s *settings) keys {
	known := r.policyKeys(s)
	maps.Copy(known, r.noted(&s.at, "", keys{
		"title":       func(_, v *yaml.Node) { s.title = r.words(v, "title") },
		"description": func(_, v *yaml.Node) { s.description = r.words(v, "description") },
		"args":        func(_, v *yaml.Node) { r.args(s, v) },
		"result":      func(_, v *yaml.Node) { r.result(s, v) },
		"groups": func(_, v *yaml.Node) {
			s.groups = r.texts(v, "groups")
			if s.groups == nil {
				s.groups = []Text{}
			}
		},
		"confirm": func(_, v *yaml.Node) { r.confirm(s, v) },
	}))
	return known
}

// words reads a text of its own, trimmed and not empty.
func (r *reader) words(n *yaml.Node, what string) *Text {
	t, ok := r.text(n, what)
	if t.Value = strings.TrimSpace(t.Value); ok && t.Value == "" {
		r.fail(n, "leave the key out to keep the site's own", "%s is empty", what)
		return nil
	}
	if !ok {
		return nil
	}
	return &t
}

func (r *reader) defaults(s *settings, n *yaml.Node) {
	r.mapping(n, "defaults", r.noted(&s.at, "", keys{
		"confirm": func(_, v *yaml.Node) { r.confirm(s, v) },
		"result":  func(_, v *yaml.Node) { r.result(s, v) },
		"dialect": func(_, v *yaml.Node) {
			if t, ok := r.choice(v, "dialect", string(schema.Common), string(schema.Modern)); ok {
				s.dialect = &t
			}
		},
		"calls": func(_, v *yaml.Node) { s.calls = r.rate(v, "calls") },
	}))
}

func (r *reader) args(s *settings, n *yaml.Node) {
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "", "args must be a mapping of arguments, not %s", kind(n))
		return
	}
	r.pairs(n, func(k, v *yaml.Node) {
		v = r.resolve(v)
		hidden := v.Kind == yaml.ScalarNode && v.Value == "hidden"
		switch {
		case k.Value == "*" && hidden:
			s.hideOthers = true
			s.at.note("args.*", r.pos(k))
			return
		case strings.HasSuffix(k.Value, ".*") && hidden && !strings.Contains(strings.TrimSuffix(k.Value, ".*"), "*"):
			s.hideBelow = append(s.hideBelow, Text{Value: strings.TrimSuffix(k.Value, ".*"), Pos: r.pos(k)})
			return
		case k.Value == "*" || strings.HasSuffix(k.Value, ".*") && !hidden:
			r.fail(v, fmt.Sprintf("write %q: hidden", k.Value), `"*" is every argument not named, and can only be hidden`)
			return
		case strings.Contains(k.Value, "*"):
			r.fail(k, `write it last: "line_items[].*": hidden`, "%q: * is the last part of a path, and stands alone", short(k.Value))
			return
		}
		a := argSettings{name: Text{Value: k.Value, Pos: r.pos(k)}}
		if hidden {
			a.hide = &hidden
		} else {
			r.mapping(v, "an argument", r.argKeys(&a), laterArgs...)
		}
		s.args = append(s.args, a)
	})
}

func (r *reader) argKeys(a *argSettings) keys {
	node := func(into **yaml.Node) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *into = r.value(v) }
	}
	count := func(into **number, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *into = r.number(v, what, 0) }
	}
	flag := func(into **bool, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) {
			if b, ok := r.boolean(v, what); ok {
				*into = &b
			}
		}
	}
	return r.noted(&a.at, "", keys{
		"hide": flag(&a.hide, "hide"), "required": flag(&a.required, "required"),
		"fix": node(&a.fix), "default": node(&a.def), "minimum": node(&a.minimum), "maximum": node(&a.maximum),
		"min_length": count(&a.minLength, "min_length"), "max_length": count(&a.maxLength, "max_length"), "max_items": count(&a.maxItems, "max_items"),
		"describe": func(_, v *yaml.Node) { a.describe = r.words(v, "describe") },
		"wire": func(_, v *yaml.Node) {
			if t, ok := r.choice(v, "wire", "auto", "comma", "brackets"); ok {
				a.wire = &t
			}
		},
		"header": func(_, v *yaml.Node) { r.header(a, v) },
		"rename": func(_, v *yaml.Node) {
			a.rename = r.words(v, "rename")
			if a.rename != nil && !toolName.MatchString(a.rename.Value) {
				r.fail(v, "a name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -", "%q is no name of an argument", a.rename.Value)
			}
		},
		"enum": func(_, v *yaml.Node) {
			if v = r.resolve(v); v.Kind != yaml.SequenceNode || len(v.Content) == 0 {
				r.fail(v, "", "enum must be a list of values, not %s", kind(v))
				return
			}
			for _, item := range v.Content {
				a.enum = append(a.enum, r.value(item))
			}
		},
		"pattern": func(_, v *yaml.Node) {
			a.pattern = r.words(v, "pattern")
			if a.pattern == nil {
				return
			}
			if !schema.Portable(a.pattern.Value) {
				r.fail(v, "keep to literal text, classes such as [a-z0-9], \\d, groups, and the counts * + ? {2,5}", "this is no pattern that every client reads alike")
			}
		},
	})
}
