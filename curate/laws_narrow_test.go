package curate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// limits are a route whose arguments have a bound of each kind.
var limits = discover.Route{Path: "/shop/v1/limits", Pattern: "/shop/v1/limits", Namespace: "shop/v1", Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
	"count": map[string]any{"type": "integer", "minimum": json.Number("1"), "maximum": json.Number("100"), "default": json.Number("10")},
	"share": map[string]any{"type": "number", "minimum": json.Number("0"), "maximum": json.Number("9")},
	"word":  map[string]any{"type": "string", "minLength": json.Number("3"), "maxLength": json.Number("8")},
	"state": map[string]any{"type": "string", "enum": []any{"draft", "publish", "edit"}},
	"some":  map[string]any{"type": "array", "maxItems": json.Number("2"), "items": map[string]any{"type": "integer", "minimum": json.Number("1"), "maximum": json.Number("9")}},
}}}}

// drawSettings draws what is said of a few arguments, as YAML and by argument.
func drawSettings(t *rapid.T, args []generate.Arg) (string, map[string]string) {
	var texts []string
	settings := map[string]string{}
	for _, a := range args {
		settings[a.Name] = drawSetting(t, a)
		texts = append(texts, a.Name+": "+settings[a.Name])
	}
	return strings.Join(texts, ", "), settings
}

// drawSpoken draws an operation and one or two arguments of it.
func drawSpoken(t *rapid.T, surface *generate.Surface) (*generate.Operation, []generate.Arg) {
	o := rapid.SampledFrom(surface.Operations).Draw(t, "operation")
	switch rapid.IntRange(0, 3).Draw(t, "which") {
	case 0:
		o = surface.Operation("ability:shop/open")
	case 1, 2:
		o = surface.Operation("GET /shop/v1/limits")
	}
	args := slices.Clone(o.Args)
	if o.Extra != nil { // what an open ability does not list
		args = append(args, generate.Arg{Name: "admin", Schema: &schema.Schema{Types: []string{"string"}}})
	}
	if len(args) == 0 {
		return o, nil
	}
	return o, rapid.Permutation(args).Draw(t, "arguments")[:rapid.IntRange(1, min(2, len(args))).Draw(t, "number")]
}

// One or two settings of a tool, and of a profile over it, only narrow: what the
// tool takes, the site takes; what the profile's takes, the tool takes; what is
// fixed is what is sent, whatever is given; and what is hidden, fixed or renamed
// is not said by its name (curation.md, principles 4, 5 and 7).
func TestOnlyNarrows(t *testing.T) {
	site := decodedSite(t, "testdata/shop.json")
	site.Routes = append(site.Routes, append(decodedSite(t, "testdata/orders.json").Routes, limits)...)
	surface := generate.FromSite(site)
	taken, narrowed, fixed := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text, profile := "version: 1\ndefaults: { confirm: { when: never } }\ntools:\n", ""
		var args [4][]generate.Arg
		var settings [4]map[string]string
		for i := range args {
			var o *generate.Operation
			var own string
			o, args[i] = drawSpoken(t, surface)
			own, settings[i] = drawSettings(t, args[i])
			mine, _ := drawSettings(t, args[i])
			text += fmt.Sprintf("  t%d: { from: %q, args: { %s } }\n", i, o.ID, own)
			profile += fmt.Sprintf("      t%d: { args: { %s } }\n", i, mine)
		}
		text += "profiles:\n  own: {}\n  mine:\n    tools:\n" + profile
		c, err := Parse("c.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		catalog, findings := c.Apply(surface, nil)
		for i := range args {
			base, profile := catalog.Profiles["own"].Tool(fmt.Sprintf("t%d", i)), catalog.Profiles["mine"].Tool(fmt.Sprintf("t%d", i))
			if base == nil {
				continue
			}
			spoken := func(arg string) bool { return settings[i][arg] != "" }
			checkUnsaid(t, base, settings[i])
			for range 3 {
				taken += checkTaken(t, base, base.op, spoken)
				fixed += checkSent(t, base, settings[i])
				if profile != nil {
					narrowed++
					checkTaken(t, profile, base.op, spoken)
					checkNarrower(t, base, profile, findings)
				}
			}
		}
	})
	if taken == 0 || narrowed == 0 || fixed == 0 {
		t.Errorf("%d values were taken, %d tools narrowed, %d values fixed", taken, narrowed, fixed)
	}
}

// checkUnsaid asserts that what was written as hidden, fixed or renamed is not
// taken by its name.
func checkUnsaid(t *rapid.T, tool *Tool, settings map[string]string) {
	for arg, setting := range settings {
		if setting != "hidden" && !strings.Contains(setting, "fix") && !strings.Contains(setting, "rename") {
			continue
		}
		for _, value := range []any{"draft", json.Number("4"), nil, map[string]any{}} {
			text, _ := schema.Encode(map[string]any{arg: value})
			if _, err := tool.Request(text); err == nil || !strings.Contains(err.Error(), arg+" is not an argument") {
				t.Fatalf("%s is %s, and %s is taken: %v", arg, setting, text, err)
			}
		}
	}
}

