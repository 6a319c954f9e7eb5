package generate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"toolpress/generate/schema"
)

// OpenAPI projects everything a surface offers to an OpenAPI 3.1 document: keys
// sorted, two spaces of indent, one final newline. An operationId is the
// proposed tool name, with a hash of the identity where several have it.
//
// What OpenAPI cannot say stands in x-wp keys:
//
//	x-wp-operation  the identity, which OpenAPI's operation need not have
//	x-wp-pattern    of a path parameter: the PCRE that the route has for it
//	x-wp-slash      of a path parameter: its value may hold slashes, sent as they are
//	x-wp-query      of a query parameter: the names that what is nested deeper has
//	x-wp-either     of a query parameter: the parameters that are one argument
//	x-wp-required   of these: the site refuses a call that has none of them
//	x-wp-plain-permalinks  of the server: a query follows its address with & and not ?
//	x-wp-omitted    of the document: operations that could not be projected, and why
func OpenAPI(s *Surface) ([]byte, error) {
	return project(s, s.Operations, "The REST API of "+s.Site+" as toolpress found it.", false)
}

// CuratedOpenAPI is the document of a surface's operations as a curation narrows
// them. Names are those of the tools, each there once, and become operationIds;
// several tools may narrow one operation. A body takes nothing that is not named.
func CuratedOpenAPI(s *Surface, tools []*Operation) ([]byte, error) {
	return project(s, tools, "What a curation keeps of the REST API of "+s.Site+": an operationId is a tool's name, and what toolpress sends unasked is required.", true)
}

