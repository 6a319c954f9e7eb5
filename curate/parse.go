package curate

import (
	"slices"

	"gopkg.in/yaml.v3"
)

// Curation is a curation file with everything it extends.
type Curation struct {
	layers   []*file    // in the order they apply; the file itself is last
	approved *Approvals // what the lock holds; nil: nothing yet
	// approves: nothing is held back, so that all that waits is seen.
	approves bool
}

// Open reads a file a curation extends, by the name [Parse] resolved.
type Open func(name string) ([]byte, error)

// Parse reads a curation file and what it extends: presets from this binary,
// files through open, their names relative to the file that names them. The
// error is [Findings]: everything wrong in all of the files.
func Parse(name string, data []byte, open Open) (*Curation, error) {
	return parse(name, data, false, open)
}

func parse(name string, data []byte, preset bool, open Open) (*Curation, error) {
	p := &parser{open: open, seen: map[string]bool{}}
	outer := p.file(name, data, preset, nil)
	if len(p.findings) > 0 {
		slices.SortStableFunc(p.findings, byPlace)
		return nil, p.findings
	}
	c := &Curation{}
	c.flatten(outer)
	return c, nil
}

func byPlace(a, b Finding) int {
	if a.Pos.File != b.Pos.File {
		return 0 // files stay in the order they were read
	}
	if a.Pos.Line != b.Pos.Line {
		return a.Pos.Line - b.Pos.Line
	}
	return a.Pos.Col - b.Pos.Col
}

func (c *Curation) flatten(f *file) {
	for _, e := range f.extends {
		c.flatten(e)
	}
	c.layers = append(c.layers, f)
}

func (p *parser) top(f *file, root *yaml.Node, within []string) {
	r := f.reader
	versioned := false
	r.mapping(root, "a curation", keys{
		"version": func(k, v *yaml.Node) {
			versioned = true
			if v.Kind != yaml.ScalarNode || v.Value != "1" {
				r.fail(v, "this toolpress reads version 1; a newer file needs a newer toolpress", "version %s is not known", kind(v))
			}
		},
		"extends":  func(k, v *yaml.Node) { p.extends(f, v, within) },
		"allow":    func(k, v *yaml.Node) { f.allow = r.allowances(v) },
		"server":   func(k, v *yaml.Node) { r.server(&f.server, v) },
		"site":     func(k, v *yaml.Node) { r.site(&f.site, v) },
		"expose":   func(k, v *yaml.Node) { f.expose = r.exposes(v) },
		"exclude":  func(k, v *yaml.Node) { f.exclude = r.excludes(v) },
		"private":  func(k, v *yaml.Node) { f.private = r.privates(v) },
		"defaults": func(k, v *yaml.Node) { r.defaults(&f.defaults, v) },
		"rules":    func(k, v *yaml.Node) { f.rules = r.rules(v) },
		"tools":    func(k, v *yaml.Node) { f.tools = r.tools(v) },
		"groups":   func(k, v *yaml.Node) { f.groups = r.groupList(v) },
		"profiles": func(k, v *yaml.Node) { f.profiles = r.profileList(v) },
		"lock":     func(k, v *yaml.Node) { f.lock = r.lock(v) },
	}, "workflows", "prompts", "resources", "overlays")
	if !versioned {
		r.fail(root, "write version: 1 at the top", "the version is missing")
	}
}

func (r *reader) number(n *yaml.Node, what string, least int) *number {
	if i, ok := r.count(n, what, least); ok {
		return &number{value: i, pos: r.pos(n)}
	}
	return nil
}
