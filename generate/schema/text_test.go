package schema

import (
	"fmt"
	"strings"
	"testing"
)

func TestCleanText(t *testing.T) {
	long := strings.Repeat("ação ", 100)
	if got := CleanText(long, 240); len(got) > 240 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	for in, want := range map[string]string{
		"a\u0000b\u200bc\u202ed\U000E0041e": "abcde", "<!-- x -->y": "y", "1 < 2 and 3 > 2": "1 < 2 and 3 > 2",
		"&lt;script&gt;x&lt;/script&gt;": "x", "&amp;amp;lt;b&amp;amp;gt;x": "x", "fish &amp; chips": "fish & chips", "&" + strings.Repeat("amp;", 20) + "lt;b": "amp;amp;amp;amp;amp;amp;amp;amp;amp;amp;amp;amp;lt;b",
		"  a\n\tb ": "a b", "\xff\xfe": "",
	} {
		if got := CleanText(in, 100); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func ExampleCleanText() {
	fmt.Println(CleanText("<p>Finds   books</p>", 240))
	// Output: Finds books
}