func project(s *Surface, operations []*Operation, about string, closed bool) ([]byte, error) {
	d := &document{T: frame(s, about), closed: closed, names: map[string]int{}, omitted: map[string]string{}}
	d.shapes, d.taken, d.placed = map[string]bool{}, map[string]int{}, map[string][]*openapi3.PathItem{}
	d.keysOfShop = !s.PlainPermalinks() && strings.HasPrefix(s.Root, "https://")
	operations = slices.SortedFunc(slices.Values(operations), func(a, b *Operation) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	for _, o := range operations {
		d.names[o.Name]++
	}
	for _, o := range operations {
		if err := d.add(o); err != nil {
			d.omitted[o.ID] = err.Error() // one operation, never the document
		}
	}
	if len(d.omitted) > 0 {
		d.Extensions = map[string]any{"x-wp-omitted": d.omitted}
	}
	text, err := d.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("encoding the OpenAPI document: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, fmt.Errorf("encoding the OpenAPI document: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// conventions are told in the document itself: who reads it may not know toolpress.
const conventions = `
- x-wp-operation names an operation once and for all. A path with slashes at its end is the one without: WordPress drops them, and OpenAPI has one operation for each path and method.
- In a query a list goes as name[]=a&name[]=b, an object as name[key]=v, a boolean as 1 or 0. OpenAPI cannot say how a value goes that is nested deeper: x-wp-query lists the names, where [0] counts up.
- x-wp-either lists the parameters that are one argument in several forms: send one of them.
- The value of a path parameter with x-wp-slash may hold slashes. They are sent as they are: an escaped slash is 404 rest_no_route. x-wp-pattern is the PCRE that the whole value matches.
- An error has a code, a message for people, and data with the status.`

const plainPermalinks = "This site has plain permalinks: its address has a query already, and the path of an operation is its value. What else goes in a query follows with & and not with a second ?, which most generated clients have to be told."

// frame is the document without operations.
func frame(s *Surface, about string) *openapi3.T {
	doc := &openapi3.T{
		OpenAPI: "3.1.0",
		Info:    &openapi3.Info{Title: cmp.Or(s.Name, s.Site), Version: "1", Description: about + "\n" + conventions},
		Servers: openapi3.Servers{{URL: strings.TrimSuffix(s.Root, "/")}},
		Paths:   openapi3.NewPaths(),
		Components: &openapi3.Components{
			SecuritySchemes: openapi3.SecuritySchemes{},
			Responses:       openapi3.ResponseBodies{"answer": {Value: answer()}, "error": {Value: failure()}},
		},
	}
	if s.PlainPermalinks() {
		doc.Info.Description = about + " " + plainPermalinks + "\n" + conventions
		doc.Servers[0].Description = plainPermalinks
		doc.Servers[0].Extensions = map[string]any{"x-wp-plain-permalinks": true}
	}
	scheme, with := "applicationPassword", &openapi3.SecurityScheme{Type: "http", Scheme: "basic", Description: "A user's name and one of the user's application passwords."}
	if !s.ApplicationPasswords {
		scheme, with = "bearer", &openapi3.SecurityScheme{Type: "http", Scheme: "bearer", Description: "A token of a plugin that takes one: the site offers no application passwords."}
	}
	doc.Components.SecuritySchemes[scheme] = &openapi3.SecuritySchemeRef{Value: with}
	doc.Security = openapi3.SecurityRequirements{{scheme: []string{}}}
	return doc
}

// answer is any 2xx: 200, and 201 for what was created.
func answer() *openapi3.Response {
	return openapi3.NewResponse().WithDescription("What the site answers.").WithJSONSchema(&openapi3.Schema{})
}

// failure is WordPress's error (rest_convert_error_to_response in
// wp-includes/rest-api.php).
func failure() *openapi3.Response {
	said := openapi3.NewObjectSchema().WithProperty("code", openapi3.NewStringSchema()).WithProperty("message", openapi3.NewStringSchema()).WithProperty("data", &openapi3.Schema{})
	said.Required = []string{"code", "message"}
	return openapi3.NewResponse().WithDescription("WordPress's error.").WithJSONSchema(said)
}

// document is an OpenAPI document in the making.
type document struct {
	*openapi3.T
	closed     bool              // bodies take nothing that is not named
	keysOfShop bool              // WooCommerce's keys are taken: only over https, and below a path
	names      map[string]int    // of operations, and how often
	omitted    map[string]string // operations, and why they are not in it

	shapes map[string]bool                 // of paths there are: without placeholder names
	taken  map[string]int                  // how many slashes more the paths of a shape have
	placed map[string][]*openapi3.PathItem // of a path, with more and more slashes
}

// add projects one operation.
func (d *document) add(o *Operation) error {
	op, err := d.operation(o)
	if err != nil {
		return err
	}
	op.OperationID = d.operationID(o)
	if d.keysOfShop && strings.HasPrefix(o.Namespace, "wc/") {
		d.Components.SecuritySchemes["wooCommerceKey"] = &openapi3.SecuritySchemeRef{Value: &openapi3.SecurityScheme{
			Type: "http", Scheme: "basic", Description: "A WooCommerce consumer key and its secret.",
		}}
		either := append(slices.Clone(d.Security), openapi3.SecurityRequirement{"wooCommerceKey": []string{}})
		op.Security = &either
	}
	d.place(o, op)
	return nil
}

// operationID is the name, or with a hash of the identity where another
// operation has it too.
func (d *document) operationID(o *Operation) string {
	if d.names[o.Name] == 1 {
		return o.Name
	}
	if id := schema.Hashed(o.ID, o.Name, maxToolName); d.names[id] == 0 {
		return id
	}
	return "" // a name made to be taken for another's
}

// place puts an operation where OpenAPI has room for it. WordPress drops the
// slashes at the end of a route (rest_api_loaded in wp-includes/rest-api.php), so
// a second operation of one path and method, and a path that differs from
// another's in the name of a placeholder only, get one slash more.
func (d *document) place(o *Operation, op *openapi3.Operation) {
	path := o.openAPIPath()
	for _, item := range d.placed[path] {
		if item.GetOperation(o.Method) == nil {
			item.SetOperation(o.Method, op)
			return
		}
	}
	shape := placeholder.ReplaceAllString(path, "{}")
	slashes := d.taken[shape]
	for d.shapes[shape+strings.Repeat("/", slashes)] {
		slashes++
	}
	d.taken[shape] = slashes + 1
	end := strings.Repeat("/", slashes)
	d.shapes[shape+end] = true
	item := &openapi3.PathItem{}
	item.SetOperation(o.Method, op)
	d.Paths.Set(path+end, item)
	d.placed[path] = append(d.placed[path], item)
}

// openAPIPath is where an operation is asked, with its placeholders.
func (o *Operation) openAPIPath() string {
	if o.Ability != "" {
		return "/wp-abilities/v1/abilities/" + o.Ability + "/run"
	}
	return o.Route
}
