package schema

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var markup = regexp.MustCompile(`(?s)<!--.*?-->|<[a-zA-Z/!][^>]*>`)

// unseen reports a character that is not seen: control, zero-width, bidi, tag,
// variation selector, filler, private use.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		r == '\u2800' || (r >= 0xE0000 && r <= 0xE0FFF)
}

// withoutMarkup is a text without tags, comments and entities, also those that
// were escaped more than once: reading it again changes nothing.
func withoutMarkup(s string) string {
	s = markup.ReplaceAllString(s, " ")
	for range maxEscapes {
		plain := markup.ReplaceAllString(html.UnescapeString(s), " ")
		if plain == s {
			return s
		}
		s = plain
	}
	return strings.ReplaceAll(s, "&", "")
}

// CleanText makes text of the site fit to be read: markup, control, zero-width,
// bidi and tag characters out, white space folded, cut at most bytes on a rune.
// It is data from then on; nothing in it is obeyed.
func CleanText(s string, most int) string {
	return Legible(withoutMarkup(strings.ToValidUTF8(s, "")), most)
}

// Legible is CleanText for what is no prose: markup stays, since a route's
// pattern has (?P<id>…).
func Legible(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unseen(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	cut := most - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.TrimRight(s[:cut], " ") + "…"
}
