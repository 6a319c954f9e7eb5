package curate

import (
	"regexp"

	"gopkg.in/yaml.v3"
)

// DefaultProfile is the profile served at /mcp.
const DefaultProfile = "default"

func (r *reader) groupList(n *yaml.Node) []group {
	var list []group
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "", "groups must be a mapping of names, not %s", kind(n))
		return nil
	}
	r.pairs(n, func(k, v *yaml.Node) {
		g := group{name: Text{Value: k.Value, Pos: r.pos(k)}}
		r.mapping(v, "a group", keys{
			"describe": func(_, v *yaml.Node) {
				t, _ := r.text(v, "describe")
				g.describe = t.Value
			},
			"scopes": func(k, v *yaml.Node) {
				r.unenforced(k)
				g.scopes = r.scopes(v, "scopes")
			},
		})
		list = append(list, g)
	})
	return list
}

func (r *reader) profileList(n *yaml.Node) *profiles {
	const hint = "write profiles: { default: { groups: [read] } }"
	switch n = r.resolve(n); {
	case n.Kind != yaml.MappingNode:
		r.fail(n, hint, "profiles must be a mapping of names, not %s", kind(n))
		return nil
	case len(n.Content) == 0:
		r.fail(n, hint, "profiles has no profile, and nothing would be served")
		return nil
	}
	p := &profiles{}
	r.pairs(n, func(k, v *yaml.Node) {
		if !profileName.MatchString(k.Value) {
			r.fail(k, "a name has 1 to 64 of the characters a-z, 0-9, _ and -: it is part of an address, /mcp/editor", "%q is no name of a profile", short(k.Value))
		}
		one := profile{name: Text{Value: k.Value, Pos: r.pos(k)}}
		r.mapping(v, "a profile", r.profileKeys(&one))
		p.list = append(p.list, one)
	})
	return p
}

var (
	profileName = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)
	variable    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func (r *reader) profileKeys(p *profile) keys {
	return keys{
		"groups":     func(_, v *yaml.Node) { p.groups = r.texts(v, "groups") },
		"max_tools":  func(_, v *yaml.Node) { p.maxTools = r.number(v, "max_tools", 1) },
		"max_tokens": func(_, v *yaml.Node) { p.maxTokens = r.number(v, "max_tokens", 1) },
		"read_only":  func(_, v *yaml.Node) { p.readOnly, _ = r.boolean(v, "read_only") },
		"require_scopes": func(k, v *yaml.Node) {
			r.unenforced(k)
			p.requireScopes = r.scopes(v, "require_scopes")
		},
		"token_env": func(_, v *yaml.Node) { p.tokenEnv = r.variables(v, "token_env") },
		"token_file": func(_, v *yaml.Node) {
			r.unseen(func() {
				var ok bool
				if p.tokenFile, ok = r.text(v, "token_file"); ok && p.tokenFile.Value == "" {
					r.fail(v, "write the name of a file that holds one token a line", "token_file names no file")
				}
			})
		},
		"auth":  func(_, v *yaml.Node) { r.profileAuth(&p.auth, v) },
		"tools": func(_, v *yaml.Node) { p.tools = r.narrowings(v) },
	}
}

// variables reads names of environment variables. What is none may be a secret
// itself, and is not shown.
func (r *reader) variables(n *yaml.Node, what string) []Text {
	var list []Text
	r.unseen(func() {
		list = r.texts(n, what)
		if len(list) == 0 && r.resolve(n).Kind == yaml.SequenceNode {
			r.fail(n, "leave the key out, and the server's own token is asked for", "%s names no variable", what)
		}
		for _, t := range list {
			if !variable.MatchString(t.Value) {
				r.add(t.Pos, "a token is never written into this file: put it into the environment and name the variable", "%s must be the name of an environment variable", what)
			}
		}
	})
	return list
}

// profileAuth reads whose account a profile's calls use: all of it, since what
// is missing would be the default profile's.
func (r *reader) profileAuth(a *Auth, n *yaml.Node) {
	r.auth(a, n, "a profile's auth")
	token := a.TokenEnv.Value != "" || a.TokenFile.Value != ""
	password := a.PasswordEnv.Value != "" || a.PasswordFile.Value != ""
	user := a.UserEnv.Value != ""
	both := a.PasswordEnv.Value != "" && a.PasswordFile.Value != "" || a.TokenEnv.Value != "" && a.TokenFile.Value != ""
	if r.resolve(n).Kind != yaml.MappingNode || token && !user && !password && !both || !token && user && password && !both {
		return
	}
	r.unseen(func() {
		r.fail(n, "write { user_env: …, password_env: … }, { user_env: …, password_file: … }, { token_env: … } or { token_file: … }",
			"a profile's auth is a user and a password, or a token")
	})
}

// narrowings reads what a profile makes of tools that are there: nothing here
// chooses an operation.
func (r *reader) narrowings(n *yaml.Node) []entry {
	var list []entry
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "tools is a mapping: the key is the tool's name", "tools must be a mapping of names, not %s", kind(n))
		return nil
	}
	r.pairs(n, func(k, v *yaml.Node) {
		e := entry{name: Text{Value: k.Value, Pos: r.pos(k)}}
		if e.drop = r.isFalse(v); !e.drop {
			all, known := r.settingsKeys(&e.set), keys{}
			for _, key := range []string{"title", "description", "args", "result", "confirm"} {
				known[key] = all[key]
			}
			r.mapping(v, "a profile's tool", known)
		}
		list = append(list, e)
	})
	return list
}

// isFalse reports the false that drops a tool.
func (r *reader) isFalse(n *yaml.Node) bool {
	n = r.resolve(n)
	return n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && n.Value == "false"
}

// scopeToken is a scope as RFC 6749, section 3.3 has it.
var scopeToken = regexp.MustCompile(`^[\x21\x23-\x5B\x5D-\x7E]{1,128}$`)

func (r *reader) scopes(n *yaml.Node, what string) []Text {
	list := r.texts(n, what)
	for _, t := range list {
		if !scopeToken.MatchString(t.Value) {
			r.add(t.Pos, "write it like posts:write", "%q is no scope", short(t.Value))
		}
	}
	return list
}
