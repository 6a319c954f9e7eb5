package runtime

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// W79: what the site dropped or changed is named as the model calls it, in the text
// and in the structure, and what means the same, is a way of saying what to do, or
// is in no answer, is not. Nothing private is compared.
func TestWhatWasNotStored(t *testing.T) {
	d := &desk{}
	s := deskServer(t, d, deskTools)
	for _, c := range []struct{ tool, arguments, answer, want string }{
		{"save", `{"id":5,"title":"A","text":"x","state":"draft","password":"p","tags":[2,"1"]}`, `{"id":5,"title":{"raw":"A","rendered":"B"},"content":{"raw":"x"},"status":"draft","tags":[1,2],"force":false}`, ``},
		{"save", `{"id":5,"meta":{"a":"x","b":5,"c":"","d":null,"e":{"f":1}}}`, `{"id":5,"meta":[]}`, `meta.a: The site did not store it.|meta.b: The site did not store it.|meta.e: The site did not store it.`},
		{"save", `{"id":5,"meta":{"a":{"b":[1,2]},"c":true}}`, `{"id":5,"meta":{"a":{"b":["2"]},"c":"1"}}`, `meta.a.b: The site stored ["2"] instead of [1,2].`},
		{"save", `{"id":5,"state":"publish","title":"A"}`, `{"id":5,"status":"pending","title":{"rendered":"A"}}`, `state: The site stored "pending" instead of "publish".`},
		{"publish", `{"id":5}`, `{"id":5,"status":"pending"}`, `status: The site stored "pending", and not what this tool sends.`},
		{"save", `{"id":5,"title":"A"}`, `{"id":5,"status":"draft","meta":[],"tags":[],"content":{}}`, `title: It is not in the site's answer.`},
		{"save", `{"id":5,"title":"A","password":"p"}`, `{"id":5,"status":"draft"}`, ``}, // a part of one
		{"save", `{"id":5,"title":"A"}`, `{"ok":true}`, ``}, // the answer is about something else
		{"save", `{"id":5,"title":"A"}`, `"done"`, ``},
		{"save", `{"id":5,"title":"A"}`, `[{"id":5,"title":"B"}]`, ``},
		{"save", `{"id":5,"title":"A","warnings":1}`, ``, ``},
		{"save", `{"id":5,"date":"2026-07-01T10:00:00+02:00"}`, `{"id":5,"date":"2026-07-01T09:00:00","date_gmt":"2026-07-01T08:00:00"}`, ``},
		{"save", `{"id":5,"date":"2026-07-01T10:00:00+02:00"}`, `{"id":5,"date":"2026-07-01T10:00:00","date_gmt":"2026-07-01T09:00:00"}`, `date: The site stored "2026-07-01T10:00:00" instead of "2026-07-01T10:00:00+02:00".`},
		{"save", `{"id":5,"date":"2026-07-01 10:00:00"}`, `{"id":5,"date":"2026-07-02T10:00:00"}`, `date: The site stored "2026-07-02T10:00:00" instead of "2026-07-01 10:00:00".`},
		{
			"save", `{"id":5,"text":"` + strings.Repeat("a ", 500) + `<script>x</script> end"}`, `{"id":5,"content":{"raw":"` + strings.Repeat("a ", 500) + `x end"}}`,
			`text: The site stored it otherwise from character 1001 on: "…a a a a a a a a a a x end" instead of "…a a a a a a a a a a <script>x</script> end".`,
		},

		// WooCommerce's shapes.
		{
			"order", `{"id":5,"status":"completed","set_paid":true,"note":"x","total":"10","sale_to":"2026-01-31","manage_stock":false,"image":{"src":"https://a.example/x.png","alt":"A"},"meta_data":[{"key":"a","value":1}],"line_items":[{"product_id":1}]}`,
			`{"id":5,"status":"completed","total":"10.00","sale_to":"2026-01-31T23:59:59","manage_stock":false,"image":{"id":9,"src":"https://t.example/x-1.png","alt":"A"},"meta_data":[{"id":1,"key":"a","value":"1"}],"line_items":[{"id":4,"product_id":1,"quantity":1}]}`, ``,
		},
		{"order", `{"id":5,"manage_stock":true,"stock_quantity":0,"line_items":[{"product_id":1}]}`, `{"id":5,"manage_stock":true,"stock_quantity":null,"line_items":[]}`, `line_items: The site did not store it.`},
		{"order", `{"id":5,"stock_quantity":3}`, `{"id":5,"stock_quantity":null}`, `stock_quantity: The site did not store it.`},
		{"order", `{"id":5,"bill":{"phone":"1","town":"Faro"}}`, `{"id":5,"billing":{"phone":"SECRET","city":"FARO"}}`, `bill.town: The site stored "FARO" instead of "Faro".`},
		{"order", `{"id":5,"bill":{"phone":"1"},"meta_data":[],"total":"7"}`, `{"id":5,"billing":[],"total":"SECRET"}`, `total: The site stored another value than the one sent.`},
		{"order", `{"id":5,"image":{"secret_key":"x","b":1}}`, `{"id":5,"image":{"secret_key":"SECRET","b":{"secret_key":"SECRET"}}}`, ``},
	} {
		d.answer = c.answer
		res := d.said(t, s, c.tool, c.arguments)
		text, _ := json.Marshal(res)
		if strings.Contains(string(text), "SECRET") {
			t.Errorf("%s", text)
		}
		if c.answer == "" {
			continue
		}
		var got struct {
			Warnings []struct{ Argument, Warning string }
		}
		if err := json.Unmarshal(res.StructuredContent.(json.RawMessage), &got); err != nil || res.Content[0].(*mcp.TextContent).Text != string(res.StructuredContent.(json.RawMessage)) {
			t.Errorf("%s: %v", text, err)
		}
		var lines []string
		for _, w := range got.Warnings {
			lines = append(lines, w.Argument+": "+w.Warning)
		}
		if said := strings.Join(lines, "|"); said != c.want {
			t.Errorf("%s %s\n%s\nsays %s\nwant %s", c.tool, c.arguments, c.answer, said, c.want)
		}
	}
	for asked := range strings.SplitSeq(d.took(), ", ") {
		if strings.HasPrefix(asked, "POST") && strings.Contains(asked, "_fields") {
			t.Error(asked)
		}
	}
}

