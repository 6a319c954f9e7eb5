package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// parts reads an object part by part, as the results tell, and joins its texts.
func parts(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, answer []byte, how curate.ResultShape,
) (joined map[string]string, count int) {
	t.Helper()
	joined = map[string]string{}
	for n := 1; ; n++ {
		got, err := shape(wp.Request{}, &wp.Response{JSON: answer}, how, wanted{part: n})
		if err != nil {
			t.Fatalf("part %d: %v", n, err)
		}
		var object map[string]any
		if err := json.Unmarshal(got, &object); err != nil || len(got) > how.MaxBytes {
			t.Fatalf("part %d: %d bytes, %v: %s", n, len(got), err, got)
		}
		for name, v := range object {
			text, is := v.(string)
			if !is || name == "parts" || name == "toolpress_parts" || strings.HasPrefix(text, "[in part ") && n != at(text) {
				continue
			}
			if _, before := joined[name]; !before || len(text) > longText || strings.HasPrefix(name, "long") {
				joined[name] += text
			}
		}
		told, _ := object["parts"].(string)
		if told == "" {
			return joined, n
		}
		if next := fmt.Sprintf("next: %s: %d.", how.Parts, n+1); !strings.Contains(told, next) {
			if want := fmt.Sprintf("Part %d of %d. ", n, n); !strings.HasPrefix(told, want) {
				t.Fatalf("%q is not %q, and has no %q", told, want, next)
			}
			if _, err := shape(wp.Request{}, &wp.Response{JSON: answer}, how, wanted{part: n + 1}); !errors.As(err, new(*noPart)) {
				t.Fatalf("part %d of %d: %v", n+1, n, err)
			}
			return joined, n
		}
	}
}

func at(text string) (part int) {
	_, _ = fmt.Sscanf(text, "[in part %d]", &part)
	return part
}

// W38, W80: a text of 60 kB that is read for editing comes whole, in parts that end
// between blocks.
func TestPartsAreTheWhole(t *testing.T) {
	var content strings.Builder
	for i := 0; content.Len() < 60_000; i++ {
		fmt.Fprintf(&content, "<!-- wp:paragraph -->\n<p>Paragraph %d: Größe \\ \"über\" alles, 日本語 😀.%s</p>\n<!-- /wp:paragraph -->\n\n", i, strings.Repeat(" word", i%40))
	}
	answer, _ := json.Marshal(map[string]any{"id": 7, "title": map[string]any{"raw": "T"}, "content": map[string]any{"raw": content.String()}})
	how := curate.ResultShape{MaxBytes: 24 << 10, Parts: "part", Pick: []string{"id", "content.raw"}, Rename: []curate.Renamed{{Path: "content.raw", Name: "long"}}}
	joined, count := parts(t, answer, how)
	if joined["long"] != content.String() || count != 3 {
		t.Errorf("%d parts, %d characters of %d", count, len(joined["long"]), content.Len())
	}
	got, err := shape(wp.Request{}, &wp.Response{JSON: answer}, how, wanted{part: 2})
	var second struct{ Parts, Long string }
	if err != nil || json.Unmarshal(got, &second) != nil || !strings.HasPrefix(second.Long, "<!-- wp:paragraph -->") || !strings.HasSuffix(second.Long, "<!-- /wp:paragraph -->\n\n") {
		t.Errorf("a part does not end between blocks: %v %.60q … %q", err, second.Long, second.Long[max(0, len(second.Long)-60):])
	}
	told := regexp.MustCompile(`^Part 2 of 3, next: part: 3\. Join the long texts of all parts, in order and as they are, each of version ([0-9a-f]{8}); write back nothing less\.$`)
	version := func(answer []byte, part int) string {
		got, _ := shape(wp.Request{}, &wp.Response{JSON: answer}, how, wanted{part: part})
		_, after, _ := strings.Cut(string(got), "each of version ")
		return after[:8]
	}
	if m := told.FindStringSubmatch(second.Parts); m == nil || version(answer, 1) != m[1] || version(answer, 3) != m[1] {
		t.Errorf("%q", second.Parts)
	}
	// Another id is no other text; a word that is changed is one, whichever part has it.
	if other := bytes.Replace(answer, []byte(`"id":7`), []byte(`"id":8`), 1); version(other, 3) != version(answer, 1) {
		t.Error("another version of the same text")
	}
	if other := bytes.Replace(answer, []byte("Paragraph 0:"), []byte("Paragraph X:"), 1); version(other, 3) == version(answer, 1) {
		t.Error("one version of two texts")
	}
	for range 3 {
		if again, _ := shape(wp.Request{}, &wp.Response{JSON: answer}, how, wanted{part: 2}); string(again) != string(got) {
			t.Error("the same part differs")
		}
	}
}

