package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// catalog is a catalog.json of profiles with tools: each is a name, what it calls,
// its arguments as JSON Schema's properties, and its aliases.
func catalog(t *testing.T, made string, profiles map[string][][4]string) *Catalog {
	t.Helper()
	var all []string
	for name, tools := range profiles {
		var list []string
		for _, tool := range tools {
			aliases := ""
			if tool[3] != "" {
				aliases = `,"toolpress/aliases":["` + strings.ReplaceAll(tool[3], " ", `","`) + `"]`
			}
			list = append(list, fmt.Sprintf(`{"name":%q,"description":"d","inputSchema":{"type":"object","properties":{%s}},"annotations":{},"_meta":{"toolpress/operation":%q%s}}`, tool[0], tool[2], tool[1], aliases))
		}
		all = append(all, fmt.Sprintf(`%q:{"tools":[%s]}`, name, strings.Join(list, ",")))
	}
	if made != "" {
		made = `"made_of":` + made + `,`
	}
	c, err := DecodeCatalog([]byte(`{"format":"toolpress/catalog/1","site":"https://a.example",` + made + `"profiles":{` + strings.Join(all, ",") + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// W87: a tool that went, came, or has another name; the same in two profiles is
// told once.
func TestCatalogs(t *testing.T) {
	const q, query = `"q":{"type":"string"}`, `"query":{"type":"string"}`
	before := catalog(t, "", map[string][][4]string{
		"default": {{"find", "GET /a", q, ""}, {"gone", "GET /b", "", ""}, {"old", "GET /c", "", ""}, {"was", "GET /d", q, "once"}},
		"editor":  {{"find", "GET /a", q, ""}},
		"past":    {{"find", "GET /a", q, ""}},
	})
	after := catalog(t, "", map[string][][4]string{
		"default": {{"find", "GET /a", query, ""}, {"came", "GET /e", "", ""}, {"new", "GET /c", "", ""}, {"is", "GET /d", q, "was"}},
		"editor":  {{"find", "GET /a", query, ""}},
		"next":    {{"find", "GET /a", q, ""}},
	})
	all, err := Catalogs(before, after)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, d := range all {
		fmt.Fprintf(&b, "%s %s: %s %s %s: %s\n", strings.Join(d.Profiles, "+"), d.Tool, d.Kind, d.Rule, d.Path, d.Message)
	}
	const want = `past : breaking profile-removed : the profile is gone
next : additive profile-added : a new profile with tools: 1
default came: additive tool-added : a new tool (GET /e)
default+editor find: breaking argument-removed q: the argument is gone
default+editor find: additive argument-added query: a new argument
default gone: breaking tool-removed : the tool is gone (GET /b)
default is: breaking alias-removed : it can no longer be called once
default is: additive tool-renamed : it was called was, which still works
default new: breaking tool-renamed : it was called old, which no longer works
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if same, err := Catalogs(before, before); err != nil || same != nil {
		t.Error(same, err)
	}
}

// What two catalogs were made of tells the cause, and whether they can be compared.
func TestMadeOf(t *testing.T) {
	one := func(version, site, curation, locale string) *Catalog {
		return catalog(t, fmt.Sprintf(`{"toolpress":%q,"site":%q,"curation":%q,"locale":%q}`, version, site, curation, locale), map[string][][4]string{"default": nil})
	}
	before := one("1", "s", "c", "en_US")
	for _, test := range []struct {
		after        *Catalog
		only, unlike string
	}{
		{before, "", ""},
		{one("1", "t", "c", "en_US"), CauseSite, ""},
		{one("1", "s", "d", "en_US"), CauseCuration, ""},
		{one("2", "s", "c", "en_US"), CauseToolpress, ""},
		{one("2", "t", "c", "en_US"), "", ""},
		{one("1", "", "d", "en_US"), "", ""},
		{one("1", "t", "c", "de_DE"), CauseSite, "one is in en_US, the other in de_DE"},
		{catalog(t, "", map[string][][4]string{"default": nil}), "", ""},
	} {
		if got := Only(before, test.after); got != test.only {
			t.Errorf("%+v: %q", test.after.MadeOf, got)
		}
		if got := Unlike(before, test.after); got != test.unlike {
			t.Errorf("%+v: %q", test.after.MadeOf, got)
		}
	}
	editor := catalog(t, `{"roles":["editor"]}`, map[string][][4]string{"default": nil})
	locked := catalog(t, `{"toolpress":"1","site":"s","curation":"c","lock":"l"}`, map[string][][4]string{"default": nil})
	if got, both := Only(before, locked), Only(locked, one("1", "t", "c", "en_US")); got != CauseLock || both != "" {
		t.Errorf("%q %q", got, both)
	}
	nobody := catalog(t, `{}`, map[string][][4]string{"default": nil})
	if got := Unlike(editor, nobody); got != "one is what a user who is editor sees, the other what nobody who is logged in sees" {
		t.Error(got)
	}
}

// G65: what is no catalog is named, and is never one without tools.
func TestNoCatalog(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":"toolpress/site/1"}`:                  `its format is "toolpress/site/1", want "toolpress/catalog/1"`,
		`{"format":"toolpress/catalog/1"}`:               "the catalog has no profile",
		`{"format":"toolpress/catalog/2","profiles":{}}`: `its format is "toolpress/catalog/2"`,
		"<<<<<<< HEAD\n{}":                               "invalid character '<'",
		"":                                               "unexpected end of JSON input",
	} {
		if _, err := DecodeCatalog([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
