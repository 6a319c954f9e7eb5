package runtime

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/generate"
)

// regional is a catalog whose tool carries arguments in headers, and whose
// schema has a union type, for which the SDK checks nothing.
func regional(t *testing.T) *curate.Catalog {
	t.Helper()
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{{
		Path: "/t/v1/things", Pattern: "/t/v1/things", Namespace: "t/v1",
		Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
			"region": map[string]any{"type": "string"}, "count": map[string]any{"type": "integer"}, "deep": map[string]any{"type": "boolean"},
			"either": map[string]any{"type": []any{"string", "integer"}},
		}}},
	}}}
	c, err := curate.Parse("curation.yaml", []byte("version: 1\ndefaults: { dialect: modern }\ntools:\n  thing:\n    from: GET /t/v1/things\n    aliases: [old]\n"+
		"    args: { region: { rename: area, header: Region }, count: { header: Count }, deep: { header: Deep } }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(findings) > 0 || !strings.Contains(string(made.Profiles[curate.DefaultProfile].Tools[0].InputSchema), `"area":{"type":"string","x-mcp-header":"Region"}`) {
		t.Fatalf("%v %s", findings, made.Profiles[curate.DefaultProfile].Tools[0].InputSchema)
	}
	return made
}

// Who routes by a header must see the request that is served (T12, R33).
func TestHeadersAgree(t *testing.T) {
	site := &counted{}
	_, web := serve(t, regional(t), Options{Site: site})
	call := func(name, arguments string) string {
		return modernCall("tools/call", `"name":"`+name+`","arguments":`+arguments)
	}
	for what, c := range map[string]struct {
		body    string
		headers []string
		says    string // empty: served
	}{
		"all of them":           {call("thing", `{"area":"eu","count":3,"deep":true}`), []string{"Mcp-Name: thing", "Mcp-Param-Region: eu", "Mcp-Param-Count: 3", "Mcp-Param-Deep: true"}, ""},
		"none are needed":       {call("thing", `{"either":1}`), []string{"Mcp-Name: thing"}, ""},
		"null is none":          {call("thing", `{"area":null}`), []string{"Mcp-Name: thing"}, ""},
		"Base64":                {call("thing", `{"area":"Lissabon – Süd"}`), []string{"Mcp-Name: =?base64?dGhpbmc=?=", "Mcp-Param-Region: =?base64?TGlzc2Fib24g4oCTIFPDvGQ=?="}, ""},
		"by an alias":           {call("old", `{"area":"eu"}`), []string{"Mcp-Name: old", "mcp-param-region: eu"}, ""},
		"a number's other form": {call("thing", `{"count":3}`), []string{"Mcp-Name: thing", "Mcp-Param-Count: 3.0"}, ""},
		"nobody's header":       {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Param-Other: x"}, ""},

		"missing":              {call("thing", `{"area":"eu"}`), []string{"Mcp-Name: thing"}, "Mcp-Param-Region is missing"},
		"missing for an alias": {call("old", `{"area":"eu"}`), []string{"Mcp-Name: old"}, "Mcp-Param-Region is missing"},
		"spoofed":              {call("thing", `{"area":"eu"}`), []string{"Mcp-Name: thing", "Mcp-Param-Region: us"}, "does not say what the argument area does"},
		"without an argument":  {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Param-Region: eu"}, "the argument area is not"},
		"twice":                {call("thing", `{"area":"eu"}`), []string{"Mcp-Name: thing", "Mcp-Param-Region: eu", "Mcp-Param-Region: eu"}, "is there twice"},
		"broken Base64":        {call("thing", `{"area":"eu"}`), []string{"Mcp-Name: thing", "Mcp-Param-Region: =?base64?%?="}, "not valid Base64"},
		"no object":            {call("thing", `{"area":{"a":1}}`), []string{"Mcp-Name: thing", "Mcp-Param-Region: {\"a\":1}"}, "does not say"},
		"a huge number":        {call("thing", `{"count":3}`), []string{"Mcp-Name: thing", "Mcp-Param-Count: 1e999999999999999999999999"}, "does not say"},
		"a number as words":    {call("thing", `{"count":3}`), []string{"Mcp-Name: thing", "Mcp-Param-Count: three"}, "does not say"},
		"True":                 {call("thing", `{"deep":true}`), []string{"Mcp-Name: thing", "Mcp-Param-Deep: True"}, "does not say"},

		"no Mcp-Name":          {call("thing", `{}`), nil, "Mcp-Name is missing"},
		"another name":         {call("thing", `{}`), []string{"Mcp-Name: other"}, "Mcp-Name says"},
		"two names":            {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Name: thing"}, "Mcp-Name is there twice"},
		"no Mcp-Method":        {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Method: "}, "Mcp-Method is missing"},
		"another method":       {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Method: ", "Mcp-Method: tools/list"}, "Mcp-Method says"},
		"a method in capitals": {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Method: ", "Mcp-Method: TOOLS/CALL"}, "Mcp-Method says"},
		"two revisions":        {call("thing", `{}`), []string{"Mcp-Name: thing", "Mcp-Protocol-Version: 2026-07-28"}, "Mcp-Protocol-Version is there twice"},
	} {
		got := send(t, nil, web.URL+"/mcp", c.body, c.headers...)
		calls := site.took()
		if c.says == "" {
			if got.status != http.StatusOK || calls == "" {
				t.Errorf("%s: %d %s", what, got.status, got.message)
			}
			continue
		}
		if got.status != http.StatusBadRequest || !strings.Contains(got.message, `"code":-32020`) || !strings.Contains(got.message, c.says) || calls != "" {
			t.Errorf("%s: %d %s, called %q, want %s", what, got.status, got.message, calls, c.says)
		}
	}
}

// The official client sends the headers that a list asks for. It reads none of a
// schema with a union type, so that these are for the common dialect.
func TestHeadersOfTheOfficialClient(t *testing.T) {
	for _, era := range eras {
		site := &counted{}
		c := regional(t)
		tool := c.Profiles[curate.DefaultProfile].Tools[0]
		tool.InputSchema = json.RawMessage(strings.ReplaceAll(string(tool.InputSchema), `["string","integer"]`, `"string"`))
		_, web := serve(t, c, Options{Site: site})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		if _, err := cs.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "thing", Arguments: map[string]any{"area": "Süd ", "count": 3, "deep": false}})
		if err != nil || res.IsError || site.took() == "" {
			t.Errorf("%s: %v %v", era, res, err)
		}
	}
}
