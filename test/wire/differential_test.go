package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// judged is one value: what toolpress says of it, and what WordPress does.
type judged struct {
	schema, value any
	skipped       bool // toolpress shows no such argument
	coerced       any
	fault         error // toolpress's; nil takes the value and sends coerced
	core, sent    verdict
}

// verdict is WordPress's of the value, and of what toolpress sends for it: a
// code and message, or the sanitised value in the form of the plugin's
// bookshop_exact.
type verdict struct {
	Code, Message string
	Value         any
}

func (v verdict) takes() bool { return v.Code == "" }

func (j judged) String() string {
	text := func(v any) string {
		b, _ := schema.Encode(v)
		return string(b)
	}
	return fmt.Sprintf("%s for %s\n  toolpress: %s %v\n  WordPress: %s %s %s\n  WordPress of what toolpress sends: %s %s %s",
		text(j.value), text(j.schema), text(j.coerced), j.fault, text(j.core.Value), j.core.Code, j.core.Message, text(j.sent.Value), j.sent.Code, j.sent.Message)
}

// checkOf is toolpress's check of an argument with this schema; nil where it has
// none, or shows only a part of it.
func checkOf(t testing.TB, written any) *reading {
	t.Helper()
	surface := generate.FromSite(&discover.Site{Routes: []discover.Route{{
		Path: "/t/v1/x", Pattern: "/t/v1/x", Namespace: "t/v1", Endpoints: []discover.Endpoint{{Methods: []string{"POST"}, Args: map[string]any{"v": written}}},
	}}})
	if len(surface.Operations) != 1 || surface.Operations[0].Arg("v") == nil || surface.Operations[0].Arg("v").Raw {
		return nil
	}
	compiled := surface.Operations[0].Arg("v").Schema
	check, err := compiled.Compile()
	if err != nil {
		t.Fatalf("%v: %v", written, err)
	}
	return &reading{compiled, check}
}

// reading is a schema as toolpress reads it.
type reading struct {
	*schema.Schema
	check *schema.Check
}

// judge asks both of each value, in one request.
func judge(t testing.TB, c *wp.Client, cases []judged) {
	t.Helper()
	type asked struct {
		Schema any   `json:"schema"`
		Values []any `json:"values"`
	}
	var list []asked
	for i := range cases {
		j := &cases[i]
		if check := checkOf(t, j.schema); check == nil {
			j.skipped = true
		} else if what := schema.Excess(j.value); what != "" {
			j.fault = errors.New("it holds " + what)
		} else {
			coerced, fault := check.check.Coerce(j.value)
			if j.fault = fault; fault == nil {
				j.fault = check.check.Validate(coerced)
				j.coerced = check.OnWire(coerced) // as it is sent
			}
		}
		list = append(list, asked{j.schema, []any{j.value, j.coerced}})
	}
	resp, err := c.Do(t.Context(), wp.Request{Method: "POST", Segments: []string{"bookshop", "v1", "validate"}, Body: map[string]any{"cases": list}})
	if err != nil {
		t.Fatal(err)
	}
	var said [][]verdict
	if err := json.Unmarshal(resp.JSON, &said); err != nil || len(said) != len(cases) {
		t.Fatalf("%d verdicts for %d cases, %v: %.500s", len(said), len(cases), err, resp.JSON)
	}
	for i := range cases {
		cases[i].core, cases[i].sent = said[i][0], said[i][1]
	}
}

// The ways to differ. broken is never right: WordPress took what a model said,
// and not what toolpress made of it. A text of JSON that WordPress takes apart at
// its commas it did not take.
const (
	refused = "refused here"
	left    = "left to the site"
	mended  = "mended here"
	read    = "read otherwise"
	broken  = "broken here"
)

// way says how the two differ; empty where they agree.
func (j judged) way() string {
	switch {
	case j.fault != nil && j.core.takes():
		return refused
	case j.fault != nil:
		return ""
	case j.core.takes() && !j.sent.takes() && !spellsJSON(j.value):
		return broken
	case !j.sent.takes():
		return left
	case j.core.takes() && !same(j.core.Value, j.coerced):
		return read
	case !j.core.takes():
		return mended
	}
	return ""
}

// same compares what PHP has with a value of ours.
func same(exact, v any) bool {
	pair, _ := exact.([]any)
	if len(pair) != 2 {
		return false
	}
	switch pair[0] {
	case "list":
		list := pair[1].([]any)
		if object, isObject := v.(map[string]any); isObject { // PHP has one kind of array
			v = wp.List(object)
			for i := range list {
				if _, there := object[strconv.Itoa(i)]; !there {
					return false
				}
			}
		}
		own, _ := v.([]any)
		return v != nil && slices.EqualFunc(list, own, same)
	case "map":
		own, isObject := v.(map[string]any)
		if pairs := pair[1].([]any); isObject && len(pairs) == len(own) {
			return !slices.ContainsFunc(pairs, func(p any) bool { return !same(p.([]any)[1], own[p.([]any)[0].(string)]) })
		}
		return false
	case "int", "float":
		number, isNumber := v.(json.Number)
		return isNumber && sameNumber(pair[1].(string), number.String(), pair[0] == "float")
	}
	return pair[1] == v
}

func sameNumber(php, ours string, float bool) bool {
	if float {
		a, _ := strconv.ParseFloat(php, 64)
		b, err := strconv.ParseFloat(ours, 64)
		return err == nil && a == b
	}
	a, first := new(big.Rat).SetString(php)
	b, second := new(big.Rat).SetString(ours)
	return first && second && a.Cmp(b) == 0
}
