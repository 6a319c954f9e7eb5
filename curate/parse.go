package curate

import (
	"regexp"
	"slices"

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
			r.secretKeys(v, "site.woocommerce", keys{"key_env": r.variable(&s.KeyEnv, "key_env"), "secret_env": r.variable(&s.SecretEnv, "secret_env")})
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
	r.secretKeys(n, what, keys{
		"user_env": r.variable(&a.UserEnv, "user_env"), "password_env": r.variable(&a.PasswordEnv, "password_env"),
		"password_file": into(&a.PasswordFile, "password_file"),
		"token_env":     r.variable(&a.TokenEnv, "token_env"), "token_file": into(&a.TokenFile, "token_file"),
	})
}

// secretKeys reads a mapping in whose place somebody may have written a secret.
func (r *reader) secretKeys(n *yaml.Node, what string, known keys) {
	r.unseen(func() {
		if n = r.resolve(n); n.Kind == yaml.ScalarNode {
			r.fail(n, unknownKeys[what], "%s must be a mapping of keys", what)
			return
		}
		r.mapping(n, what, known)
	})
}

// variable reads the name of an environment variable. What is none may be a
// secret itself, and is not shown.
func (r *reader) variable(into *Text, what string) func(k, v *yaml.Node) {
	return func(_, v *yaml.Node) {
		t, ok := r.text(v, what)
		if *into = t; ok && !variable.MatchString(t.Value) {
			r.fail(v, "a secret is never written into this file: put it into the environment and name the variable", "%s must be the name of an environment variable", what)
		}
	}
}

func (r *reader) number(n *yaml.Node, what string, least int) *number {
	if i, ok := r.count(n, what, least); ok {
		return &number{value: i, pos: r.pos(n)}
	}
	return nil
}
