package curate

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"
)

// policyKeys read how a tool may be used.
func (r *reader) policyKeys(s *settings) keys {
	return r.noted(&s.at, "", keys{
		"annotations": func(_, v *yaml.Node) { r.annotations(s, v) },
		"scopes": func(k, v *yaml.Node) {
			r.unenforced(k)
			if s.scopes = r.scopes(v, "scopes"); s.scopes == nil {
				s.scopes = []Text{}
			}
		},
		"idempotency":   func(k, v *yaml.Node) { r.idempotency(s, k, v) },
		"if_unmodified": func(k, v *yaml.Node) { r.unmodified(s, k, v) },
		"calls":         func(_, v *yaml.Node) { s.calls = r.rate(v, "calls") },
		"cache":         func(_, v *yaml.Node) { s.cache = r.span(v, "cache", time.Second, 24*time.Hour, "from 1s to 24h") },
		"timeout":       func(_, v *yaml.Node) { s.timeout = r.span(v, "timeout", time.Second, 10*time.Minute, "from 1s to 10m") },
	})
}

// unenforced remembers a key that the catalog carries and nothing enforces yet.
func (r *reader) unenforced(k *yaml.Node) {
	if !slices.ContainsFunc(r.carried, func(t Text) bool { return t.Value == k.Value }) {
		r.carried = append(r.carried, Text{Value: k.Value, Pos: r.pos(k)})
	}
}

func (r *reader) annotations(s *settings, n *yaml.Node) {
	into := func(f **claim, what string) func(k, v *yaml.Node) {
		return func(k, v *yaml.Node) {
			if b, ok := r.boolean(v, what); ok {
				*f = &claim{value: b, pos: r.pos(k)}
			}
		}
	}
	r.mapping(n, "annotations", r.noted(&s.at, "annotations.", keys{
		"read_only": into(&s.readOnly, "read_only"), "destructive": into(&s.destructive, "destructive"),
		"idempotent": into(&s.idempotent, "idempotent"), "open_world": into(&s.openWorld, "open_world"),
	}))
}

// argumentNameHint says how the name of an argument is written.
const argumentNameHint = "a name begins with a letter or _ and has at most 64 of the characters a-z, A-Z, 0-9 and _"

var (
	argumentName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`)
	rates        = regexp.MustCompile(`^([1-9]\d{0,5})/([smhd])$`)
	// headerName is a token as RFC 9110, section 5.6.2 has it.
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$")
)

// rate reads calls in a time: 10/m.
func (r *reader) rate(n *yaml.Node, what string) *Rate {
	n = r.resolve(n)
	m := rates.FindStringSubmatch(n.Value)
	if n.Kind != yaml.ScalarNode || m == nil {
		r.fail(n, "write it like 10/m: 1 to 999999 in a second, minute, hour or day (s, m, h, d)", "%s must be a number of calls in a time, not %s", what, kind(n))
		return nil
	}
	calls, _ := strconv.Atoi(m[1])
	return &Rate{Calls: calls, Per: map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[m[2]]}
}

// span reads a duration within bounds.
func (r *reader) span(n *yaml.Node, what string, least, most time.Duration, bounds string) *span {
	d, ok := r.duration(n, what)
	if ok && (d < least || d > most) {
		r.fail(n, "", "%s must be %s, not %s", what, bounds, kind(r.resolve(n)))
	}
	if !ok {
		return nil
	}
	return &span{value: d, pos: r.pos(n)}
}

// header reads the name of a header that carries an argument besides.
func (r *reader) header(a *argSettings, n *yaml.Node) {
	t, ok := r.text(n, "header")
	if ok && !headerName.MatchString(t.Value) {
		r.fail(n, "write it like Region", "%q is no name of a header", short(t.Value))
	} else if ok {
		a.header = &t
	}
}

// confirm reads what a person is asked before a call.
func (r *reader) confirm(s *settings, n *yaml.Node) {
	r.mapping(n, "confirm", r.noted(&s.at, "confirm.", keys{
		"when": func(_, v *yaml.Node) {
			if t, ok := r.choice(v, "when", "never", "destructive", "writes", "always"); ok {
				s.confirm = &t
			}
		},
		"ask": func(_, v *yaml.Node) { s.ask = r.words(v, "ask") },
		"without_elicitation": func(_, v *yaml.Node) {
			if t, ok := r.choice(v, "without_elicitation", "refuse", "two_step"); ok {
				s.withoutElicitation = &t
			}
		},
		"fields": func(_, v *yaml.Node) { s.fields = r.fields(v) },
	}))
}

// secretName is a field that asks for what nobody should type into a chat.
var secretName = regexp.MustCompile(`(?i)pass(word|phrase|code)?$|secret|token|api_?key|card_?(number|no)|cvc|cvv|\bpin\b|iban`)

// LooksSecret reports whether a name is that of a password, a key or the like.
func LooksSecret(name string) bool { return secretName.MatchString(name) }

// fields reads a form: flat, as MCP's elicitation has it, and never of a secret.
func (r *reader) fields(n *yaml.Node) []Field {
	list := []Field{}
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, `write fields: { reason: { describe: "Why?" } }`, "fields must be a mapping of names, not %s", kind(n))
		return nil
	}
	r.pairs(n, func(k, v *yaml.Node) {
		f := Field{Name: k.Value, Type: "string"}
		switch {
		case !argumentName.MatchString(k.Value):
			r.fail(k, argumentNameHint, "%q is no name of a field", short(k.Value))
		case secretName.MatchString(k.Value):
			r.fail(k, "secrets stay on the site; a form may not ask for them (MCP, elicitation)", "%q asks for a secret", short(k.Value))
		}
		r.mapping(v, "a field", keys{
			"describe": func(_, v *yaml.Node) {
				if t := r.words(v, "describe"); t != nil {
					f.Describe = t.Value
				}
			},
			"type": func(_, v *yaml.Node) {
				if t, ok := r.choice(v, "type", "string", "number", "integer", "boolean"); ok {
					f.Type = t.Value
				}
			},
			"enum": func(_, v *yaml.Node) {
				for _, t := range r.texts(v, "enum") {
					f.Enum = append(f.Enum, t.Value)
				}
			},
			"required": func(_, v *yaml.Node) { f.Required, _ = r.boolean(v, "required") },
		})
		if f.Enum != nil && f.Type != "string" {
			r.fail(v, "leave type out", "choices are text, and the type of %s is %s", k.Value, f.Type)
		}
		list = append(list, f)
	})
	return list
}
