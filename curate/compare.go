package curate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

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
		if arg := base.tool.siteName(p.Name); p.Required && !slices.Contains(base.tool.own, p.Name) && !b.tool.shows(arg) && !b.tool.sends(arg) {
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
	if base.tool.Asks() && b.tool.Confirm.WithoutElicitation == TwoStep && base.tool.Confirm.WithoutElicitation != TwoStep {
		report("", "confirm: two_step asks less than the tool's own, refuse")
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
		within := func(p string) bool { return path == p || strings.HasPrefix(path, p+".") }
		switch {
		case len(was.Pick) > 0 && !slices.ContainsFunc(was.Pick, within):
			report("", "the profile picks %s, and %s only %s", path, base.tool.Name, strings.Join(was.Pick, ", "))
		case linked(path) && !was.Raw && !slices.ContainsFunc(was.Pick, func(p string) bool { return within(p) && linked(p) }):
			report("", "the profile picks %s, which %s leaves out", path, base.tool.Name)
		}
	}
	// What is converted has no attributes and no comments any more.
	if keeps := []HTML{TextHTML, Markdown, KeepHTML}; !was.Raw && slices.Index(keeps, cmp.Or(now.HTML, KeepHTML)) > slices.Index(keeps, cmp.Or(was.HTML, KeepHTML)) {
		report("", "html: %s keeps more than the tool's own, %s", cmp.Or(now.HTML, KeepHTML), was.HTML)
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

// linked reports a path to what goes unless it is named.
func linked(path string) bool { return slices.ContainsFunc(strings.Split(path, "."), Unasked) }

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
