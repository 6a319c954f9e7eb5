package curate

import (
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate"
)

// sources are where the layers let an upload take its file from, besides the call.
func (c *Curation) sources() generate.Sources {
	var s generate.Sources
	media := c.Site().Media
	for _, root := range media.Roots {
		s.Roots = append(s.Roots, root.Value)
	}
	for _, host := range media.Hosts {
		s.Hosts = append(s.Hosts, host.Value)
	}
	return s
}

// files settles what gives the file of an upload. What alone does is required;
// where several do, a call has one of them.
func (b *toolBuilder) files(folded []*argument, shown *level) {
	op := b.candidate.op
	upload, made, told := false, false, false
	for _, g := range folded {
		gives := op.GivesFile(g.original)
		upload, made = upload || gives, made || gives && (g.fix != nil || g.def != nil)
		told = told || gives && g.original.Required // as one that the site requires
	}
	var gives []int
	for i, a := range shown.visible {
		if op.GivesFile(a) {
			gives = append(gives, i)
			b.tool.files = append(b.tool.files, a.Name)
		}
	}
	switch {
	case !upload || made:
		b.tool.files = nil
	case len(gives) == 0 && !told && !b.failed:
		f, at := b.place()
		b.fail(f, at, "show one of them, such as file: { required: true }", "%s hides all arguments that could give it a file", b.tool.Name)
	case len(gives) == 1:
		needsName := shown.visible[gives[0]].In == generate.InFile
		for i := range shown.visible {
			a := &shown.visible[i]
			a.Required = a.Required || i == gives[0] || needsName && a.In == generate.InFilename
		}
		b.tool.files = nil
	}
	for _, g := range folded {
		own := g.original.Schema.Description
		if len(b.tool.files) > 1 && g.original.In.Sourced() && g.Schema.Description == own {
			g.Schema.Description += " Exactly one of " + b.tool.fileNames() + " is given."
		}
	}
}

// fileNames are the arguments one of which gives the file, as a sentence has them.
func (t *Tool) fileNames() string {
	last := len(t.files) - 1
	return strings.Join(t.files[:last], ", ") + " and " + t.files[last]
}

// oneFile finds a call of an upload that has no file, or more than one.
func (t *Tool) oneFile(given map[string]any) Faults {
	if len(t.files) == 0 {
		return nil
	}
	n := 0
	for _, name := range t.files {
		if t.op.Arg(t.siteName(name)).GivenFile(given[name]) {
			n++
		}
	}
	switch n {
	case 0:
		return Faults{"one of " + t.fileNames() + " is required"}
	case 1:
		return nil
	}
	return Faults{"only one of " + t.fileNames() + " may be given: a call sends one file"}
}

// withOneFile leaves the first of the arguments that give a file in a call.
func (t *Tool) withOneFile(arguments map[string]any) map[string]any {
	for i, name := range t.files {
		if p := t.schema.Property(name); i > 0 {
			delete(arguments, name)
		} else if p != nil {
			arguments[name] = example(name, p.Schema, true, exampleDepth)
		}
	}
	return arguments
}

// unsourced reports an argument that an upload has only where site.media lists
// something, which it does not; false for any other.
func (b *toolBuilder) unsourced(f *file, path Text) bool {
	for _, a := range b.candidate.op.SourceArgs() {
		if a.Name != path.Value {
			continue
		}
		if a.In == generate.InFilePath {
			b.fail(f, path.Pos, "say below which directories: site: { media: { roots: [/srv/media] } }", "%s is the path of a file, and site.media lists no roots to take it from", path.Value)
		} else {
			b.fail(f, path.Pos, "say on which: site: { media: { hosts: [images.example] } }", "%s is the address of a file, and site.media lists no hosts to take it from", path.Value)
		}
		return true
	}
	return false
}

// Noted is the value of an argument as it may be written down. An address that a
// file is fetched from lacks its query, whose values may be secrets.
func (t *Tool) Noted(name string, v any) any {
	a := t.op.Arg(t.siteName(name))
	text, isText := v.(string)
	if a == nil || !isText || !t.op.GivesFile(*a) || a.In == generate.InFile || a.In == generate.InFilePath {
		return v
	}
	return wp.ShownAddress(text)
}
