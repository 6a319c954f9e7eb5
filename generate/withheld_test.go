package generate

import (
	"strings"
	"testing"

	"toolpress/discover"
)

// What carries other calls is never an operation (T08), nor is the MCP endpoint that a
// plugin has, wherever it is (W74, W75).
func TestCarriersAreWithheld(t *testing.T) {
	all := `[{"methods":["GET","POST","PUT","PATCH","DELETE"]}]`
	for _, path := range []string{
		`/batch/v1`, `/wc/v3/orders/batch`, `/wc/v3/orders/Batch`, `/wc/store/v1/batch`, `/wp-abilities/v1/abilities/(?P<name>[a-z\/]+)/run`,
		`/mcp/mcp-adapter-default-server`, `/woocommerce/mcp`, `/acme/v1/MCP`, `/acme/mcp/v1/messages`, `/wp/v2/wpmcp/streamable`,
	} {
		s := FromSite(&discover.Site{Routes: []discover.Route{route(t, path, all)}})
		if len(s.Operations) != 0 || len(s.Withheld) != 3 {
			t.Errorf("%s: %d operations; withheld: %+v", path, len(s.Operations), s.Withheld)
		}
	}
	for _, path := range []string{`/brewery/v1/batches`, `/brewery/v1/batch/(?P<id>[\d]+)`, `/acme/v1/mcpherson`, `/acme/v1/run`} {
		if s := FromSite(&discover.Site{Routes: []discover.Route{route(t, path, all)}}); len(s.Operations) != 3 {
			t.Errorf("%s is withheld: %+v", path, s.Withheld)
		}
	}
}

// What an author publishes as something else than a tool is none, and says so;
// a no to agents is kept, however PHP writes it (W26).
func TestAbilitiesForMCP(t *testing.T) {
	for mcp, want := range map[string]string{
		`{"type":"resource"}`:                "withheld: its author publishes it as an MCP resource, not as a tool",
		`{"type":"prompt","public":true}`:    "withheld: its author publishes it as an MCP prompt, not as a tool",
		`{"type":"sampler"}`:                 "withheld: its author publishes it as an MCP sampler, not as a tool",
		`{"type":"Tool"}`:                    "withheld: its author publishes it as an MCP Tool, not as a tool",
		`{"type":["tool"]}`:                  `withheld: its author publishes it as an MCP ["tool"], not as a tool`,
		`{"type":"<b>x\u202e</b> resource"}`: "withheld: its author publishes it as an MCP x resource, not as a tool",
		`{"type":"tool"}`:                    "tool", `{"type":""}`: "tool", `{"type":null}`: "tool", `{}`: "tool", `[]`: "tool", `null`: "tool", `true`: "tool",
		`{"public":true}`: "tool", `{"public":null}`: "tool", `{"public":1}`: "tool",
		`{"public":false}`: "opted out", `{"public":0}`: "opted out", `{"public":""}`: "opted out", `{"public":"0"}`: "opted out",
	} {
		s := FromSite(&discover.Site{Abilities: []discover.Ability{{Name: "a/b", Meta: map[string]any{"mcp": decode(t, mcp)}}}})
		got := "tool"
		switch {
		case len(s.Withheld) == 1:
			got = "withheld: " + s.Refusal("ability:a/b")
		case s.Operations[0].AgentOptOut:
			got = "opted out"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", mcp, got, want)
		}
	}
}

// Parameters that change what a call is never become arguments, however they
// are spelt (T07); a property that is only readable is none either.
func TestGlobalParametersAreNoArguments(t *testing.T) {
	args := `{"_fields":{},"_embed":{},"_envelope":{},"_method":{},"_jsonp":{},"_locale":{},"_pretty":{},"_wpnonce":{},"rest_route":{},".method":{},` +
		`" _method":{},"_method[x]":{},"rest.route":{},"_product_fields":{},"fields":{},"id_":{"readonly":true}}`
	s := FromSite(&discover.Site{
		Routes: []discover.Route{route(t, `/acme/v1/things`, `[{"methods":["GET","POST"],"args":`+args+`}]`)},
		Abilities: []discover.Ability{
			ability(t, "a/b", `{}`, `{"type":"object","properties":`+args+`}`), ability(t, "a/must", `{}`, `{"type":"object","properties":{"_fields":{}},"required":["_fields"]}`),
		},
	})
	for id, want := range map[string]string{
		"GET /acme/v1/things": "_product_fields fields", "POST /acme/v1/things": "_product_fields fields", "ability:a/b": "_product_fields fields", "ability:a/must": "_fields",
	} {
		var names []string
		for _, a := range s.Operation(id).Args {
			names = append(names, a.Wire)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s takes %s, want %s", id, got, want)
		}
	}
}
