package curate

import (
	"regexp"

	"gopkg.in/yaml.v3"
)

// pickPath has a colon for what is embedded: _embedded.wp:term.name.
var pickPath = regexp.MustCompile(`^[\w-]+(\.[\w-]+(:[\w-]+)?)*$`)

// fieldName is another name of a field.
var fieldName = regexp.MustCompile(`^[\w-]+$`)

const pickHint = "a path is names joined by dots: title.rendered; it goes through lists by itself"

func (r *reader) pickPaths(n *yaml.Node, what string) []Text {
	list := r.texts(n, what)
	for _, t := range list {
		if !pickPath.MatchString(t.Value) {
			r.add(t.Pos, pickHint, "%q is no path this version picks", t.Value)
		}
	}
	return list
}

// picked reads a list, or { add: list }.
func (r *reader) picked(n *yaml.Node, what string, paths func(*yaml.Node, string) []Text) *pick {
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		return &pick{paths: paths(n, what)}
	}
	p := &pick{add: true}
	r.mapping(n, what, keys{"add": func(_, v *yaml.Node) { p.paths = paths(v, what) }})
	return p
}

func (r *reader) result(of *settings, n *yaml.Node) {
	s := &of.result
	r.mapping(n, "result", r.noted(&of.at, "result.", keys{
		"pick":   func(_, v *yaml.Node) { s.pick = r.picked(v, "pick", r.pickPaths) },
		"drop":   func(_, v *yaml.Node) { s.drop = r.picked(v, "drop", r.fieldPatterns) },
		"rename": func(_, v *yaml.Node) { s.rename = r.renames(v) },
		"html": func(_, v *yaml.Node) {
			if t, ok := r.choice(v, "html", string(KeepHTML), string(TextHTML), string(Markdown)); ok {
				s.html = &t
			}
		},
		"max_text": func(_, v *yaml.Node) { s.maxText = r.number(v, "max_text", 1) },
		"max_bytes": func(_, v *yaml.Node) {
			size, ok := r.size(v, "max_bytes")
			if ok && size < 256 {
				r.fail(v, "", "max_bytes must be at least 256")
			}
			s.maxBytes = &number{value: size, pos: r.pos(v)}
		},
		"parts": func(k, v *yaml.Node) { s.parts = r.parts(k, v) },
		"raw": func(_, v *yaml.Node) {
			if b, ok := r.boolean(v, "raw"); ok {
				s.raw = &b
			}
		},
	}), "headers")
	if s.raw != nil && *s.raw && s.trims() {
		r.fail(n, "leave out raw, or pick, drop, rename, html and max_text", "raw: true gives the answer as it is, and the other keys change it")
	}
}

// trims reports that a layer says how to change an answer.
func (s *resultSettings) trims() bool {
	return s.pick != nil || s.drop != nil || s.rename != nil || s.html != nil || s.maxText != nil
}

func (r *reader) renames(n *yaml.Node) []renamedField {
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "write rename: { title.rendered: title }", "rename must be a mapping of paths to names, not %s", kind(n))
		return nil
	}
	list := []renamedField{}
	r.pairs(n, func(k, v *yaml.Node) {
		one := renamedField{path: Text{Value: k.Value, Pos: r.pos(k)}}
		if !pickPath.MatchString(k.Value) {
			r.fail(k, pickHint, "%q is no path that can be renamed", short(k.Value))
		}
		var ok bool
		if one.name, ok = r.text(v, "a field's name"); ok && (!fieldName.MatchString(one.name.Value)) {
			r.fail(v, "a name has the characters a-z, A-Z, 0-9, _ and -", "%q is no name of a field", short(one.name.Value))
		}
		list = append(list, one)
	})
	return list
}
