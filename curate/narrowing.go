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
			a.find(e.file, "no-tools", SeverityWarning, e.name.Pos, "give tools one of its groups, or leave the profile out", "the profile %s serves nothing: no tool is left", e.name.Value)
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

// compareWith reports everything a profile's entry widens, at its place, with
// both values (curation.md, principles 5 and 7).
func (b *toolBuilder) compareWith(base *toolBuilder, mine *entry) {
	f := b.sets[len(b.sets)-1].file
	report := func(arg string, format string, args ...any) {
		b.fail(f, mine.placeOf(b.candidate.op, base.tool, arg), "a profile may only narrow what its tools do", format, args...)
	}
	own := base.tool.schema
	for _, v := range b.visible {
		arg := b.tool.siteName(v.Name)
		was := own.Property(base.tool.modelName(arg))
		switch {
		case !base.tool.shows(arg):
			report(arg, "the profile shows %s, which %s", v.Name, base.tool.withholds(arg))
		case was.Required && !v.Required && !b.tool.sends(arg):
			report(arg, "%s cannot be optional: %s requires it", v.Name, base.tool.Name)
		default:
			if wider := widened(was.Schema, v.Schema); wider != "" {
				report(arg, "%s: %s", v.Name, wider)
			}
		}
	}
	for _, p := range own.Properties {
		if arg := base.tool.siteName(p.Name); p.Required && !b.tool.shows(arg) && !b.tool.sends(arg) {
			report(arg, "%s cannot be hidden without a value: %s requires it", p.Name, base.tool.Name)
		}
	}
	if b.extra != nil && base.extra == nil {
		report("", "the profile takes arguments that %s does not name", base.tool.Name)
	}
	b.compareSent(base, report)
	for _, name := range slices.Sorted(maps.Keys(base.tool.inner)) {
		if !b.tool.sends(name) { // as a whole, and compared as one
			compareInner(name, base.tool.inner[name], b.tool.inner[name], report)
		}
	}
	b.compareResult(base, report)
	if asks := []string{"never", "destructive", "writes", "always"}; slices.Index(asks, b.confirm) < slices.Index(asks, base.confirm) {
		report("", "confirm: %s asks less than the tool's own, %s", b.confirm, base.confirm)
	}
}

// compareResult reports what a profile leaves of an answer and the tool does
// not.
func (b *toolBuilder) compareResult(base *toolBuilder, report func(arg, format string, args ...any)) {
	now, was := b.tool.Result, base.tool.Result
	if len(now.Pick) == 0 && len(was.Pick) > 0 {
		report("", "the profile picks everything, and %s only %s", base.tool.Name, strings.Join(was.Pick, ", "))
	}
	for _, path := range now.Pick {
		if len(was.Pick) > 0 && !slices.ContainsFunc(was.Pick, func(p string) bool { return path == p || strings.HasPrefix(path, p+".") }) {
			report("", "the profile picks %s, and %s only %s", path, base.tool.Name, strings.Join(was.Pick, ", "))
		}
	}
	if now.MaxBytes > was.MaxBytes {
		report("", "max_bytes %d is wider than the tool's own, %d", now.MaxBytes, was.MaxBytes)
	}
	if was.MaxText > 0 && (now.MaxText == 0 || now.MaxText > was.MaxText) {
		report("", "max_text %d is wider than the tool's own, %d", now.MaxText, was.MaxText)
	}
	if now.Raw && !was.Raw {
		report("", "raw gives more than %s does", base.tool.Name)
	}
	for _, path := range was.Drop {
		if !slices.ContainsFunc(now.Drop, func(p []string) bool { return slices.Equal(p, path) }) {
			report("", "the profile gives %s, which %s drops", strings.Join(path, "."), base.tool.Name)
		}
	}
}

// compareInner reports values that are fixed inside of arguments, and that a
// profile sends otherwise. What is shown there is compared by its schema.
func compareInner(at string, was, now *members, report func(arg, format string, args ...any)) {
	if was == nil {
		return
	}
	if now == nil {
		now = &members{}
	}
	for _, v := range was.fixed {
		if !slices.ContainsFunc(now.fixed, func(own fixedValue) bool { return own.arg == v.arg && encoded(own.value) == encoded(v.value) }) {
			report(at, "the profile does not send %s.%s as %s", at, v.arg, brief(v.value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was.inner)) {
		compareInner(at+"."+name, was.inner[name], now.inner[name], report)
	}
	compareInner(at+"[]", was.items, now.items, report)
}

// compareSent reports values that are sent without being asked for and are not
// the tool's own, or that it does not take.
func (b *toolBuilder) compareSent(base *toolBuilder, report func(arg, format string, args ...any)) {
	sent := map[string]any{}
	for _, v := range slices.Concat(b.tool.defaults, b.tool.fixed) {
		sent[v.arg] = v.value
	}
	for _, v := range slices.Concat(base.tool.defaults, base.tool.fixed) {
		if now := sent[v.arg]; !base.tool.shows(v.arg) && !b.tool.shows(v.arg) && encoded(now) != encoded(v.value) {
			report(v.arg, "the profile sends %s as %s, and %s as %s", v.arg, brief(now), base.tool.Name, brief(v.value))
		}
	}
	for _, arg := range slices.Sorted(maps.Keys(sent)) {
		if !base.tool.shows(arg) {
			continue
		}
		if was := base.tool.schema.Property(base.tool.modelName(arg)).Schema; !was.Takes(sent[arg]) {
			report(arg, "the profile sends %s as %s, which %s does not take", arg, brief(sent[arg]), base.tool.Name)
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
