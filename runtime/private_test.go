package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// canary is one value of an answer and the names that lead to it.
type canary struct{ path, value string }

// drawAnswer draws a JSON value of few names, and its values' paths. Every value
// is there once.
func drawAnswer(t *rapid.T, path string, depth int, canaries *[]canary) string {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if depth == 0 {
		kind = 3
	}
	var parts []string
	switch kind {
	case 0, 1:
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			name := rapid.SampledFrom([]string{"a", "b", "c", "raw"}).Draw(t, "name")
			written := strconv.Quote(name)
			if rapid.IntRange(0, 3).Draw(t, "escaped") == 0 {
				written = fmt.Sprintf(`"\u%04x%s"`, name[0], name[1:])
			}
			parts = append(parts, written+" : "+drawAnswer(t, path+"."+name, depth-1, canaries))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case 2:
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			parts = append(parts, drawAnswer(t, path, depth-1, canaries))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	value := fmt.Sprintf("%d", 1000000+len(*canaries))
	*canaries = append(*canaries, canary{path, value})
	return rapid.SampledFrom([]string{value, `"` + value + `"`, `"<p>` + value + `</p>"`, `"<p>x</p><!-- ` + value + ` -->"`}).Draw(t, "leaf")
}

// private reports, by another way than the code does, that a value or what it is
// in matches a pattern.
func (c canary) private(patterns curate.Fields) bool {
	for _, p := range patterns {
		var re strings.Builder
		for _, part := range p {
			switch part {
			case "**":
				re.WriteString(`(\.[a-z]+)*`)
			case "*":
				re.WriteString(`\.[a-z]+`)
			default:
				re.WriteString(`\.` + part)
			}
		}
		if regexp.MustCompile(`^` + re.String() + `(\.|$)`).MatchString(c.path) {
			return true
		}
	}
	return false
}

// What is private never leaves, whatever is picked, renamed, converted or cut;
// and where nothing else is said, all the rest does (curation.md, principle 5).
func TestPrivateNeverLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "c", "raw", "*", "**"})
		patterns := rapid.SliceOfN(rapid.SliceOfN(part, 1, 4), 0, 3).Draw(t, "private")
		var how curate.ResultShape
		for _, p := range patterns {
			how.Private = append(how.Private, p)
		}
		var canaries []canary
		answer := drawAnswer(t, "", 5, &canaries)
		plain := rapid.Bool().Draw(t, "plain")
		if !plain {
			path := rapid.SampledFrom([]string{"a", "b", "a.b", "a.b.c", "c.raw", "raw"})
			how.Raw = rapid.IntRange(0, 4).Draw(t, "raw") == 0
			how.Pick = rapid.SliceOfN(path, 0, 3).Draw(t, "pick")
			how.Drop = curate.Fields{rapid.SliceOfN(part, 1, 3).Draw(t, "drop")}
			how.HTML = rapid.SampledFrom([]curate.HTML{"", curate.KeepHTML, curate.TextHTML, curate.Markdown}).Draw(t, "html")
			how.MaxText = rapid.SampledFrom([]int{0, 7, 100}).Draw(t, "max_text")
			how.MaxBytes = rapid.SampledFrom([]int{0, 256}).Draw(t, "max_bytes")
			for range rapid.IntRange(0, 3).Draw(t, "renames") {
				how.Rename = append(how.Rename, curate.Renamed{Path: path.Draw(t, "path"), Name: rapid.SampledFrom([]string{"a", "z", "y"}).Draw(t, "to")})
			}
		}
		got, err := shape(wp.Request{Method: http.MethodGet}, &wp.Response{JSON: []byte(answer)}, how, wanted{})
		if err != nil {
			if err != errTooLarge {
				t.Fatalf("%s: %v", answer, err)
			}
			return
		}
		for _, c := range canaries {
			left := strings.Contains(string(got), c.value)
			switch private := c.private(how.Private); {
			case left && private:
				t.Fatalf("%s of %s is private by %v and leaves: %s", c.path, answer, how.Private, got)
			case !left && !private && plain:
				t.Fatalf("%s of %s is not private by %v and is gone: %s", c.path, answer, how.Private, got)
			}
		}
	})
}

// A call gives nothing private, in the text or beside it, and the log has none of
// it either.
func TestPrivateInACall(t *testing.T) {
	c := catalog("", "thing")
	c.Profiles[curate.DefaultProfile].Tools[0].Result.Private = curate.Fields{{"billing", "**"}}
	var log logs
	answer := answers(`{"id":7,"billing":{"email":"secret@example.com"}}`)
	broken := false
	s, _ := serve(t, c, Options{Log: log.logger(), Site: siteFunc(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
		if broken {
			return nil, &wp.Error{Kind: wp.NotJSON, Status: 200, Method: "GET", Excerpt: `{"id":7,"billing":{"email":"secret@`, Sent: true}
		}
		return answer(ctx, r)
	})})
	res, err := s.Call(t.Context(), curate.DefaultProfile, "thing", nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(res)
	if strings.Contains(string(text)+log.String(), "secret") || !strings.Contains(string(text), `"structuredContent":{"id":7}`) {
		t.Errorf("%s\n%s", text, log.String())
	}
	broken = true
	res, err = s.Call(t.Context(), curate.DefaultProfile, "thing", nil)
	if text, _ := json.Marshal(res); err != nil || !res.IsError || strings.Contains(string(text)+log.String(), "secret") {
		t.Errorf("%v %s\n%s", err, text, log.String())
	}
}

// An answer as deep as JSON is read costs no more than its length.
func TestDeepAnswers(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 4000) + `{"key":1,"id":2}` + strings.Repeat("]}", 4000)
	got, err := without([]byte(deep), curate.Fields{{"**", "key"}})
	if want := strings.Replace(deep, `"key":1,`, "", 1); err != nil || string(got) != want {
		t.Errorf("%v, %d bytes", err, len(got))
	}
	if _, err := without([]byte(strings.Repeat("[", 20000)), curate.Fields{{"key"}}); err == nil {
		t.Error("a depth that encoding/json refuses is read")
	}
}
