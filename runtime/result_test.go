package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover/wp"
)

func TestShape(t *testing.T) {
	totals := []string{"X-WP-Total: 13", "X-WP-TotalPages: 2"}
	at := func(page any) wp.Query { return wp.Query{{Name: "page", Value: page}} }
	for _, c := range []struct {
		what, json string
		headers    []string
		query      wp.Query
		how        curate.ResultShape
		want       string
	}{
		{"an object stays, its order too", `{"b":1, "a":[ ]}`, nil, nil, curate.ResultShape{}, `{"b":1,"a":[]}`},
		{"a list", `[{"slug":"simple","total":8}]`, nil, nil, curate.ResultShape{}, `{"items":[{"slug":"simple","total":8}]}`},
		{"an empty list", `[]`, nil, nil, curate.ResultShape{}, `{"items":[]}`},
		{"a list of scalars", `["a",1]`, nil, nil, curate.ResultShape{Pick: []string{"id"}}, `{"items":["a",1]}`},
		{"a string", `"ok"`, nil, nil, curate.ResultShape{}, `{"value":"ok"}`},
		{"null", `null`, nil, nil, curate.ResultShape{}, `{"value":null}`},
		{"true", `true`, nil, nil, curate.ResultShape{}, `{"value":true}`},
		{"nothing", ``, nil, nil, curate.ResultShape{}, `{"value":null}`},
		{"numbers are not touched", `{"n":12345678901234567890,"f":1.10,"e":1e3}`, nil, nil, curate.ResultShape{}, `{"n":12345678901234567890,"f":1.10,"e":1e3}`},
		{"the first page", `[1]`, totals, nil, curate.ResultShape{}, `{"items":[1],"total":13,"total_pages":2,"next_page":2}`},
		{"a page given", `[1]`, totals, at(json.Number("1")), curate.ResultShape{}, `{"items":[1],"total":13,"total_pages":2,"next_page":2}`},
		{"the last page", `[1]`, totals, at(2), curate.ResultShape{}, `{"items":[1],"total":13,"total_pages":2}`},
		{"a page as text", `[1]`, totals, at("2"), curate.ResultShape{}, `{"items":[1],"total":13,"total_pages":2}`},
		{"an offset instead", `[1]`, totals, wp.Query{{Name: "offset", Value: 5}}, curate.ResultShape{}, `{"items":[1],"total":13,"total_pages":2}`},
		{"nothing found", `[]`, []string{"X-WP-Total: 0", "X-WP-TotalPages: 0"}, nil, curate.ResultShape{}, `{"items":[],"total":0,"total_pages":0}`},
		{"odd totals", `[1]`, []string{"X-WP-Total: many", "X-WP-TotalPages: -1"}, nil, curate.ResultShape{}, `{"items":[1]}`},
		{"links", `[{"id":1,"_links":{"self":[]},"_embedded":{"author":[{"id":2,"_links":{}}]}}]`, nil, nil, curate.ResultShape{}, `{"items":[{"id":1,"_embedded":{"author":[{"id":2}]}}]}`},
		{"links in a map", `{"post":{"name":"P","_links":{}},"n":3}`, nil, nil, curate.ResultShape{}, `{"post":{"name":"P"},"n":3}`},
		{"picks of an object", `{"id":1,"title":{"raw":"r","rendered":"t"},"x":2}`, nil, nil, curate.ResultShape{Pick: []string{"title.rendered", "id", "gone", "x.deep"}}, `{"id":1,"title":{"rendered":"t"}}`},
		{"picks of each item", `[{"id":1,"x":1},{"x":2}]`, nil, nil, curate.ResultShape{Pick: []string{"id"}}, `{"items":[{"id":1},{}]}`},
		{"a pick through a list", `{"tags":[{"name":"a","x":1},{"name":"b"},7],"none":[]}`, nil, nil, curate.ResultShape{Pick: []string{"tags.name", "none.name"}}, `{"tags":[{"name":"a"},{"name":"b"}],"none":[]}`},
		{"a pick and one below it", `{"t":{"a":1,"b":2}}`, nil, nil, curate.ResultShape{Pick: []string{"t.a", "t"}}, `{"t":{"a":1,"b":2}}`},
		{"links that are picked", `{"id":1,"_links":{"a":1}}`, nil, nil, curate.ResultShape{Pick: []string{"_links"}}, `{"_links":{"a":1}}`},
		{"private in an object, nothing picked", `{"id":1,"billing":{"email":"e"},"x":{"meta_data":[1],"y":[{"meta_data":2,"z":3}]}}`, nil, nil, curate.ResultShape{Private: curate.Fields{{"billing", "**"}, {"**", "meta_data"}}}, `{"id":1,"x":{"y":[{"z":3}]}}`},
		{"private in each item, over pick", `[{"id":1,"billing":{"email":"e","city":"c"}}]`, nil, nil, curate.ResultShape{Pick: []string{"id", "billing"}, Private: curate.Fields{{"billing", "email"}}}, `{"items":[{"id":1,"billing":{"city":"c"}}]}`},
		{"private under a doubled and an escaped name", `{"key":1,"k\u0065y":2,"id":3,"key":{"key":4}}`, nil, nil, curate.ResultShape{Private: curate.Fields{{"key"}}}, `{"id":3}`},
		{"all of it private", `{"id":1}`, nil, nil, curate.ResultShape{Private: curate.Fields{{"**"}}}, `{"value":null}`},
		{"one name, any", `{"a":{"x":1},"b":{"x":1,"y":2},"x":3}`, nil, nil, curate.ResultShape{Private: curate.Fields{{"*", "x"}}}, `{"a":{},"b":{"y":2},"x":3}`},
		{"private, raw", `{"id":1,"key":2,"_links":{}}`, nil, nil, curate.ResultShape{Raw: true, Private: curate.Fields{{"key"}}}, `{"id":1,"_links":{}}`},
		{"dropped", `[{"id":1,"a":{"b":1.10,"c":2}}]`, nil, nil, curate.ResultShape{Pick: []string{"id", "a"}, Drop: curate.Fields{{"a", "b"}}}, `{"items":[{"id":1,"a":{"c":2}}]}`},
		{"renamed to where the path began", `{"id":1,"title":{"rendered":"t"},"x":2}`, nil, nil, curate.ResultShape{Rename: []curate.Renamed{{Path: "title.rendered", Name: "title"}}}, `{"id":1,"title":"t","x":2}`},
		{"renamed out of what stays", `{"title":{"rendered":"t","raw":"r"}}`, nil, nil, curate.ResultShape{Rename: []curate.Renamed{{Path: "title.rendered", Name: "text"}}}, `{"title":{"raw":"r"},"text":"t"}`},
		{"no name is there twice", `{"title":{"rendered":"t","raw":"r"}}`, nil, nil, curate.ResultShape{Rename: []curate.Renamed{{Path: "title.rendered", Name: "title"}}}, `{"title":{"raw":"r"},"title.rendered":"t"}`},
		{"renamed for each other", `{"a":1,"b":2}`, nil, nil, curate.ResultShape{Rename: []curate.Renamed{{Path: "a", Name: "b"}, {Path: "b", Name: "a"}}}, `{"b":1,"a":2}`},
		{"renamed in the items of a list", `{"lines":[{"p":{"name":"n"}},7,{"p":null}]}`, nil, nil, curate.ResultShape{Rename: []curate.Renamed{{Path: "lines.p.name", Name: "product"}}}, `{"lines":[{"product":"n"},7,{"p":null}]}`},
		{"renamed and not there", `{"id":1,"title":"t"}`, nil, nil, curate.ResultShape{Rename: []curate.Renamed{{Path: "title.rendered", Name: "x"}, {Path: "gone", Name: "y"}}}, `{"id":1,"title":"t"}`},
		{"long texts", `{"a":"äöüß","b":["äöü"],"längerer":1}`, nil, nil, curate.ResultShape{MaxText: 3}, `{"a":"äöü… [shortened]","b":["äöü"],"längerer":1,"truncated":"` + notWhole + ` This tool has no more of them."}`},
		{"Markdown", `{"t":"<p>A <b>b</b> &amp; c</p>","raw":"<p>r</p>","plain":"a < b & c_d"}`, nil, nil, curate.ResultShape{HTML: curate.Markdown}, `{"t":"A **b** & c","raw":"<p>r</p>","plain":"a < b & c_d"}`},
		{"text", `{"t":"<!-- c --><h2>T</h2><p>A <b>b</b>&#8217;s\nc<br>d</p><script>x()</script><ul><li>e</li></ul>","u":["x &lt; y"]}`, nil, nil, curate.ResultShape{HTML: curate.TextHTML}, `{"t":"T\nA b’s c\nd\ne","u":["x < y"]}`},
		{"kept", `{"t":"<p>A</p>"}`, nil, nil, curate.ResultShape{HTML: curate.KeepHTML}, `{"t":"<p>A</p>"}`},
		{"all at once", `[{"id":1,"t":{"rendered":"<p>abcdef</p>","x":1},"secret":9,"y":0}]`, nil, nil, curate.ResultShape{
			Pick: []string{"id", "t", "secret"}, Private: curate.Fields{{"secret"}}, Drop: curate.Fields{{"t", "x"}}, Rename: []curate.Renamed{{Path: "t.rendered", Name: "text"}}, HTML: curate.Markdown, MaxText: 4,
		}, `{"items":[{"id":1,"text":"abcd… [shortened]"}],"truncated":"` + notWhole + ` A tool that reads one item may have more of them."}`},
		{"markup is left alone", `{"c":"<p>a & b</p>"}`, nil, nil, curate.ResultShape{}, `{"c":"<p>a & b</p>"}`},
		{"broken UTF-8", "{\"c\":\"a\xffb\"}", nil, nil, curate.ResultShape{}, "{\"c\":\"a\uFFFDb\"}"},
	} {
		h := http.Header{}
		for _, line := range c.headers {
			name, value, _ := strings.Cut(line, ": ")
			h.Set(name, value)
		}
		got, err := shape(wp.Request{Query: c.query}, &wp.Response{Header: h, JSON: json.RawMessage(c.json)}, c.how, wanted{})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s %v\nwant %s", c.what, got, err, c.want)
		}
	}
}

