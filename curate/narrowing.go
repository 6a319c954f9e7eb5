package curate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/generate"
	"toolpress/generate/clients"
)

// entry is what the endpoint says of a tool, or nil.
func (e *endpoint) entry(name string) *entry {
	for i := range e.tools {
		if e.tools[i].name.Value == name {
			return &e.tools[i]
		}
	}
	return nil
}

// checkProfiles reports profiles that serve nothing, one by one where others
// serve something, and what is wrong with each.
func (a *application) checkProfiles(endpoints []*endpoint, profiles map[string]*Profile) {
	empty := func(e *endpoint) bool { return len(e.made) == 0 }
	none := !slices.ContainsFunc(endpoints, func(e *endpoint) bool { return !empty(e) })
	if outer := a.layers[len(a.layers)-1]; none {
		a.find(outer, "no-tools", SeverityWarning, Pos{File: outer.reader.name}, "expose something, or name a tool below tools", "nothing is served: no tool is left")
	}
	a.checkNames(endpoints)
	for _, e := range endpoints {
		if e.file == nil || e.file.preset {
			continue
		}
		if empty(e) && !none {
			hint := "give tools one of its groups, or leave the profile out"
			if len(e.denied) > 0 {
				hint = "give it a user who may call its tools, or leave the profile out"
			}
			a.find(e.file, "no-tools", SeverityWarning, e.name.Pos, hint, "the profile %s serves nothing: no tool is left", e.name.Value)
		}
		a.checkProfile(e, profiles[e.name.Value])
	}
}

// checkNames reports tools whose name is too long together with the server's,
// where that is written.
func (a *application) checkNames(endpoints []*endpoint) {
	server := a.server.Name
	if server.Value == "" {
		return
	}
	for _, e := range endpoints {
		for _, m := range e.made {
			if len(server.Value)+len(m.tool.Name) > clients.LongestName {
				a.share(a.fileOf(server.Pos), server.Pos, m.tool.Name, "name-length", "shorten them, or the server's name",
					fmt.Sprintf("with the server's name, %s, these have more than %d characters, and Cursor leaves them out", server.Value, clients.LongestName))
			}
		}
	}
}

// checkProfile reports budgets that are passed and entries that speak of no
// tool the endpoint has.
func (a *application) checkProfile(e *endpoint, p *Profile) {
	if most := e.maxTools; most != nil && len(p.Tools) > most.value {
		a.find(e.file, "over-budget", SeverityWarning, most.pos, "", "the profile serves %d tools, %d more than its max_tools", len(p.Tools), len(p.Tools)-most.value)
	}
	if most := e.maxTokens; most != nil && p.Tokens() > most.value {
		a.find(e.file, "over-budget", SeverityWarning, most.pos, "", "the profile's tools take about %d tokens, more than its max_tokens", p.Tokens())
	}
	for i := range e.tools {
		mine := &e.tools[i]
		c := a.candidates[mine.name.Value]
		switch {
		case c == nil:
			a.find(e.file, "never-matched", SeverityWarning, mine.name.Pos, didYouMean(mine.name.Value, slices.Sorted(maps.Keys(a.candidates))), "there is no tool %q", mine.name.Value)
		case c.op != nil && !e.spoken[mine]:
			a.find(e.file, "never-matched", SeverityWarning, mine.name.Pos, "remove the entry", "the profile %s does not serve %s anyway", p.Name, mine.name.Value)
		}
	}
}

// placeOf is where the entry speaks of an argument; the entry itself where it
// does not.
func (e *entry) placeOf(op *generate.Operation, base *Tool, arg string) Pos {
	a := generate.Arg{Name: arg, Wire: arg}
	if known := op.Arg(arg); known != nil {
		a = *known
	}
	for _, s := range e.set.args {
		top := s.name.Value[:cmp.Or(max(strings.IndexAny(s.name.Value, ".["), 0), len(s.name.Value))]
		if speaksOf(s.name.Value, a) || top == a.Name || top == base.modelName(arg) {
			return s.name.Pos
		}
	}
	return e.name.Pos
}

// siteName is the operation's name of an argument that the model sees.
func (t *Tool) siteName(name string) string {
	for _, pair := range t.renamed {
		if pair[0] == name {
			return pair[1]
		}
	}
	return name
}

// shows reports that the model sees an argument, by the operation's name of it.
func (t *Tool) shows(arg string) bool {
	return slices.ContainsFunc(t.renamed, func(p [2]string) bool { return p[1] == arg })
}

// sends reports that the tool has a value for an argument that is not given.
func (t *Tool) sends(arg string) bool {
	return slices.ContainsFunc(slices.Concat(t.defaults, t.fixed), func(v fixedValue) bool { return v.arg == arg })
}

// withholds says what the tool does with an argument it does not show.
func (t *Tool) withholds(arg string) string {
	for _, v := range slices.Concat(t.fixed, t.defaults) {
		if v.arg == arg {
			return fmt.Sprintf("%s always sends as %s", t.Name, brief(v.value))
		}
	}
	return t.Name + " hides"
}
