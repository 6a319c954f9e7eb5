package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"toolpress/discover"
)

// What comes and goes is told once; what cannot be read changes nothing, and
// that is told once too. A finding that only says something else comes anew (W86).
func TestLintWatch(t *testing.T) {
	site := func(texts ...string) *discover.Site {
		s, err := discover.DecodeAbilities([]byte("[" + strings.Join(texts, ",") + "]"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ability := func(name, input string) string {
		return `{"name":"acme/` + name + `","label":"A","description":"Find the things of ` + name + ` and return their numbers.","category":"c","output_schema":{"type":"object"},"input_schema":` + input + `,"meta":{"annotations":{"readonly":true},"public":true}}`
	}
	const none, list = `{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"array","maxItems":2,"description":"d"}}}`
	var out, said bytes.Buffer
	a := &app{stdout: &out, stderr: &said}
	f := &lintFlags{}
	w := &lintWatch{app: a, flags: f, known: &baseline{Accepted: []accepted{{"ability:acme/old", "no-properties", "input_schema"}}}}
	w.found = f.look(site(ability("find", none), ability("old", none)), w.known)
	for _, step := range []struct {
		site              *discover.Site
		err               error
		wantOut, wantSaid string
	}{
		{site: site(ability("find", none), ability("old", none))},
		{site: site(ability("find", list), ability("old", `[]`)), wantOut: "- ability:acme/find: error: no-properties: input_schema\n+ ability:acme/find: error: no-items: input_schema.a: no items\n    give `items` to `a` in `input_schema`: 'items' => array( 'type' => 'string' )\n", wantSaid: "1 error\n"},
		{err: errors.New("500 fatal"), wantSaid: "reading again: 500 fatal\n"},
		{err: errors.New("500 fatal")},
		{site: &discover.Site{AbilitiesAPI: discover.AbilitiesNotPermitted}, wantSaid: "reading again: the site does not let this user list its abilities\n"},
		{site: site(ability("find", list)), wantSaid: "it can be read again\n"},
		{site: site(ability("find", strings.Replace(list, `"maxItems":2`, `"maxItems":2,"items":[]`, 1))), wantOut: "- ability:acme/find: error: no-items: input_schema.a\n+ ability:acme/find: error: items-list: input_schema.a: items: []\n    write `items` of `a` in `input_schema` as one schema: 'items' => array( 'type' => 'string' )\n", wantSaid: "1 error\n"},
		{site: site(), wantOut: "- ability:acme/find: error: items-list: input_schema.a\n", wantSaid: "nothing is wrong\n"},
	} {
		out.Reset()
		said.Reset()
		w.take(step.site, step.err)
		if out.String() != step.wantOut || said.String() != step.wantSaid {
			t.Errorf("%q %q, want %q %q", &out, &said, step.wantOut, step.wantSaid)
		}
	}
}