func TestTooLargeLists(t *testing.T) {
	item := func(n int) string { return `{"id":` + strings.Repeat("1", n) + `}` }
	list := "[" + item(200) + "," + item(200) + "," + item(200) + "]"
	resp := &wp.Response{Header: http.Header{"X-Wp-Total": {"3"}}, JSON: json.RawMessage(list)}
	got, err := shape(wp.Request{}, resp, curate.ResultShape{MaxBytes: 600}, wanted{})
	if want := `{"items":[` + item(200) + "," + item(200) + `],"total":3,"truncated":"` + leftOut(1, 3, nil) + `"}`; err != nil || string(got) != want {
		t.Errorf("%s %v\nwant %s", got, err, want)
	}
	if _, err := shape(wp.Request{}, resp, curate.ResultShape{MaxBytes: 100}, wanted{}); !errors.Is(err, errTooLarge) {
		t.Errorf("nothing to cut: %v", err)
	}
	text := `[{"id":1,"content":"` + strings.Repeat("ü", 5000) + `"},{"id":2}]`
	got, err = shape(wp.Request{}, &wp.Response{JSON: json.RawMessage(text)}, curate.ResultShape{MaxBytes: 1000}, wanted{})
	if err != nil || len(got) > 1000 || !strings.HasPrefix(string(got), `{"items":[{"id":1,"content":"üü`) || !strings.Contains(string(got), marker) {
		t.Errorf("%d %s %v", len(got), got, err)
	}
}

