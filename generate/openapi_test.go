package generate

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// projected is what a test reads of a document.
type projected struct {
	Info     struct{ Title, Description string }
	Servers  []map[string]any
	Security []map[string][]string
	Paths    map[string]map[string]*projectedOperation
	Omitted  map[string]string `json:"x-wp-omitted"`

	Components struct {
		SecuritySchemes map[string]struct{ Type, Scheme string }
	}
}

type projectedOperation struct {
	OperationID string `json:"operationId"`
	Summary     string
	Description string
	Identity    string `json:"x-wp-operation"`
	Security    []map[string][]string
	Parameters  []map[string]any
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]any }
	}
}

// parameters are an operation's, as "in name" and "in name!" for a required one.
func (o *projectedOperation) parameters() []string {
	var names []string
	for _, p := range o.Parameters {
		name := p["in"].(string) + " " + p["name"].(string)
		if p["required"] == true {
			name += "!"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// body is the schema of a JSON body; nil where there is none.
func (o *projectedOperation) body() map[string]any {
	if o.RequestBody == nil {
		return nil
	}
	return o.RequestBody.Content["application/json"].Schema
}

// members are the properties of an object's schema, with ! after a required one.
func members(schema map[string]any) []string {
	var names []string
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for name := range properties {
		if slices.Contains(required, any(name)) {
			name += "!"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// validated validates a document and reads it.
func validated(t testing.TB, text []byte, err error) projected {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	var p projected
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// byIdentity are a document's operations, of which none is there twice.
func (p projected) byIdentity(t testing.TB) map[string]*projectedOperation {
	t.Helper()
	found := map[string]*projectedOperation{}
	for path, item := range p.Paths {
		for method, o := range item {
			if found[o.Identity] != nil {
				t.Errorf("%s is there twice", o.Identity)
			}
			found[o.Identity] = o
			if id := strings.ToUpper(method) + " " + strings.TrimRight(path, "/"); !strings.HasPrefix(o.Identity, "ability:") && strings.TrimRight(o.Identity, "/") != id {
				t.Errorf("%s is at %s", o.Identity, id)
			}
		}
	}
	return found
}

// wanted are the parameters and the members of the body that an operation's
// arguments ask for.
func wanted(o *Operation) (parameters, body []string) {
	add := func(to *[]string, name string, required bool) {
		if required {
			name += "!"
		}
		*to = append(*to, name)
	}
	some := false // an argument is required
	for _, a := range o.Args {
		some = some || a.Required
		list := slices.Contains(a.Schema.Types, "array")
		mixed := list && len(a.Schema.Types) > 1
		switch {
		case a.In == InPath:
			add(&parameters, "path "+a.Wire, true)
		case a.In == InBody:
			add(&body, a.Wire, a.Required)
		case a.In == InQuery && mixed:
			parameters = append(parameters, "query "+a.Wire, "query "+a.Wire+"[]")
		case a.In == InQuery && list:
			add(&parameters, "query "+a.Wire+"[]", a.Required)
		case a.In == InFilename:
			add(&parameters, "header Content-Disposition", a.Required)
		case a.In == InQuery:
			add(&parameters, "query "+a.Wire, a.Required)
		}
	}
	switch into := &parameters; {
	case o.plan.input == noInput:
	case o.Method == "POST":
		add(&body, "input", some || !o.plan.hasDefault)
	default:
		add(into, "query input", some || !o.plan.hasDefault)
	}
	slices.Sort(parameters)
	slices.Sort(body)
	return parameters, body
}

// The whole document of each recorded site validates, is the same bytes
// whatever order the site lists things in, and says what the operations say.
func TestOpenAPI(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			site := recordedSite(t, name)
			s := FromSite(site)
			text, err := OpenAPI(s)
			document := validated(t, text, err)
			rand.Shuffle(len(site.Routes), func(i, j int) { site.Routes[i], site.Routes[j] = site.Routes[j], site.Routes[i] })
			rand.Shuffle(len(site.Abilities), func(i, j int) { site.Abilities[i], site.Abilities[j] = site.Abilities[j], site.Abilities[i] })
			again, _ := OpenAPI(FromSite(site))
			if !bytes.Equal(text, again) {
				t.Error("two runs differ")
			}
			found := document.byIdentity(t)
			if len(found) != len(s.Operations) || document.Omitted != nil {
				t.Errorf("%d operations in the document, %d in the surface, without %v", len(found), len(s.Operations), document.Omitted)
			}
			for _, o := range s.Operations {
				p := found[o.ID]
				parameters, body := wanted(o)
				want := []any{o.Name, o.Title, o.Description, parameters, body}
				if diff := cmp.Diff(want, []any{p.OperationID, p.Summary, p.Description, p.parameters(), members(p.body())}); diff != "" {
					t.Errorf("%s: the document (+) differs from the operation (-):\n%s", o.ID, diff)
				}
			}
		})
	}
}
