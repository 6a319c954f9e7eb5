package curate

import (
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxFiles bounds how many files a curation is made of: each may name two more,
// and a link to its own directory gives a file new names without end.
const maxFiles = 64

// parser reads a file and what it extends.
type parser struct {
	open     Open
	findings Findings
	seen     map[string]bool // files read, so that none applies twice
	full     bool            // no more files are read
}

func (p *parser) file(name string, data []byte, preset bool, within []string) *file {
	f := &file{reader: &reader{name: name, lines: linesOf(data)}, preset: preset}
	name = path.Clean(name) // as extends would write it
	p.seen[name] = true
	if root := f.reader.document(data); root != nil {
		p.top(f, root, append(within, name))
	}
	f.reader.hide()
	p.findings = append(p.findings, f.reader.findings...)
	return f
}

// extends reads the earlier layers a file names.
func (p *parser) extends(f *file, n *yaml.Node, within []string) {
	r := f.reader
	for _, item := range r.items(n) {
		t, ok := r.text(item, "an entry of extends")
		if !ok {
			continue
		}
		preset, is := strings.CutPrefix(t.Value, "preset:")
		name := t.Value
		if !is && !path.IsAbs(name) {
			name = path.Join(path.Dir(r.name), name)
		}
		switch {
		case slices.Contains(within, name):
			r.fail(item, "", "%s extends itself, by way of %s", name, strings.Join(within, ", "))
		case p.seen[name]:
		case p.full:
		case len(p.seen) == maxFiles:
			p.full = true // which is said once
			r.fail(item, "put several into one", "a curation is made of more than %d files", maxFiles)
		case is:
			if data, err := Preset(preset); err != nil {
				r.fail(item, presetHint(preset, presetNames()), "there is no preset %q; this toolpress has %s", short(preset), strings.Join(presetNames(), ", "))
			} else {
				f.extends = append(f.extends, p.file(name, data, true, within))
			}
		case t.Value == "" || strings.ContainsFunc(t.Value, unprintable):
			r.fail(item, "", "%q is no name of a file", short(t.Value))
		case strings.Contains(t.Value, "://"):
			r.fail(item, "save it beside this file, and write its name", "%s: a curation is not fetched from the network", short(t.Value))
		case p.open == nil:
			r.fail(item, "", "files cannot be extended here")
		default:
			data, err := p.open(name)
			if err != nil {
				r.fail(item, "the name is relative to "+r.name, "reading %s: %v", name, err)
				continue
			}
			f.extends = append(f.extends, p.file(name, data, f.preset, within))
		}
	}
}