// checkSent asserts that what was written as fixed is in every call that is sent,
// and returns how often.
func checkSent(t *rapid.T, tool *Tool, settings map[string]string) (found int) {
	given := map[string]any{}
	for _, p := range tool.schema.Properties {
		if p.Required || rapid.Bool().Draw(t, "given") {
			given[p.Name] = drawNear(t, p.Schema)
		}
	}
	text, _ := schema.Encode(given)
	r, err := tool.Request(text)
	if err != nil {
		return 0
	}
	for arg, setting := range settings {
		_, value, fixes := strings.Cut(setting, "fix: ")
		if a := tool.op.Arg(arg); !fixes || a != nil && a.In == generate.InPath {
			continue
		}
		values, _ := arrived(r)
		if arg == "input" { // the ability's whole input
			values = map[string]any{"input": r.Query[0].Value}
		}
		if got := fmt.Sprint(values[arg]); strings.Trim(strings.TrimPrefix(got, "map[raw:"), "[]") != strings.TrimSuffix(value, " }") {
			t.Fatalf("%s is fixed to %s, and %s sends %s: %s", arg, value, text, got, shown(r, nil))
		}
		found++
	}
	return found
}

// checkHidden asserts that what is hidden or fixed cannot be said, also where the
// tool takes arguments that nobody listed.
func checkHidden(t *rapid.T, tool *Tool, o *generate.Operation) {
	for _, a := range o.Args {
		if tool.shows(a.Name) || tool.schema.Property(a.Name) != nil {
			continue
		}
		for _, value := range []any{"x", nil, map[string]any{}} {
			text, _ := schema.Encode(map[string]any{a.Name: value})
			if _, err := tool.Request(text); err == nil || !strings.Contains(err.Error(), a.Name+" is not an argument") {
				t.Fatalf("%s takes its hidden %s: %v", tool.Name, a.Name, err)
			}
		}
	}
}

// checkTaken asserts that whatever the tool takes, the site's own schema takes:
// values at the bounds of a schema, beyond them, and any others. It returns how
// many values were taken. Of arguments that are optional only those of interest
// are given.
func checkTaken(t *rapid.T, tool *Tool, o *generate.Operation, of func(arg string) bool) int {
	arguments := map[string]any{}
	for _, p := range tool.schema.Properties {
		switch {
		case !p.Required && (!of(tool.siteName(p.Name)) || rapid.IntRange(0, 3).Draw(t, "left out") == 0):
		case rapid.IntRange(0, 2).Draw(t, "any") == 0:
			arguments[p.Name] = rapid.SampledFrom([]any{json.Number("0"), json.Number("4"), json.Number("150"), "draft", "private", "a long text", true, []any{"draft"}, []any{json.Number("1")}, drawOrderPart(t)}).Draw(t, "value")
		default:
			arguments[p.Name] = drawNear(t, p.Schema)
		}
	}
	text, _ := schema.Encode(arguments)
	if _, err := tool.Request(text); err != nil {
		return 0
	}
	wide, err := generate.InputSchema(o.Args, o.Extra).Compile()
	if err != nil {
		t.Fatal(err)
	}
	own, err := tool.check.Coerce(arguments)
	if err != nil {
		t.Fatal(err)
	}
	given := own.(map[string]any)
	for _, name := range tool.own {
		delete(given, name)
	}
	sent := tool.object(given)
	read, err := wide.Coerce(sent)
	if err == nil {
		err = wide.Validate(read)
	}
	if err != nil {
		t.Fatalf("%s takes %s, which the site does not: %v", tool.Name, text, err)
	}
	return len(arguments)
}

// drawNear draws a value that a schema may just take, or just not.
func drawNear(t *rapid.T, s *schema.Schema) any {
	if len(s.AnyOf) > 0 {
		return drawNear(t, rapid.SampledFrom(s.AnyOf).Draw(t, "variant"))
	}
	if len(s.Enum) > 0 {
		return rapid.SampledFrom(s.Enum).Draw(t, "enum")
	}
	of := "string"
	if types := s.ValueTypes(); len(types) > 0 {
		of = rapid.SampledFrom(types).Draw(t, "type")
	}
	switch of {
	case "integer", "number":
		near := []any{json.Number("0"), json.Number("5"), json.Number("101"), json.Number("1000000")}
		for _, bound := range []json.Number{s.Minimum, s.Maximum} {
			if n, err := strconv.Atoi(bound.String()); err == nil {
				near = append(near, json.Number(bound), json.Number(strconv.Itoa(n-1)), json.Number(strconv.Itoa(n+1)))
			}
		}
		return rapid.SampledFrom(near).Draw(t, "number")
	case "boolean":
		return rapid.Bool().Draw(t, "boolean")
	case "array":
		items := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			item := any("x")
			if s.Items != nil {
				item = drawNear(t, s.Items)
			}
			items = append(items, item)
		}
		return items
	case "object":
		object := map[string]any{}
		for _, p := range s.Properties {
			if p.Required || rapid.Bool().Draw(t, "there") {
				object[p.Name] = drawNear(t, p.Schema)
			}
		}
		return object
	}
	lengths := []int{1, 5}
	for _, bound := range []*int{s.MinLength, s.MaxLength} {
		if bound != nil {
			lengths = append(lengths, *bound, *bound+1, max(*bound-1, 0))
		}
	}
	return strings.Repeat("x", min(rapid.SampledFrom(lengths).Draw(t, "length"), 1000))
}