// Whatever an object holds: together its parts have every character once, each is
// as small as it has to be, and what fits is not divided.
func TestPartsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := map[string]any{"id": 1}
		word := rapid.SampledFrom([]string{"word ", "\n\n", "\r\n", "<!-- wp:p -->", "</p>", "\\n", `"`, "ü", "😀", "x"})
		for i := range rapid.IntRange(1, 4).Draw(t, "texts") {
			text := strings.Join(rapid.SliceOfN(word, 1, 3).Draw(t, "words"), "")
			object[fmt.Sprintf("long%d", i)] = strings.Repeat(text, rapid.IntRange(1, 900).Draw(t, "times"))
		}
		answer, _ := json.Marshal(object)
		if rapid.Bool().Draw(t, "escaped") {
			answer = ascii(answer)
		}
		how := curate.ResultShape{MaxBytes: rapid.IntRange(6<<10, 16<<10).Draw(t, "most"), Parts: "part"}
		whole, err := shape(wp.Request{}, &wp.Response{JSON: answer}, curate.ResultShape{}, wanted{})
		if err != nil {
			t.Fatal(err)
		}
		joined, count := parts(t, answer, how)
		if (count > 1) != (len(whole) > how.MaxBytes) {
			t.Fatalf("%d parts of %d bytes, %d allowed", count, len(whole), how.MaxBytes)
		}
		var clean map[string]any
		_ = json.Unmarshal(whole, &clean)
		for name, v := range clean {
			want, is := v.(string)
			if !is {
				continue
			}
			got := joined[name]
			if len(want) <= longText && count > 1 { // it is in each part
				got = got[:min(len(got), len(want))]
			}
			if got != want {
				t.Fatalf("%s: %d of %d characters", name, len(got), len(want))
			}
		}
	})
}

// Where there is nothing to divide, texts are shortened, and the result keeps a
// model from writing them back.
func TestNothingToDivide(t *testing.T) {
	many := map[string]any{}
	for i := range 40 {
		many[fmt.Sprintf("t%d", i)] = strings.Repeat("x", 900)
	}
	answer, _ := json.Marshal(many)
	got, err := shape(wp.Request{}, &wp.Response{JSON: answer}, curate.ResultShape{MaxBytes: 8 << 10, Parts: "part"}, wanted{part: 1})
	if err != nil || len(got) > 8<<10 || !strings.Contains(string(got), "never write them back") {
		t.Errorf("%d bytes, %v: %s", len(got), err, got)
	}
	if _, err := shape(wp.Request{}, &wp.Response{JSON: []byte(`{"id":1}`)}, curate.ResultShape{MaxBytes: 8 << 10, Parts: "part"}, wanted{part: 2}); err == nil || err.Error() != "there are 1 parts" {
		t.Errorf("%v", err)
	}
}

// Parts of one answer are kept apart from each other, and each result says whose
// data it is, an error not.
func TestPartsAreKeptApart(t *testing.T) {
	text := strings.Repeat("a paragraph of words\n\n", 200)
	answer, _ := json.Marshal(map[string]string{"text": text})
	site := &upstream{do: func(context.Context, wp.Request, int) (*wp.Response, error) { return given(string(answer)), nil }}
	s := onShelf(t, site, "  long: { from: \"GET /t/v1/things/{id}\", cache: 10m, result: { max_bytes: 2KiB, parts: true } }\n")
	whole := ""
	for range 2 { // asked, and kept
		whole = ""
		for n := 1; n <= 3; n++ {
			res, said := called(t, s, "long", fmt.Sprintf(`{"id":7,"part":%d}`, n))
			var part struct{ Parts, Text string }
			if err := json.Unmarshal([]byte(said), &part); err != nil || !strings.HasPrefix(part.Parts, fmt.Sprintf("Part %d of 3", n)) || res.Meta[sourceKey] != "https://t.example" {
				t.Fatalf("%v %s %v", err, said, res.Meta)
			}
			whole += part.Text
		}
		if whole != text {
			t.Errorf("%d of %d characters", len(whole), len(text))
		}
	}
	if site.count() != 3 {
		t.Errorf("%d requests", site.count())
	}
	if res, said := called(t, s, "long", `{"id":7,"part":4}`); !res.IsError || said != "There is no part 4: the answer has 3. Next: leave out part for the first." || res.Meta[sourceKey] != nil {
		t.Errorf("%s %v", said, res.Meta)
	}
}
