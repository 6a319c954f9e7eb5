package discover

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/wp"
)

// W71: a locale that is pinned is asked for, and the front page is read each time for
// the one that came; an answer that names its own language is believed before it.
// Without a pin the page is not asked again.
func TestLocaleOfAReading(t *testing.T) {
	lang, named, pages := "en-US", "", 0
	at, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked := r.Header.Get("Accept-Language"); asked != "" && asked != "pt-PT-ao90" {
			t.Errorf("%s was asked in %q", r.URL, asked)
		}
		if r.URL.Path == "/wp-json/" {
			if named != "" {
				w.Header().Set("Content-Language", named)
			}
			fmt.Fprint(w, smallIndex)
			return
		}
		pages++
		fmt.Fprintf(w, `<html lang=%q><head><link rel="https://api.w.org/" href="/wp-json/"></head>`, lang)
	}))
	for _, c := range []struct {
		pinned, lang, named, want string
		pages                     int
	}{
		{"", "de-DE", "", "en_US", 1}, // what was found at first
		{"pt_PT_ao90", "de-DE", "", "de_DE", 2},
		{"pt_PT_ao90", "de-DE", "pt-PT-ao90", "pt_PT_ao90", 1},
		{"", "de-DE", "fr", "fr", 1},
		{"pt_PT_ao90", "de-DE", "pt, en", "de_DE", 2}, // several are the readers', not the text's
	} {
		lang, named, pages = "en-US", c.named, 0
		root, err := Find(t.Context(), at, wp.Options{Locale: c.pinned})
		if err != nil {
			t.Fatal(err)
		}
		lang = c.lang
		site, err := root.Read(t.Context())
		root.Client().Close()
		if err != nil || site.Locale != c.want || pages != c.pages {
			t.Errorf("%+v: %v, %q, %d pages", c, err, site.Locale, pages)
		}
	}
}

// The texts of the site in one language, on what it has in another: what a schema
// holds as data, and properties that are called like keywords, are none.
func TestReworded(t *testing.T) {
	site := func(lang string, more string) *Site {
		text := strings.NewReplacer("$", lang+" ").Replace(`{"format":"toolpress/site/1","url":"u","root":"r","name":"S","locale":"` + lang + `","namespaces":[],
			"routes":[{"path":"/a","pattern":"/a","namespace":"a","endpoints":[{"methods":["GET"],"args":{
				"title":{"description":"$Title","type":"string","default":"$data","enum":["$data"],"items":{"description":"$Item"}},
				"description":{"type":"object","properties":{"title":{"title":"$T","type":"string"},"description":{"description":"$D"}}},
				"of":{"oneOf":[{"title":"$One"},{"title":"$Two"}]}` + more + `}}],
				"schema":{"title":"$post","properties":{"x":{"description":"$X"}}}}],
			"abilities":[{"name":"b/c","label":"$L","description":"$D","input_schema":{"type":"object","properties":{"q":{"description":"$Q"}}},"meta":{"description":"$meta"}}],
			"categories":[{"slug":"s","label":"$S"}],"abilities_api":"listed","application_passwords":false,"root_from":""}`)
		s, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const added = `,"new":{"description":"$New"}`
	english, german := site("en_US", ""), site("de_DE", added)
	before, _ := json.Marshal(german)
	got := german.Reworded(english)
	want := site("en_US", added)
	args := want.Routes[0].Endpoints[0].Args
	args["title"].(map[string]any)["default"], args["title"].(map[string]any)["enum"] = "de_DE data", []any{"de_DE data"}
	args["new"].(map[string]any)["description"] = "de_DE New"
	want.Abilities[0].Meta["description"] = "de_DE meta"
	want.Spoken = "de_DE"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if after, _ := json.Marshal(german); string(after) != string(before) {
		t.Error("the reading changed")
	}
	if same := english.Reworded(english); cmp.Diff(english.Routes, same.Routes)+cmp.Diff(english.Abilities, same.Abilities) != "" {
		t.Error("its own words change it")
	}
}
