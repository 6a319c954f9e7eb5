package runtime

import (
	"encoding/json"
	"strings"
	"testing"

	"toolpress/discover/wp"
)

// W80: rendered HTML is not put over blocks; one request looks, and only where
// something depends on it. Where it cannot look, the change is made and said to be
// unseen.
func TestNotOverBlocks(t *testing.T) {
	const block = `<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->`
	d := &desk{text: block, modified: "2026-01-31T09:30:00", answer: `{"id":5}`}
	s := deskServer(t, d, deskTools)
	quoted := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	refused := &wp.Error{Kind: wp.Refused, Status: 403, Code: "rest_forbidden_context", Method: "GET", Sent: true}
	for _, c := range []struct {
		what, stored, arguments string
		reading                 error
		asked, says             string
	}{
		{"HTML over blocks", block, `{"id":5,"text":"<p>b</p>"}`, nil, "GET /wp/v2/posts/5?context=edit&_fields=content.raw", "!and the new text has none: they would be lost.\nNext: read it as it is stored with read_source,"},
		{"nothing over blocks", block, `{"id":5,"text":""}`, nil, "GET /wp/v2/posts/5?context=edit&_fields=content.raw", "!Nothing was sent"},
		{"blocks over blocks", block, `{"id":5,"text":` + quoted(block) + `}`, nil, "POST /wp/v2/posts/5", `{"id":5}`},
		{"HTML over HTML", "<p>a</p>", `{"id":5,"text":"<p>b</p>"}`, nil, "GET /wp/v2/posts/5?context=edit&_fields=content.raw, POST /wp/v2/posts/5", `{"id":5}`},
		{"no text", block, `{"id":5,"title":"b"}`, nil, "POST /wp/v2/posts/5", `{"id":5}`},
		{"may not look", block, `{"id":5,"text":"<p>b</p>"}`, refused, "GET /wp/v2/posts/5?context=edit&_fields=content.raw, POST /wp/v2/posts/5", `{"id":5,"warnings":[{"argument":"text","warning":"How it was stored before could not be looked up (rest_forbidden_context): if it was blocks, they are lost."}]}`},
		{"a shortened end", block, `{"id":5,"text":` + quoted(block+" and… [shortened]\n") + `}`, nil, "", "!Nothing was sent: text holds \"… [shortened]\""},
		{"a shortened title", block, `{"id":5,"title":"and… [shortened]"}`, nil, "", "!Nothing was sent: title holds \"… [shortened]\""},
		{"what stands for a part", block, `{"id":5,"title":" [in part 2]"}`, nil, "", "!Nothing was sent: title holds \"[in part 2]\""},
		{"a word of a part", block, `{"id":5,"title":"see [in part 2]"}`, nil, "POST /wp/v2/posts/5", `{"id":5}`},
		{"a shortened middle", block, `{"id":5,"text":` + quoted(block+"… [shortened]</p>") + `}`, nil, "GET /wp/v2/posts/5?context=edit&_fields=content.raw", "!Nothing was sent: text holds"},
		{"a mark of its own", block + "… [shortened]!", `{"id":5,"text":` + quoted(block+"… [shortened]!!") + `}`, nil, "GET /wp/v2/posts/5?context=edit&_fields=content.raw, POST /wp/v2/posts/5", `{"id":5}`},
		{"shortened, may not look", block, `{"id":5,"text":` + quoted(block+"… [shortened]</p>") + `}`, refused, "GET /wp/v2/posts/5?context=edit&_fields=content.raw", "!Nothing was sent: text holds"},
	} {
		d.text, d.reading, d.asked = c.stored, c.reading, nil
		res := d.said(t, s, "save", c.arguments)
		text, asked := whole(res), d.took()
		if says, fails := strings.CutPrefix(c.says, "!"); asked != c.asked || res.IsError != fails || !strings.Contains(text, says) {
			t.Errorf("%s: asked %s\n%s", c.what, asked, text)
		}
	}
}

// What is prevented has a line of its own in the audit, and no status.
func TestPreventedIsAudited(t *testing.T) {
	d := &desk{text: "<!-- wp:spacer /-->", answer: `{"id":5}`}
	var log logs
	s := deskServer(t, d, deskTools)
	s.audit = newAuditor(Options{Audit: &log})
	d.said(t, s, "save", `{"id":5,"text":"b"}`)
	d.said(t, s, "save", `{"id":5,"title":"b… [shortened]"}`)
	if got := log.String(); strings.Count(got, `"outcome":"prevented","duration_s"`) != 2 || strings.Count(got, "\n") != 2 {
		t.Error(got)
	}
}

