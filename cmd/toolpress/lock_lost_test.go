package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// T19: a lock that was there when a curation was served before is not forgotten by
// losing its file: the next start says so, and begins nothing. Another curation's is
// its own, and what was never there is a first use.
func TestLostLock(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const text = "version: 1\ntools: { hours: { from: \"ability:shop/hours\" } }\nlock: { file: a.lock.json }\n"
	for name, text := range map[string]string{"a.yaml": text, "b.yaml": strings.Replace(text, "a.lock", "b.lock", 1)} {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	toolpress := func(args ...string) (int, string) {
		var out, errs strings.Builder
		code := run(t.Context(), args, func(string) string { return "" }, strings.NewReader(""), &out, &errs)
		return code, errs.String()
	}
	// Nothing answers there: a start that begins at all ends with that.
	serve := func(curation string) (int, string) {
		return toolpress("serve", "http://127.0.0.1:1", "--listen", "127.0.0.1:0", "--state-dir", file("state"), "--curation", file(curation))
	}
	if code, said := serve("a.yaml"); code != exitSite {
		t.Fatalf("a first use: exit %d\n%s", code, said)
	}
	if code, said := toolpress("approve", "--all", "--from", "../../curate/testdata/shop.json", "--curation", file("a.yaml")); code != exitOK {
		t.Fatalf("exit %d\n%s", code, said)
	}
	if code, said := serve("a.yaml"); code != exitSite {
		t.Fatalf("with the lock: exit %d\n%s", code, said)
	}
	if err := os.Remove(file("a.lock.json")); err != nil {
		t.Fatal(err)
	}
	code, said := serve("a.yaml")
	if code != exitFindings || !strings.Contains(said, "a.yaml:3:15: the lock "+file("a.lock.json")+" is gone: it was there when this was served before") || !strings.Contains(said, "toolpress approve") {
		t.Errorf("without it: exit %d\n%s", code, said)
	}
	if code, said := serve("b.yaml"); code != exitSite {
		t.Errorf("another: exit %d\n%s", code, said)
	}
	if code, said := toolpress("approve", "--all", "--from", "../../curate/testdata/shop.json", "--curation", file("a.yaml")); code != exitOK {
		t.Fatalf("exit %d\n%s", code, said)
	}
	if code, said := serve("a.yaml"); code != exitSite {
		t.Errorf("approved again: exit %d\n%s", code, said)
	}
}
