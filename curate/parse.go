package curate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Curation is a curation file with everything it extends.
type Curation struct {
	layers []*file // in the order they apply; the file itself is last
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

// Site merges what the layers say about the site; a later layer wins.
func (c *Curation) Site() SiteSettings {
	var s SiteSettings
	for _, f := range c.layers {
		for _, t := range []struct{ into, from *Text }{
			{&s.URL, &f.site.URL},
			{&s.UserEnv, &f.site.UserEnv},
			{&s.PasswordEnv, &f.site.PasswordEnv},
			{&s.PasswordFile, &f.site.PasswordFile},
			{&s.TokenEnv, &f.site.TokenEnv},
			{&s.TokenFile, &f.site.TokenFile},
			{&s.KeyEnv, &f.site.KeyEnv},
			{&s.SecretEnv, &f.site.SecretEnv},
			{&s.Host, &f.site.Host},
			{&s.CAFile, &f.site.CAFile},
		} {
			if t.from.Value != "" {
				*t.into = *t.from
			}
		}
		if f.site.Poll > 0 {
			s.Poll = f.site.Poll
		}
		if f.site.Timeout > 0 {
			s.Timeout = f.site.Timeout
		}
		if f.site.MaxResponse > 0 {
			s.MaxResponse = f.site.MaxResponse
		}
	}
	return s
}

// parser reads a file and what it extends.
type parser struct {
	open     Open
	findings Findings
	seen     map[string]bool // files read, so that none applies twice
}

func (p *parser) file(name string, data []byte, preset bool, within []string) *file {
	f := &file{reader: &reader{name: name, lines: strings.Split(string(data), "\n")}, preset: preset}
	p.seen[name] = true
	if root := f.reader.document(data); root != nil {
		p.top(f, root, append(within, name))
	}
	f.reader.hide()
	p.findings = append(p.findings, f.reader.findings...)
	return f
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
	}, "lock", "workflows", "prompts", "resources", "overlays")
	if !versioned {
		r.fail(root, "write version: 1 at the top", "the version is missing")
	}
}

// extends reads the earlier layers a file names.
func (p *parser) extends(f *file, n *yaml.Node, within []string) {
	r := f.reader
	for _, item := range r.items(n) {
		t, ok := r.text(item, "an entry of extends")
		if !ok {
			continue
		}
		if preset, is := strings.CutPrefix(t.Value, "preset:"); is {
			data, err := Preset(preset)
			if err != nil {
				r.fail(item, didYouMean(t.Value, presetNames("preset:")), "there is no preset %q; this toolpress has %s", preset, strings.Join(presetNames(""), ", "))
				continue
			}
			if !p.seen[t.Value] {
				f.extends = append(f.extends, p.file(t.Value, data, true, within))
			}
			continue
		}
		name := t.Value
		if !path.IsAbs(name) {
			name = path.Join(path.Dir(f.reader.name), name)
		}
		switch {
		case slices.Contains(within, name):
			r.fail(item, "", "%s extends itself, by way of %s", name, strings.Join(within, ", "))
			continue
		case p.seen[name]:
			continue
		case p.open == nil:
			r.fail(item, "", "files cannot be extended here")
			continue
		}
		data, err := p.open(name)
		if err != nil {
			r.fail(item, "the name is relative to "+f.reader.name, "reading %s: %v", name, err)
			continue
		}
		f.extends = append(f.extends, p.file(name, data, f.preset, within))
	}
}

var hostName = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:\d{1,5})?$`)

func (r *reader) site(s *SiteSettings, n *yaml.Node) {
	into := func(t *Text, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *t, _ = r.text(v, what) }
	}
	r.mapping(n, "site", keys{
		"url": into(&s.URL, "site.url"), "ca_file": into(&s.CAFile, "site.ca_file"),
		"poll": func(_, v *yaml.Node) { s.Poll, _ = r.duration(v, "site.poll") },
		"auth": func(_, v *yaml.Node) { r.auth(&s.Auth, v, "site.auth") },
		"upstream": func(_, v *yaml.Node) {
			r.mapping(v, "site.upstream", keys{
				"timeout":      func(_, v *yaml.Node) { s.Timeout, _ = r.duration(v, "timeout") },
				"max_response": func(_, v *yaml.Node) { s.MaxResponse, _ = r.size(v, "max_response") },
			}, "rate", "burst", "concurrency")
		},
		"woocommerce": func(_, v *yaml.Node) {
			r.unseen(func() {
				r.mapping(v, "site.woocommerce", keys{"key_env": into(&s.KeyEnv, "key_env"), "secret_env": into(&s.SecretEnv, "secret_env")})
			})
		},
		"host": func(_, v *yaml.Node) {
			if s.Host, _ = r.text(v, "site.host"); !hostName.MatchString(s.Host.Value) {
				r.fail(v, "write it like shop.example", "%s is not a host's name", kind(r.resolve(v)))
			}
		},
	}, "locale", "webhook", "media")
}

// auth reads where a credential is kept.
func (r *reader) auth(a *Auth, n *yaml.Node, what string) {
	into := func(t *Text, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *t, _ = r.text(v, what) }
	}
	r.unseen(func() {
		r.mapping(n, what, keys{
			"user_env": into(&a.UserEnv, "user_env"), "password_env": into(&a.PasswordEnv, "password_env"),
			"password_file": into(&a.PasswordFile, "password_file"),
			"token_env":     into(&a.TokenEnv, "token_env"), "token_file": into(&a.TokenFile, "token_file"),
		})
	})
}

func (r *reader) number(n *yaml.Node, what string, least int) *number {
	if i, ok := r.count(n, what, least); ok {
		return &number{value: i, pos: r.pos(n)}
	}
	return nil
}
