package curate

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"toolpress/generate/schema"
)

// places are where keys were written, by the path of the key: result.pick.
type places map[string]Pos

// note keeps a place; a later one of the same key replaces it.
func (p *places) note(key string, at Pos) {
	if *p == nil {
		*p = places{}
	}
	(*p)[key] = at
}

// noted are keys that also note where each of them stands, under a path.
func (r *reader) noted(into *places, under string, known keys) keys {
	noting := maps.Clone(known)
	for name, read := range known {
		noting[name] = func(k, v *yaml.Node) {
			into.note(under+name, r.pos(k))
			read(k, v)
		}
	}
	return noting
}

// record is what set the fields of a tool, kept while its layers are folded.
type record struct {
	args   []*argument
	groups []string
	fields map[string][]Pos
	// held are the fields that are as the lock has them and not as they would be,
	// and where that is; new are those that are not there for it.
	held map[string]string
	new  []string
}

// keep notes that a field is the lock's.
func (c *record) keep(field, by string) {
	if c.held == nil {
		c.held = map[string]string{}
	}
	c.held[field] = by
}

// keepAll notes the fields in which a tool is as it was approved, and not as it
// would be now.
func (c *record) keepAll(then, now *Tool, by string) {
	fields := func(t *Tool) map[string]string {
		all := map[string]string{}
		for _, s := range t.Settings() {
			text, _ := schema.Encode(s.Value) // of a curation or of the site
			all[s.Field] = string(text)
		}
		return all
	}
	was, is := fields(then), fields(now)
	for _, field := range keysOf(was, is) {
		value, there := was[field]
		switch other, stays := is[field]; {
		case there && value != `"hidden"` && (!stays || other != value):
			c.keep(field, by)
		case !there && other == `"shown"`:
			c.keep(field, by)
			c.new = append(c.new, field)
		}
	}
}

// note keeps what a layer says; a list that adds keeps what it is added to.
func (c *record) note(key string, adds bool, at ...Pos) {
	if c.fields == nil {
		c.fields = map[string][]Pos{}
	}
	if adds {
		at = append(c.fields[key], at...)
	}
	c.fields[key] = at
}

// noteAll keeps where a layer speaks of the tool itself.
func (c *record) noteAll(l layered) {
	for key, at := range l.set.at {
		pick, drop := l.set.result.pick, l.set.result.drop
		adds := key == "result.pick" && pick != nil && pick.add || key == "result.drop" && drop != nil && drop.add
		c.note(key, adds, at)
	}
}

// recordNames keeps what names a tool, and what puts it into groups.
func (a *application) recordNames(into *record, c *candidate) {
	into.note("name", false, c.name.Pos)
	into.note("from", false, c.from)
	if a.server.Prefix.Value != "" {
		into.note("name", true, a.server.Prefix.Pos)
	}
	for _, alias := range slices.Concat(c.former, c.aliases) {
		into.note("aliases", true, alias.Pos)
	}
	for _, g := range c.groups {
		into.note("groups", true, g.Pos)
	}
	into.groups = a.groupsOf(c)
}
