package curate

import (
	"fmt"
	"maps"
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
			{&s.URL, &f.site.URL}, {&s.UserEnv, &f.site.UserEnv}, {&s.PasswordEnv, &f.site.PasswordEnv}, {&s.PasswordFile, &f.site.PasswordFile},
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
		"site":     func(k, v *yaml.Node) { r.site(&f.site, v) },
		"expose":   func(k, v *yaml.Node) { f.expose = r.exposes(v) },
		"exclude":  func(k, v *yaml.Node) { f.exclude = r.excludes(v) },
		"defaults": func(k, v *yaml.Node) { r.defaults(&f.defaults, v) },
		"rules":    func(k, v *yaml.Node) { f.rules = r.rules(v) },
		"tools":    func(k, v *yaml.Node) { f.tools = r.tools(v) },
		"groups":   func(k, v *yaml.Node) { f.groups = r.groupList(v) },
		"profiles": func(k, v *yaml.Node) { f.profiles = r.profileList(k, v) },
	}, "server", "private", "lock", "allow", "workflows", "prompts", "resources", "overlays")
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

func (r *reader) site(s *SiteSettings, n *yaml.Node) {
	into := func(t *Text, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *t, _ = r.text(v, what) }
	}
	secret := func(k, v *yaml.Node) {
		r.fail(k, "put it into the environment and name the variable: password_env: WP_PASSWORD", "a secret is never written into this file")
	}
	r.mapping(n, "site", keys{
		"url":  into(&s.URL, "site.url"),
		"poll": func(_, v *yaml.Node) { s.Poll, _ = r.duration(v, "site.poll") },
		"auth": func(_, v *yaml.Node) {
			r.mapping(v, "site.auth", keys{
				"user_env": into(&s.UserEnv, "user_env"), "password_env": into(&s.PasswordEnv, "password_env"),
				"password_file": into(&s.PasswordFile, "password_file"), "password": secret, "token": secret,
			}, "token_env", "token_file")
		},
		"upstream": func(_, v *yaml.Node) {
			r.mapping(v, "site.upstream", keys{
				"timeout":      func(_, v *yaml.Node) { s.Timeout, _ = r.duration(v, "timeout") },
				"max_response": func(_, v *yaml.Node) { s.MaxResponse, _ = r.size(v, "max_response") },
			}, "rate", "burst", "concurrency")
		},
	}, "woocommerce", "host", "ca_file", "locale", "webhook", "media")
}

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
			"set":   func(_, v *yaml.Node) { r.mapping(v, "set", r.settingsKeys(&one.set), laterSettings...) },
		})
		if !matched && r.resolve(item).Kind == yaml.MappingNode {
			r.fail(item, "a rule is { match: {…}, set: {…} }", "a rule without match")
			continue
		}
		list = append(list, one)
	}
	return list
}

func (r *reader) groupList(n *yaml.Node) []group {
	var list []group
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "", "groups must be a mapping of names, not %s", kind(n))
		return nil
	}
	r.pairs(n, func(k, v *yaml.Node) {
		g := group{name: Text{Value: k.Value, Pos: r.pos(k)}}
		r.mapping(v, "a group", keys{"describe": func(_, v *yaml.Node) {
			t, _ := r.text(v, "describe")
			g.describe = t.Value
		}}, "scopes")
		list = append(list, g)
	})
	return list
}

func (r *reader) profileList(key, n *yaml.Node) *profiles {
	p := &profiles{pos: r.pos(key)}
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "", "profiles must be a mapping of names, not %s", kind(n))
		return nil
	}
	r.pairs(n, func(k, v *yaml.Node) {
		if k.Value != DefaultProfile {
			r.fail(k, "the one profile of this version is default", "the profile %q is not supported yet", k.Value)
			return
		}
		r.mapping(v, "a profile", keys{
			"groups":     func(_, v *yaml.Node) { p.def.groups = r.texts(v, "groups") },
			"max_tools":  func(_, v *yaml.Node) { p.def.maxTools = r.number(v, "max_tools", 1) },
			"max_tokens": func(_, v *yaml.Node) { p.def.maxTokens = r.number(v, "max_tokens", 1) },
		}, "require_scopes", "token_env", "token_file", "auth", "read_only", "tools")
	})
	return p
}

func (r *reader) number(n *yaml.Node, what string, least int) *number {
	if i, ok := r.count(n, what, least); ok {
		return &number{value: i, pos: r.pos(n)}
	}
	return nil
}

var (
	toolName  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	routeID   = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) /[^\s()\\]*$`)
	abilityID = regexp.MustCompile(`^ability:[^\s/]+(/[^\s/]+)+$`)
)

// identity reads what a tool comes from.
func (r *reader) identity(n *yaml.Node) (Text, bool) {
	if n.Kind == yaml.MappingNode {
		r.fail(n, "", "from: {…} is not supported yet")
		return Text{}, false
	}
	t, ok := r.text(n, "from")
	if !ok {
		return t, false
	}
	if !routeID.MatchString(t.Value) && !abilityID.MatchString(t.Value) {
		r.fail(n, spelling(t.Value), "%q names no operation", t.Value)
		return t, false
	}
	return t, true
}

var methodAndPath = regexp.MustCompile(`(?i)^\s*(?:(get|post|put|patch|delete)\s+)?(?:https?://[^/]+)?(?:/?wp-json)?/?(\S+/\S+)$`)

// spelling is the hint for an identity that is not spelt as one.
func spelling(written string) string {
	m := methodAndPath.FindStringSubmatch(written)
	if strings.Contains(written, "(?P<") {
		return "write a placeholder as {name}: /wp/v2/posts/{id}"
	}
	if m == nil || strings.Contains(written, ":") && !strings.Contains(written, "://") {
		return `it looks like "GET /wp/v2/posts/{id}" or "ability:acme/search"`
	}
	method := strings.ToUpper(m[1])
	if method == "" {
		method = "GET"
	}
	return fmt.Sprintf("write %q", method+" /"+m[2])
}

// DefaultProfile is the profile served at /mcp.
const DefaultProfile = "default"
