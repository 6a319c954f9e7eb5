package curate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// nestedPaths are paths of the shop's order, each with a value that may be fixed
// there; stars are those of what is in it.
var (
	nestedPaths = map[string]string{
		"line_items": "", "line_items[].quantity": "3", "line_items[].total": `"9"`, "line_items[].gift_note": `"x"`, "line_items[].meta_data": "",
		"line_items[].meta_data[].key": `"k"`, "line_items[].meta_data[].value": "7",
		"customer": "", "customer.name": `"Ana"`, "customer.email": `"a@example.com"`, "customer.address": "", "customer.address.country": `"PT"`, "customer.address.city": `"Faro"`,
		"meta": "", "meta.footnotes": `"f"`, "tags": "", "status": `"pending"`,
	}
	nestedStars = []string{"", "line_items[]", "line_items[].meta_data[]", "customer", "customer.address", "meta"}
)

// spoken is one layer as it was drawn: what it says of each path. What is renamed
// is shown; an argument cannot be said by its old name then, and the new one is
// never given. Within an argument both names are the same value.
type spoken struct {
	hidden, fixed, shown, renamed map[string]bool
	stars                         map[string]bool
}

// drawNested draws the args of a tool for the shop's order.
func drawNested(t *rapid.T) (string, spoken) {
	s := spoken{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	var args []string
	paths := make([]string, 0, len(nestedPaths))
	for path := range nestedPaths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fix := nestedPaths[path]
		switch rapid.IntRange(0, 7).Draw(t, path) {
		case 0, 1:
			s.hidden[path] = true
			args = append(args, fmt.Sprintf("%q: hidden", path))
		case 2, 3:
			if fix != "" {
				s.fixed[path] = true
				args = append(args, fmt.Sprintf("%q: { fix: %s }", path, fix))
			}
		case 4:
			s.shown[path] = true
			args = append(args, fmt.Sprintf("%q: {}", path))
		case 5:
			if fix != "" {
				s.shown[path], s.renamed[path] = true, true
				args = append(args, fmt.Sprintf("%q: { rename: %s }", path, strings.NewReplacer(".", "_", itemsPart, "").Replace("called_"+path)))
			}
		}
	}
	for _, holder := range nestedStars {
		if rapid.IntRange(0, 3).Draw(t, "star "+holder) == 0 {
			s.stars[holder] = true
			args = append(args, fmt.Sprintf("%q: hidden", strings.TrimPrefix(holder+".*", ".")))
		}
	}
	return strings.Join(args, ", "), s
}

// holderOf is the path that a path is a part of, lists included.
func holderOf(path string) string {
	if at := strings.LastIndexByte(path, '.'); at >= 0 {
		return path[:at]
	}
	return ""
}

// gone reports, from what was written alone, that a model must not say what is
// at a path.
func (s spoken) gone(path string) bool {
	for ; path != ""; path = holderOf(path) {
		path = strings.TrimSuffix(path, itemsPart)
		named := s.shown[path]
		for shown := range s.shown {
			named = named || strings.HasPrefix(shown, path+".") || strings.HasPrefix(shown, path+itemsPart)
		}
		if s.hidden[path] || s.fixed[path] || s.renamed[path] && holderOf(path) == "" || s.stars[holderOf(path)] && !named {
			return true
		}
	}
	return false
}

// drawOrder draws arguments: what the site knows, under both of its names, and
// what it does not.
func drawOrder(t *rapid.T) map[string]any {
	some := func(values map[string]any) map[string]any {
		kept := map[string]any{}
		names := make([]string, 0, len(values))
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if rapid.IntRange(0, 2).Draw(t, name) == 0 {
				kept[name] = values[name]
			}
		}
		return kept
	}
	item := func() any {
		one := some(map[string]any{
			"quantity": json.Number("2"), "total": "1", "gift_note": "g", "gift-note": "w", "price": json.Number("1"), "unknown": "u",
			"meta_data": []any{some(map[string]any{"key": "a", "value": "b", "id": json.Number("4")})},
		})
		one["product_id"] = json.Number("7")
		return one
	}
	var customer any = some(map[string]any{
		"name": "Eva", "email": "e@example.com", "phone": "1", "address": some(map[string]any{"country": "ES", "city": "Vigo", "street": "s"}),
	})
	if rapid.Bool().Draw(t, "as text") {
		text, _ := schema.Encode(customer)
		customer = string(text)
	}
	return some(map[string]any{
		"line_items": []any{item(), item()}, "customer": customer, "meta": some(map[string]any{"footnotes": "n", "other": "o"}),
		"tags": []any{"a"}, "status": "paid", "set_paid": true, "unknown": "u",
	})
}