// Warnings are within max_bytes, are not cut, keep a name of the answer's own, and
// stand in the text of an answer that is left out.
func TestWarningsFit(t *testing.T) {
	d := &desk{answer: `{"id":5,"status":"pending","warnings":"own","text":"` + strings.Repeat("long ", 300) + `"}`}
	for most, want := range map[string]string{
		"64KiB": `"warnings":"own","text":"` + strings.Repeat("long ", 300) + `","toolpress_warnings":[{"argument":"status","warning":"The site stored \"pending\" instead of \"publish\"."}]}`,
		"512":   `… [shortened]","truncated":"Texts that end in [shortened] are not whole: never write them back. This tool has no more of them.","toolpress_warnings":[{"argument":"status","warning":"The site stored \"pending\" instead of \"publish\"."}]}`,
		"256":   "Next: do not repeat the call; read what it changed if that is needed.\n- status: The site stored \"pending\" instead of \"publish\".",
	} {
		s := deskServer(t, d, `tools: { save: { from: "POST /wp/v2/posts/{id}", result: { max_bytes: `+most+` } } }`)
		res := d.said(t, s, "save", `{"id":5,"status":"publish"}`)
		text := res.Content[0].(*mcp.TextContent).Text
		if limit := map[string]int{"64KiB": 64 << 10, "512": 512, "256": 300}[most]; !strings.HasSuffix(text, want) || len(text) > limit || res.IsError == json.Valid([]byte(text)) {
			t.Errorf("%s: %d bytes: %s", most, len(text), text)
		}
	}
}