// What was changed since it was read is not changed again: the same look, with
// whoever changed it, in WooCommerce by its own name of the time.
func TestUnmodified(t *testing.T) {
	d := &desk{text: "<p>a</p>", modified: "2026-01-31T09:30:00", answer: `{"id":5}`}
	s := deskServer(t, d, deskTools)
	const look = "GET /wp/v2/posts/5?context=edit&_fields=content.raw,modified_gmt"
	const lookTime = "GET /wp/v2/posts/5?context=edit&_fields=modified_gmt"
	const who = ", GET /wp/v2/posts/5/revisions?context=edit&per_page=5&_fields=author,date_gmt"
	const post = ", POST /wp/v2/posts/5"
	broken := &wp.Error{Kind: wp.Broken, Method: "GET", Sent: true}
	for _, c := range []struct {
		what, tool, arguments string
		reading               error
		asked, says           string
	}{
		{"as it was read", "checked", `{"id":5,"text":"b","seen":"2026-01-31T09:30:00"}`, nil, look + post, `{"id":5}`},
		{"in another spelling", "checked", `{"id":5,"title":"b","seen":"2026-01-31 09:30:00Z"}`, nil, lookTime + post, `{"id":5}`},
		{"not said", "checked", `{"id":5,"title":"b"}`, nil, post[2:], `{"id":5}`},
		{"changed since", "checked", `{"id":5,"title":"b","seen":"2026-01-31T09:29:59"}`, nil, lookTime + who, "!Nothing was sent: it was changed after you read it, by the user 9: its modified_gmt is 2026-01-31T09:30:00 now, and no longer 2026-01-31T09:29:59.\nNext: read it again with read_source, make your change in what it is now, and call checked with the new seen."},
		{"cannot look", "checked", `{"id":5,"title":"b","seen":"2026-01-31T09:30:00"}`, broken, lookTime, "!Nothing was sent: whether it was changed since you read it could not be looked up. The connection to the site broke before it answered.\nNext: try once more"},
		{"no time", "checked", `{"id":5,"title":"b","seen":"yesterday"}`, nil, "", "!seen must match"},
		{"an order", "order", `{"id":5,"status":"completed","seen":"2026-01-31T09:30:00"}`, nil, "GET /wc/v3/orders/5?context=edit&_fields=date_modified_gmt", "!the site does not say when it was changed last"},
	} {
		d.reading, d.asked = c.reading, nil
		res := d.said(t, s, c.tool, c.arguments)
		text, asked := whole(res), d.took()
		if says, fails := strings.CutPrefix(c.says, "!"); asked != c.asked || res.IsError != fails || !strings.Contains(text, says) {
			t.Errorf("%s: asked %s\n%s", c.what, asked, text)
		}
	}
}

// Where no tool reads the stored text by itself, the model is told how one does.
func TestReadWithContext(t *testing.T) {
	d := &desk{text: "<!-- wp:spacer /-->", answer: `{"id":5}`}
	s := deskServer(t, d, `
tools:
  a_raw: { from: "GET /wp/v2/posts/{id}", args: { context: { rename: view } }, result: { raw: true } }
  save: { from: "POST /wp/v2/posts/{id}" }
`)
	if text := whole(d.said(t, s, "save", `{"id":5,"content":"b"}`)); !strings.Contains(text, "Next: read it as it is stored with a_raw (view: edit), change") {
		t.Error(text)
	}
}

// Who is told to read again is told with a tool that gives the time which is asked
// for, and is not given what was kept from before: or nothing would ever go on.
func TestReadAgainIsNew(t *testing.T) {
	d := &desk{text: "<!-- wp:spacer /-->", modified: "2026-01-31T09:30:00", answer: `{"id":5}`}
	s := NewServer(deskCatalog(t, `
tools:
  a_long_source: { from: "GET /wp/v2/posts/{id}", args: { context: { fix: edit } }, result: { pick: [content.raw], max_bytes: 64KiB } }
  a_raw: { from: "GET /wp/v2/posts/{id}", args: { context: { rename: view } }, result: { raw: true } }
  source: { from: "GET /wp/v2/posts/{id}", args: { context: { fix: edit } }, result: { pick: [content.raw, modified_gmt] }, cache: 1h }
  save: { from: "POST /wp/v2/posts/{id}", result: { pick: [id] }, if_unmodified: { argument: seen, required: false } }
`), Options{Site: knownDesk{d}})
	for _, c := range []struct{ arguments, now, says string }{
		{`{"id":5,"title":"b","seen":"2026-01-31T09:30:00"}`, "2026-01-31T09:31:00", "Next: read it again with source, make"},
		{`{"id":5,"content":"b"}`, "2026-01-31T09:32:00", "Next: read it as it is stored with a_long_source, change"},
	} {
		d.said(t, s, "source", `{"id":5}`)
		d.modified = c.now
		if text := whole(d.said(t, s, "save", c.arguments)); !strings.Contains(text, c.says) {
			t.Error(text)
		}
		if text := whole(d.said(t, s, "source", `{"id":5}`)); !strings.Contains(text, c.now) {
			t.Errorf("%s: %s", c.arguments, text)
		}
	}
}
