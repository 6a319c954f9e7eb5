package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/generate"
)

// styled are the echoes whose arguments go in a query, all written as wire says.
func styled(t *testing.T, root *discover.Root, wire string) ([]*curate.Tool, *generate.Surface) {
	t.Helper()
	var args []string
	for _, name := range []string{"list", "words", "obj", "any", "input"} {
		args = append(args, name+": { wire: "+wire+" }")
	}
	list, surface := toolsWith(t, root, "rules: [{ match: { method: [GET, DELETE] }, set: { args: { "+strings.Join(args, ", ")+" } } }]\n")
	return slices.DeleteFunc(list, func(tool *curate.Tool) bool {
		method := surface.Operation(tool.Operation).Method
		return method != "GET" && method != "DELETE"
	}), surface
}

// G37: with brackets PHP receives what was meant, at any depth.
func TestBrackets(t *testing.T) {
	root := site(t)
	list, surface := styled(t, root, "brackets")
	from := drawFrom(t)
	for i, tool := range list {
		o := surface.Operation(tool.Operation)
		t.Run(strings.ReplaceAll(tool.Operation, "/", " "), func(t *testing.T) {
			for n := range perTool {
				if broken := trip(t, root, tool, o, inputs(o).Example(from+i*perTool+n)); broken != "" {
					t.Error(broken)
				}
			}
		})
	}
	if len(list) < 6 {
		t.Errorf("only %d tools", len(list))
	}
	r, err := list[0].Request(json.RawMessage(`{"words":["a","b"]}`))
	if got := r.Query; err != nil || fmt.Sprintf("%T", got[0].Value) != "wp.Items" {
		t.Errorf("%s: %v, %v", list[0].Operation, got, err)
	}
}

// G37: with commas core reads the list that was meant, and a route that reads
// nothing itself gets the text.
func TestCommas(t *testing.T) {
	root := site(t)
	list, _ := styled(t, root, "comma")
	asked := 0
	for _, tool := range list {
		typed := strings.HasSuffix(tool.Operation, "/typed")
		if !typed && tool.Operation != "GET /bookshop/v1/wire/get" {
			continue
		}
		asked++
		r, err := tool.Request(json.RawMessage(`{"list":[1,20,3],"words":["a","b-c"],"obj":{"count":7}}`))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := root.Client().Do(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Query any }
		if err := json.Unmarshal(resp.JSON, &got); err != nil {
			t.Fatal(err)
		}
		want := "map[list:[list [[int 1] [int 20] [int 3]]] obj:[map [[count [int 7]]]] words:[list [[string a] [string b-c]]]]"
		if !typed {
			want = "map[list:[string 1,20,3] obj:[map [[count [string 7]]]] words:[string a,b-c]]"
		}
		pairs := map[string]any{}
		for _, p := range withoutRoute(got.Query).([]any)[1].([]any) {
			pairs[p.([]any)[0].(string)] = p.([]any)[1]
		}
		if arrived := fmt.Sprint(pairs); arrived != want {
			t.Errorf("%s: %s, want %s", tool.Operation, arrived, want)
		}
	}
	if asked != 3 {
		t.Errorf("%d tools were asked", asked)
	}
}
