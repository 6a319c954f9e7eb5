// Package canary has the secrets that tests plant and look for in everything that
// toolpress says and writes (T40, R55), in the forms they travel in. It knows nothing
// of how the product hides them. Nothing of the product is here.
package canary

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Secret is one value that nobody may find.
type Secret struct {
	// What it is, for the test's message.
	What string
	// Value is at least twelve letters, so that it is part of nothing else.
	Value string
}

// Forms are the texts that a value is found by: itself, with and without its spaces,
// as URLs, JSON, PHP's JSON and HTML write it, hexadecimal, and base64 in both
// alphabets at each of the three places that it may have in a longer text.
func Forms(value string) []string {
	var forms []string
	for _, v := range []string{value, strings.ReplaceAll(value, " ", "")} {
		quoted, _ := json.Marshal(v)
		forms = append(forms, v, url.QueryEscape(v), url.PathEscape(v), strings.Trim(string(quoted), `"`), strings.ReplaceAll(v, "/", `\/`), html.EscapeString(v), hex.EncodeToString([]byte(v)))
		for _, before := range []string{"", "x", "xx"} {
			// Of the first and the last group a neighbour may have a part.
			text := base64.StdEncoding.EncodeToString([]byte(before + v))
			from := 4 * min(len(before), 1)
			to := max(from, len(text)-4)
			forms = append(forms, text[from:to], strings.NewReplacer("+", "-", "/", "_").Replace(text[from:to]))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(forms)))
}

// Swapped is a text with its letters in the other case, as somebody writes a header
// who thinks that case does not matter.
func Swapped(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// Finder looks for secrets.
type Finder struct {
	secrets []Secret
	forms   [][]string // of each secret, lower case
}

// NewFinder makes one.
func NewFinder(secrets ...Secret) *Finder {
	f := &Finder{secrets: secrets}
	for _, s := range secrets {
		var forms []string
		for _, form := range Forms(s.Value) {
			forms = append(forms, strings.ToLower(form))
		}
		f.forms = append(f.forms, forms)
	}
	return f
}

// Found names the secrets that a text holds, in any form and any case, and what of
// the text is around each.
func (f *Finder) Found(text string) (found []string) {
	lower := strings.ToLower(text)
	for i, s := range f.secrets {
		for _, form := range f.forms[i] {
			if at := strings.Index(lower, form); at >= 0 {
				found = append(found, s.What+": …"+lower[max(0, at-60):min(len(lower), at+len(form)+20)]+"…")
				break
			}
		}
	}
	return found
}

// Echo is what a site that hides nothing may say of a request: its Authorization
// header as it is, in other case, decoded, and each of these in every form.
func Echo(r *http.Request) string {
	header := r.Header.Get("Authorization")
	said := []string{header}
	user, password, basic := r.BasicAuth()
	if basic {
		said = append(said, user+":"+password, password, user)
	} else if _, token, is := strings.Cut(header, " "); is {
		said = append(said, token)
	}
	var all []string
	for _, s := range said {
		if s != "" {
			all = append(append(all, Forms(s)...), Swapped(s))
		}
	}
	return strings.Join(all, " ")
}
