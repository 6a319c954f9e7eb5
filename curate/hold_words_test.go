package curate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/generate"
)

// housePreset is a preset in one of its versions.
const housePreset = `version: 1
server: { instructions: Speak of books. }
groups: { read: { describe: Look things up. } }
tools:
  find_things:
    from: "ability:shop/search"
    title: Find things
    description: Find things by words.
    args: { q: { describe: "The words." }, limit: { describe: "How many." } }
    groups: [read]
  say_price:
    from: "ability:shop/price"
    description: Say what one thing costs.
    groups: [read]
`

const ownFile = `version: 1
lock: { file: curation.lock.json }
tools: { find_things: { args: { limit: { describe: "At most so many." } } }, hours: { from: "ability:shop/hours", groups: [read] } }
profiles: { default: { groups: [read] } }
`

// overPreset is a curation over a preset that is not among those shipped.
func overPreset(t tester, version, preset, own string) *Curation {
	t.Helper()
	below, err := parse("preset:house@"+version, []byte(preset), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := parsed(t, own)
	return &Curation{layers: append(slices.Clone(below.layers), c.layers...)}
}

// A preset that comes with other words is told by its own name. Under hold a client
// reads the approved words, and of what was never approved nothing; what the
// curation writes itself needs no approval.
func TestPresetDrift(t *testing.T) {
	surface := shop(t)
	first := overPreset(t, "1", housePreset, ownFile)
	lock := approveAll(t, first, nil, surface)
	catalog, findings := first.With(lock).Apply(surface, nil)
	if len(findings) > 0 {
		t.Fatal(findings.Error())
	}
	approved := list(t, catalog)

	const second = `version: 1
server: { instructions: "POISON: Speak of books." }
groups: { read: { describe: POISON }, more: { describe: POISON } }
tools:
  find_things:
    from: "ability:shop/search"
    title: POISON
    description: "Find things by words. POISON"
    args: { q: { describe: "The words. POISON" }, limit: { describe: "POISON" } }
    groups: [read, more]
  say_price:
    from: "ability:shop/price"
    title: POISON
    description: Say what one thing costs.
    args: { input: { describe: "POISON" } }
    groups: [read]
  find_more: { from: "ability:shop/search", description: POISON, groups: [read] }
`
	own := strings.Replace(ownFile, "groups: [read] }", "groups: [read, more] }", 1)
	var out strings.Builder
	for _, drift := range []string{"hold", "warn"} {
		c := overPreset(t, "2", second, strings.Replace(own, "json }", "json, drift: "+drift+" }", 1))
		catalog, findings := c.With(lock).Apply(surface, nil)
		fmt.Fprintf(&out, "%s:\n%s\n", drift, findings.Error())
		explainHeld(&out, catalog)
		served := list(t, catalog)
		if drift == "warn" {
			if n := strings.Count(fmt.Sprint(served), "POISON"); n != 8 {
				t.Errorf("%d words of the preset are served: %v", n, served)
			}
			continue
		}
		for key, was := range approved {
			if served[key] != was {
				t.Errorf("%s\n got %s\nwant %s", key, served[key], was)
			}
		}
		if len(served) != len(approved) {
			t.Errorf("%v", served)
		}
	}
	golden(t, "testdata/held/preset.out", out.String())

	// A tool that is renamed has its approved words all the same.
	renamed := overPreset(t, "1", housePreset, strings.Replace(ownFile, "tools: {", "tools: { price_of: { replaces: say_price },", 1))
	catalog, findings = renamed.With(lock).Apply(surface, nil)
	if len(findings) > 0 || catalog.Profiles[DefaultProfile].Tool("price_of") == nil {
		t.Error(findings)
	}
	// So has one that the curation gives other words.
	reworded := overPreset(t, "1", housePreset, strings.Replace(ownFile, "tools: {", "tools: { say_price: { description: Say the price. },", 1))
	catalog, findings = reworded.With(lock).Apply(surface, nil)
	if tool := catalog.Profiles[DefaultProfile].Tool("say_price"); len(findings) > 0 || tool.Description != "Say the price." {
		t.Error(findings)
	}

	a := overPreset(t, "2", second, own).With(lock).Approve([]Showing{{Surface: surface}}, false)
	var said strings.Builder
	for _, s := range a.Subjects {
		fmt.Fprintf(&said, "%s %v %v %s %v\n", s.Name, s.Presets, s.PresetNew, summary(s.Preset), s.Curation)
	}
	golden(t, "testdata/held/preset-approve.out", said.String())
}

// A version of a preset that has the same words and does something else with a tool
// is told as the one that may have changed it, and holds nothing back.
func TestPresetForm(t *testing.T) {
	surface := shop(t)
	lock := approveAll(t, overPreset(t, "1", housePreset, ownFile), nil, surface)
	second := overPreset(t, "2", strings.Replace(housePreset, "limit: {", "limit: { maximum: 5,", 1), ownFile).With(lock)
	a := second.Approve(showings(surface), false)
	if len(a.Subjects) != 1 || fmt.Sprint(a.Subjects[0].Curation, a.Subjects[0].Moved) != "[default/find_things] [preset:house@2 instead of preset:house@1]" {
		t.Errorf("%+v", a.Subjects)
	}
	if catalog, findings := second.Apply(surface, nil); len(findings) > 0 || !strings.Contains(list(t, catalog)["default/find_things"], `"maximum":5`) {
		t.Error(findings)
	}
}

// What is not in the lock yet is withheld under hold, and served and said under warn.
func TestNothingApproved(t *testing.T) {
	surface := shop(t)
	c := overPreset(t, "1", housePreset, ownFile)
	a := c.Approve([]Showing{{Surface: surface}}, false)
	// Of the operations, and nothing else.
	lock := reread(t, a.Next(nil, false, today))
	all := approveAll(t, c, nil, surface)
	lock.operations = all.operations
	var out strings.Builder
	for _, drift := range []string{"hold", "warn"} {
		c := overPreset(t, "1", housePreset, strings.Replace(ownFile, "json }", "json, drift: "+drift+" }", 1))
		catalog, findings := c.With(lock).Apply(surface, nil)
		fmt.Fprintf(&out, "%s:\n%s\n", drift, findings.Error())
		var names []string
		for _, tool := range catalog.Profiles[DefaultProfile].Tools {
			names = append(names, tool.Name)
		}
		fmt.Fprintf(&out, "%v, %q\n", names, catalog.Profiles[DefaultProfile].Instructions)
	}
	golden(t, "testdata/held/preset-new.out", out.String())
}

// G31 with a lock: the operation that had a proposed name keeps it; a newcomer is
// withheld, in whatever order the site has them, and also where it is not alone.
func TestNamesOfTheLock(t *testing.T) {
	surface := shop(t)
	c := parsed(t, "version: 1\nlock: { file: curation.lock.json }\nexpose:\n  - { route: \"/shop/v1/twins/**\" }\n")
	const name = "shop_v1_get_twins_a_b"
	for _, id := range []string{"GET /shop/v1/twins/a-b", "GET /shop/v1/twins/a_b"} {
		alone := *surface
		alone.Operations = []*generate.Operation{surface.Operation(id)}
		lock := approveAll(t, c, nil, &alone)
		third := *surface.Operation(id)
		third.ID, third.Route = "GET /shop/v1/twins/a0b", "/shop/v1/twins/a0b"
		both := *surface
		both.Operations = []*generate.Operation{&third, surface.Operation("GET /shop/v1/twins/a-b"), surface.Operation("GET /shop/v1/twins/a_b")}
		for _, s := range []*generate.Surface{surface, &both} {
			catalog, findings := c.With(lock).Apply(s, nil)
			if tool := catalog.Profiles[DefaultProfile].Tool(name); tool == nil || tool.Operation != id {
				t.Errorf("%s is not %s: %v", name, id, findings)
			}
			if id == "GET /shop/v1/twins/a-b" && s == surface {
				golden(t, "testdata/held/collision.out", findings.Error()+"\n")
			}
		}
	}
	lock := (*Approvals)(nil).clone()
	if catalog, _ := c.With(lock).Apply(surface, nil); catalog.Profiles[DefaultProfile].Tool(name) != nil {
		t.Error("the lock knows neither, and one is served")
	}
}

// G62: what is gone is told with the day on which it was approved, and pruned where
// that is asked for; an argument that is not approved yet is told so.
func TestRemembered(t *testing.T) {
	const text = `version: 1
lock: { file: curation.lock.json }
tools:
  find: { from: GET /wp/v2/posts }
  save: { from: "PUT /wp/v2/posts/{id}" }
  search: { from: "ability:shop/search"%s }
`
	whole, c := shop(t), parsed(t, fmt.Sprintf(text, ""))
	lock := approveAll(t, c, nil, whole)
	less := *whole
	less.Operations = slices.DeleteFunc(slices.Clone(whole.Operations), func(o *generate.Operation) bool { return strings.HasPrefix(o.Route, "/wp/v2/posts") })
	var out strings.Builder
	_, findings := c.With(lock).Apply(&less, nil)
	fmt.Fprintln(&out, findings.Error())
	if a := c.With(lock).Approve(showings(&less), false); len(a.Subjects) > 0 {
		t.Errorf("what is gone is asked about: %+v", a.Subjects)
	}
	a := c.With(lock).Approve(showings(&less), true)
	if len(a.Subjects) != 2 || a.Subjects[0].Name != "GET /wp/v2/posts" || len(a.Subjects[0].Drops) != 1 {
		t.Fatalf("%+v", a.Subjects)
	}
	if left := a.Next(a.Subjects[1:], true, today); len(left.operations) != 2 || len(left.tools) != 2 {
		t.Errorf("%v", left)
	}
	// An argument that came later is named.
	_, findings = parsed(t, fmt.Sprintf(text, ", args: { note: {} }")).With(lock).Apply(changedShop(t, "new argument"), nil)
	fmt.Fprintln(&out, findings.Error())
	golden(t, "testdata/held/remembered.out", out.String())
	// Where abilities may not be listed, nobody knows that one is gone.
	hidden := *whole
	hidden.AbilitiesAPI = discover.AbilitiesNotPermitted
	hidden.Operations = slices.DeleteFunc(slices.Clone(whole.Operations), func(o *generate.Operation) bool { return o.Ability != "" })
	if _, findings = c.With(lock).Apply(&hidden, nil); len(findings) != 1 || findings[0].Message != `no ability "shop/search": this user may not list abilities` {
		t.Errorf("%v", findings)
	}
}

func lockText(t tester, a *Approvals) string {
	t.Helper()
	text, err := a.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
