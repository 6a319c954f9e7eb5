package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"toolpress/discover/wptest"
)

// T34: on a shop, an order of one key is made once, by however many at one time;
// another key makes another.
func TestAnOrderIsMadeOnce(t *testing.T) {
	c := openShop(t, bothPresets+"tools: { order_intent: { calls: 1000/s } }\n")
	orders := func() int {
		text, _ := c.call(t, "editor", "find_orders", `{"per_page":1}`)
		var page struct{ Total int }
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	before := orders()
	const order = `{"line_items":[{"product_id":101,"quantity":1}],"idempotency_key":"%s"}`
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if text, failed := c.call(t, "editor", "order_intent", fmt.Sprintf(order, "k-1")); failed || !strings.Contains(text, `"id":210`) {
				t.Errorf("%t %s", failed, text)
			}
		})
	}
	wg.Wait()
	w := c.written()
	if len(w) != 1 || strings.Contains(w[0], "idempotency") || orders() != before+1 {
		t.Errorf("%q reached the site; %d orders, and %d before", w, orders(), before)
	}
	if text, failed := c.call(t, "editor", "order_intent", fmt.Sprintf(order, "k-2")); failed || orders() != before+2 {
		t.Errorf("%d orders: %s", orders(), text)
	}
	// What the shop refuses leaves the key free.
	bad := strings.Replace(fmt.Sprintf(order, "k-3"), "101", "999", 1)
	if text, failed := c.call(t, "editor", "order_intent", bad); !failed || !strings.Contains(text, "woocommerce_rest_invalid_product_id") {
		t.Errorf("%t %s", failed, text)
	}
	if text, failed := c.call(t, "editor", "order_intent", fmt.Sprintf(order, "k-3")); failed || orders() != before+3 {
		t.Errorf("%d orders: %s", orders(), text)
	}
}

// The command line goes the same way: what one call remembers the next one knows, in
// the user's directory or one that is named. Where nothing can be remembered nothing
// is called; serve says so at its start, and a dry run needs none of it.
func TestCallIsMadeOnce(t *testing.T) {
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(`version: 1
defaults: { confirm: { when: never } }
tools:
  draft:
    from: POST /wp/v2/posts
    args: { "*": hidden, title: { required: true }, status: { fix: draft } }
    result: { pick: [id] }
    idempotency: { argument: key, window: 1h }
  find: { from: GET /wp/v2/posts, args: { "*": hidden, status: { fix: [draft] }, search: {} }, result: { pick: [id] } }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	shop := wptest.New()
	address, end, err := startBookshop(shop)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	dir := t.TempDir()
	env := as(address, shop.Users()[1], "XDG_STATE_HOME", dir)
	toolpress := func(args ...string) (stdout, stderr string, code int) {
		var out, told bytes.Buffer
		code = run(t.Context(), append(args, "--curation", curation), func(name string) string { return env[name] }, nil, &out, &told)
		return out.String(), told.String(), code
	}
	first, told, code := toolpress("call", "draft", "title=Once", "key=k-1")
	if code != exitOK || told != "" || !strings.Contains(first, `"id"`) {
		t.Fatalf("%d %s %s", code, first, told)
	}
	again, told, code := toolpress("call", "draft", "title=Once", "key=k-1")
	if code != exitOK || again != first || !strings.Contains(told, "This is the result of the first call with this key") {
		t.Errorf("%d %s %s", code, again, told)
	}
	other, _, code := toolpress("call", "draft", "title=Once", "key=k-1", "--state-dir", t.TempDir())
	if code != exitOK || other == first {
		t.Errorf("in another directory: %d %s", code, other)
	}
	if found, _, _ := toolpress("call", "find", "search=Once"); strings.Count(found, `"id"`) != 2 {
		t.Errorf("found %s", found)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "toolpress", "calls", "127.0.0.1_*.jsonl")); len(files) != 1 {
		t.Errorf("files: %q", files)
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	delete(env, "XDG_STATE_HOME")
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "there is no place for it"},
		{[]string{"--state-dir", file}, "remembering calls in " + filepath.Join(file, "calls", "127.0.0.1_")},
	} {
		_, told, code := toolpress(append([]string{"call", "draft", "title=Once", "key=k-2"}, c.args...)...)
		if code != exitFailed || !strings.Contains(told, c.says) || !strings.Contains(told, "hint: --state-dir DIR") {
			t.Errorf("%q: %d %s", c.args, code, told)
		}
		if out, told, code := toolpress(append([]string{"call", "--dry-run", "draft", "title=Once", "key=k-2"}, c.args...)...); code != exitOK || !strings.Contains(out, `{"status":"draft","title":{"raw":"Once"}}`) {
			t.Errorf("%q: %d %s %s", c.args, code, out, told)
		}
	}
	s := (&recipe{t, filepath.Dir(curation), env}).serve("curation.yaml")
	s.log.Await(t, "until that works, calls of draft are refused", patience)
	session := s.session("/mcp", "")
	wants(t, said(t, session, "draft", `{"title":"Once","key":"k-2"}`), "…draft was not run: toolpress has to remember its calls")
	if found := said(t, session, "find", `{"search":"Once"}`); strings.Count(found, `"id"`) != 2 {
		t.Errorf("found %s", found)
	}
}
