package curate

import (
	"regexp"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

var (
	serverName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	prefix     = regexp.MustCompile(`^[a-zA-Z0-9_-]{0,32}$`)
	// language is a tag of BCP 47: a language, and what narrows it.
	language = regexp.MustCompile(`^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$`)
)

// maxInstructions bounds server.instructions, in characters: they are in the
// context of every conversation.
const maxInstructions = 2000

func (r *reader) server(s *ServerSettings, n *yaml.Node) {
	spelt := func(into *Text, what string, as *regexp.Regexp, hint string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) {
			t, ok := r.text(v, what)
			switch {
			case !ok:
			case !as.MatchString(t.Value):
				r.fail(v, hint, "%q is no %s", short(t.Value), what)
			default:
				*into = t
			}
		}
	}
	r.mapping(n, "server", keys{
		"name":   spelt(&s.Name, "server.name", serverName, "a name has 1 to 64 of the characters a-z, A-Z, 0-9, _ and -"),
		"prefix": spelt(&s.Prefix, "server.prefix", prefix, "a prefix has at most 32 of the characters a-z, A-Z, 0-9, _ and -"),
		"lang":   spelt(&s.Lang, "server.lang", language, "write it like en or pt-BR"),
		"instructions": func(_, v *yaml.Node) {
			t := r.words(v, "instructions")
			if t == nil {
				return
			}
			if n := utf8.RuneCountInString(t.Value); n > maxInstructions {
				r.fail(v, "say what holds for every tool; the rest belongs into descriptions", "instructions have %d characters, and at most %d are sent", n, maxInstructions)
			}
			s.Instructions = *t
		},
	})
}

// Server merges what the layers say about the server; a later layer wins, also
// with an empty prefix.
func (c *Curation) Server() ServerSettings { return serverOf(c.layers) }

func serverOf(layers []*file) ServerSettings {
	var s ServerSettings
	for _, f := range layers {
		for _, t := range []struct{ into, from *Text }{
			{&s.Name, &f.server.Name},
			{&s.Prefix, &f.server.Prefix},
			{&s.Instructions, &f.server.Instructions},
			{&s.Lang, &f.server.Lang},
		} {
			if t.from.Pos.Line > 0 {
				*t.into = *t.from
			}
		}
	}
	return s
}
