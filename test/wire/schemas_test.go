package wire

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"toolpress/discover/wptest/recorded"
)

// written are schemas of every keyword that WordPress reads, alone and
// together, and of those that it does not.
var written = []string{
	`{"type":"string"}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":"boolean"}`, `{"type":"null"}`, `{"type":"array"}`, `{"type":"object"}`,
	`{"type":"string","minLength":2,"maxLength":4}`, `{"type":"string","enum":["a","b","12","true"]}`, `{"type":"string","pattern":"^[a-z]+$"}`, `{"type":"string","pattern":"#"}`,
	`{"type":"integer","minimum":3}`, `{"type":"integer","maximum":7}`, `{"type":"integer","minimum":3,"maximum":7}`, `{"type":"integer","multipleOf":3}`,
	`{"type":"integer","minimum":3,"exclusiveMinimum":true}`, `{"type":"integer","maximum":7,"exclusiveMaximum":true}`, `{"type":"number","minimum":0.5,"maximum":2,"exclusiveMinimum":true,"exclusiveMaximum":true}`,
	`{"type":"number","maximum":2,"minimum":-2,"exclusiveMinimum":true}`, `{"type":"number","multipleOf":0.5}`, `{"type":"number","enum":[1,2.5,-3]}`, `{"type":"integer","enum":[1,2,3]}`, `{"type":"boolean","enum":[true]}`,
	`{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2}`, `{"type":"array","items":{"type":"integer","minimum":2},"uniqueItems":true}`,
	`{"type":"array","items":{"type":"string","enum":["a","b"]}}`, `{"type":"array","items":{"type":"boolean"}}`, `{"type":"array","items":{"type":"array","items":{"type":"number"}}}`,
	`{"type":"array","uniqueItems":true}`, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"}}},"uniqueItems":true}`,
	`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"boolean"},"c":{"type":"array","items":{"type":"integer"}}}}`,
	`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
	`{"type":"object","properties":{"a":{"type":"integer","required":true},"b":{"type":["string","null"]}}}`,
	`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":true,"minProperties":1,"maxProperties":2}`,
	`{"type":"object","properties":{"in":{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}}},"additionalProperties":false}}}`,
	`{"type":["integer","string"]}`, `{"type":["string","integer"]}`, `{"type":["array","string"],"items":{"type":"integer"}}`, `{"type":["string","array"],"items":{"type":"integer"}}`,
	`{"type":["boolean","integer"]}`, `{"type":["integer","boolean","null"],"minimum":1}`, `{"type":["number","array"],"items":{"type":"string"}}`, `{"type":["null","boolean","string"],"maxLength":3}`,
	`{"type":["object","string"],"properties":{"a":{"type":"integer"}},"minLength":2}`, `{"type":["integer","null"],"enum":[1,null]}`, `{"type":["array","null"],"items":{"type":"boolean"}}`, `{"type":["object","boolean"]}`,
	`{"anyOf":[{"type":"integer","minimum":5},{"type":"string","maxLength":2}]}`, `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"object","properties":{"a":{"type":"integer","required":true}}},{"type":"boolean"}]}`,
	`{"type":["integer","string"],"anyOf":[{"minimum":5},{"maxLength":2}]}`, `{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"boolean"}]}}`, `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`,
	`{"oneOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}}]}`, `{"oneOf":[{"type":"string","enum":["a"]},{"type":"string","enum":["a","b"]}]}`, `{"oneOf":[{"type":"object","properties":{"k":{"type":"string","enum":["x"]},"v":{"type":"integer"}},"required":["k"]},{"type":"object","properties":{"k":{"type":"string","enum":["y"]},"v":{"type":"boolean"}},"required":["k"]}]}`,
	`{"type":"string","format":"date-time"}`, `{"type":"string","format":"email"}`, `{"type":"string","format":"uuid"}`, `{"type":"string","format":"ip"}`, `{"type":"string","format":"hex-color"}`, `{"type":"string","format":"uri"}`, `{"type":"string","format":"text-field"}`, `{"type":["string","null"],"format":"date-time"}`,
	`{"type":"string","allOf":[{"maxLength":1}]}`, `{"type":"string","const":"a"}`, `{"type":"string","pattern":"^(?=a)\\w+$"}`, `{"type":"string","pattern":"^[\\w.]+$"}`, `{"type":"string","pattern":"^\\d+\\s?$"}`,
	`{"type":"object","patternProperties":{"^n_":{"type":"integer"}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a","z"]}`, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer","required":true}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"integer"},"r":{"type":"string","readonly":true},"x y":{"type":"integer"}},"additionalProperties":false}`,
	`{"type":"number","exclusiveMinimum":2}`, `{"type":"integer","minimum":1,"exclusiveMaximum":5}`, `{"type":"string","enum":[1,2,"b"]}`, `{"type":"integer","enum":["1","2"]}`, `{"type":"string","enum":{"3":"a","5":"b"}}`,
	`{"type":"date-time"}`, `{"type":"mixed"}`, `{}`, `{"enum":["a",1]}`, `{"properties":{"a":{"type":"integer"}}}`, `{"type":"bool"}`, `{"type":["date-time","null"]}`, `{"type":"array","items":[{"type":"integer"},{"type":"string"}]}`, `{"type":"array","items":[]}`, `{"type":"object","properties":[]}`,
}

// pool are the written schemas as values.
func pool(t *testing.T) []any {
	t.Helper()
	var list []any
	for _, text := range written {
		list = append(list, decode(t, text))
	}
	return list
}

// recordedPool are the schemas of every argument of a recorded site, each once.
func recordedPool(t *testing.T, name string) []any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(recorded.Dir(t, name), "index-help.json"))
	if err != nil {
		t.Fatal(err)
	}
	index := decode(t, string(data)).(map[string]any)
	var list []any
	seen := map[string]bool{}
	routes := index["routes"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(routes)) { // a seed gives the same schemas again
		for _, endpoint := range routes[path].(map[string]any)["endpoints"].([]any) {
			args, _ := endpoint.(map[string]any)["args"].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(args)) {
				schema := args[name]
				text, err := json.Marshal(schema)
				if _, is := schema.(map[string]any); is && err == nil && !seen[string(text)] {
					seen[string(text)] = true
					list = append(list, schema)
				}
			}
		}
	}
	return list
}