func TestTooLargeObjects(t *testing.T) {
	long := strings.Repeat("x", 3000)
	got, err := shape(wp.Request{}, &wp.Response{JSON: json.RawMessage(`{"id":7,"truncated":true,"a":"` + long + `","b":"short","c":"` + long + `"}`)}, curate.ResultShape{MaxBytes: 1000}, wanted{})
	if err != nil || len(got) > 1000 || len(got) < 900 {
		t.Fatalf("%d bytes: %s %v", len(got), got, err)
	}
	for _, want := range []string{`"id":7`, `"truncated":true`, `"b":"short"`, `"toolpress_truncated":"` + notWhole} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if _, err := shape(wp.Request{}, &wp.Response{JSON: json.RawMessage(`{"n":[` + strings.Repeat("1,", 999) + `1]}`)}, curate.ResultShape{MaxBytes: 1000}, wanted{}); !errors.Is(err, errTooLarge) {
		t.Errorf("numbers cannot be cut: %v", err)
	}
}

// Whatever the site sends and however little is allowed: a result is one valid
// JSON object within the bound, in valid UTF-8, or too large.
func TestTruncationIsAlwaysValid(t *testing.T) {
	value := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(3) })
	rapid.Check(t, func(t *rapid.T) {
		// json.Marshal writes some characters as escapes; the rest stay.
		text, err := json.Marshal(value.Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "escaped") {
			text = ascii(text)
		}
		most := rapid.IntRange(1, len(text)+400).Draw(t, "most")
		got, err := shape(wp.Request{}, &wp.Response{JSON: text}, curate.ResultShape{MaxBytes: most}, wanted{})
		if errors.Is(err, errTooLarge) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var into map[string]any
		if err := json.Unmarshal(got, &into); err != nil || !utf8.Valid(got) {
			t.Fatalf("%v: %s", err, got)
		}
		if len(got) > most {
			t.Fatalf("%d bytes of %d: %s", len(got), most, got)
		}
		// A pair that is cut in the middle decodes to a replacement character.
		broken := func(text []byte) bool {
			var v any
			return json.Unmarshal(text, &v) == nil && strings.Contains(fmt.Sprintf("%q", v), "\uFFFD")
		}
		if broken(got) && !broken(text) {
			t.Fatalf("a character was cut: %s", got)
		}
	})
}

func anyJSON(depth int) *rapid.Generator[any] {
	texts := rapid.OneOf(
		rapid.StringN(0, 80, -1),
		rapid.StringOfN(rapid.RuneFrom([]rune("a\\\"\n\u2028ü€😀<&\x00")), 0, 200, -1),
	)
	scalar := rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.Int(), func(i int) any { return i }), rapid.Map(texts, func(s string) any { return s }))
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(scalar,
		rapid.Map(rapid.SliceOfN(anyJSON(depth-1), 0, 5), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.StringN(0, 8, -1), anyJSON(depth-1), 0, 5), func(m map[string]any) any { return m }))
}

// ascii writes JSON as PHP does by default: everything else as escapes.
func ascii(text []byte) []byte {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		default:
			for _, u := range utf16Of(r) {
				b.WriteString(`\u`)
				for shift := 12; shift >= 0; shift -= 4 {
					b.WriteByte("0123456789abcdef"[u>>shift&15])
				}
			}
		}
	}
	return []byte(b.String())
}

func utf16Of(r rune) []uint16 {
	if r < 0x10000 {
		return []uint16{uint16(r)}
	}
	r -= 0x10000
	return []uint16{uint16(0xd800 + r>>10), uint16(0xdc00 + r&0x3ff)}
}