// at gives every value at a path of what was sent, and how many holders there
// are in which it could be.
func at(v any, parts []string) (values []any, holders int) {
	if list, is := v.([]any); is && parts[0] == itemsPart {
		for _, item := range list {
			inside, n := at(item, parts[1:])
			values, holders = append(values, inside...), holders+n
		}
		return values, holders
	}
	object, is := v.(map[string]any)
	if !is {
		return nil, 0
	}
	inner, there := object[strings.ReplaceAll(parts[0], "gift_note", "gift-note")]
	switch {
	case len(parts) == 1 && there:
		return []any{inner}, 1
	case len(parts) == 1:
		return nil, 1
	case !there:
		return nil, 0
	}
	return at(inner, parts[1:])
}

// At any depth: what is hidden cannot be said, by neither of its names; what is
// fixed is what arrives, wherever it could be; and what arrives is what the
// site's own schema takes (curation.md, principles 4, 5 and 7).
func TestNestedLaws(t *testing.T) {
	surface := shop(t)
	route := surface.Operation("POST /shop/v1/orders")
	wide, err := generate.InputSchema(route.Args, nil).Compile()
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	rapid.Check(t, func(t *rapid.T) {
		args, said := drawNested(t)
		c, err := Parse("curation.yaml", []byte("version: 1\ndefaults: { confirm: { when: never } }\ntools: { t: { from: POST /shop/v1/orders, args: { "+args+" } } }"), nil)
		if err != nil {
			t.Fatal(err)
		}
		catalog, findings := c.Apply(surface, nil)
		tool := catalog.Profiles[DefaultProfile].Tool("t")
		if tool == nil {
			// The one thing the shop requires may be what is hidden.
			if !strings.Contains(findings.Error(), "which the site requires") {
				t.Fatalf("%s: %v", args, findings)
			}
			return
		}
		given := drawOrder(t)
		text, _ := schema.Encode(given)
		r, err := tool.Request(text)
		if customer, is := given["customer"].(string); is {
			var object any
			_ = json.Unmarshal([]byte(customer), &object)
			given["customer"] = object
		}
		for path := range nestedPaths {
			if values, _ := at(given, pathParts(path)); err == nil && len(values) > 0 && said.gone(path) {
				t.Fatalf("%s: the call %s says %s and is taken: %s", args, text, path, shown(r, nil))
			}
		}
		if err != nil {
			return
		}
		sent++
		checkFixed(t, args, said, r)
		body, _ := r.Body.(map[string]any)
		if body == nil {
			body = map[string]any{}
		}
		if err := wide.Validate(body); err != nil {
			t.Fatalf("%s: %s becomes %s, which the site does not take: %v", args, text, shown(r, nil), err)
		}
	})
	if sent == 0 {
		t.Error("no call was ever sent")
	}
}

func checkFixed(t *rapid.T, args string, said spoken, r wp.Request) {
	body, _ := r.Body.(map[string]any)
	if body == nil {
		body = map[string]any{}
	}
	for path := range said.fixed {
		values, holders := at(body, pathParts(path))
		if len(values) != holders || !strings.Contains(path, itemsPart) && holders == 0 {
			t.Fatalf("%s: %s is fixed and left out: %s", args, path, shown(r, nil))
		}
		for _, v := range values {
			if jsonOf(v) != nestedPaths[path] {
				t.Fatalf("%s: %s is %s", args, path, jsonOf(v))
			}
		}
	}
	for path := range nestedPaths {
		values, _ := at(body, pathParts(path))
		fixedBelow := false
		for fixed := range said.fixed {
			fixedBelow = fixedBelow || strings.HasPrefix(fixed, path)
		}
		if len(values) > 0 && said.gone(path) && !fixedBelow {
			t.Fatalf("%s: %s is hidden, and was sent: %s", args, path, shown(r, nil))
		}
	}
}
