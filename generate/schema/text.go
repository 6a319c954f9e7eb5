package schema

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unseen reports a character that is not seen: control, zero-width, bidi, tag,
// variation selector, filler, private use.
func Unseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		r == '\u2800' || (r >= 0xE0000 && r <= 0xE0FFF)
}

// withoutMarkup is a text without tags, comments and entities, also those that
// were escaped more than once: reading it again changes nothing.
func withoutMarkup(s string) string {
	s = withoutTags(s)
	for range maxEscapes {
		plain := withoutTags(html.UnescapeString(s))
		if plain == s {
			return s
		}
		s = plain
	}
	return strings.ReplaceAll(s, "&", "")
}

// withoutTags has a space for each tag and comment. What closes none is looked for
// once: an expression looks for it behind each.
func withoutTags(s string) string {
	var b strings.Builder
	comments, tags := true, true
	for {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			return b.String() + s
		}
		b.WriteString(s[:at])
		s = s[at:]
		end := -1
		if comments && strings.HasPrefix(s, "<!--") {
			end = behind(s, len("<!--"), "-->")
			comments = end > 0
		}
		if end < 0 && tags && len(s) > 1 && strings.IndexByte("/!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", s[1]) >= 0 {
			end = behind(s, 1, ">")
			tags = end > 0
		}
		if end < 0 {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		b.WriteByte(' ')
		s = s[end:]
	}
}

// behind is where a text goes on behind a mark that is not before from; -1 where
// there is none.
func behind(s string, from int, mark string) int {
	at := strings.Index(s[from:], mark)
	if at < 0 {
		return -1
	}
	return from + at + len(mark)
}

// CleanText makes text of the site fit to be read: markup, control, zero-width,
// bidi and tag characters out, white space folded, cut at most bytes on a rune.
// It is data from then on; nothing in it is obeyed.
func CleanText(s string, most int) string {
	if longest := max(maxUnread, maxMarkup*most); len(s) > longest { // of a megabyte the beginning is enough
		s = s[:longest]
		if tag := strings.LastIndexByte(s, '<'); tag > strings.LastIndexByte(s, '>') {
			s = s[:tag]
		}
	}
	return Legible(withoutMarkup(strings.ToValidUTF8(s, "")), most)
}

// Visible is a text without the characters that are not seen: control but for
// lines and tabs, zero-width, bidi and tag characters. Those stay that shape the
// letters or signs beside them, which are not ASCII: the joiners of Persian or of an
// emoji, and its variation.
func Visible(s string) string {
	if strings.IndexFunc(s, Unseen) < 0 {
		return s
	}
	var b strings.Builder
	before := ' ' // what stands before, of what is seen
	for at, r := range s {
		if !Unseen(r) || r == '\n' || r == '\t' {
			b.WriteRune(r)
			before = r
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[at+utf8.RuneLen(r):])
		switch {
		case r == '\r' && after != '\n':
			b.WriteByte('\n')
		case unicode.Is(unicode.Prepended_Concatenation_Mark, r), // signs of Arabic and others, which are seen
			shapes(r) && before >= utf8.RuneSelf && (r >= '\ufe00' || after >= utf8.RuneSelf && !Unseen(after)):
			b.WriteRune(r)
			if !shapes(r) {
				before = r
			} else if r < '\ufe00' {
				before = ' ' // one of them is enough
			}
		}
	}
	return b.String()
}

// shapes reports a joiner, or one of the two variations of emoji.
func shapes(r rune) bool { return r == '\u200c' || r == '\u200d' || r == '\ufe0e' || r == '\ufe0f' }

// Legible is CleanText for what is no prose: markup stays, since a route's
// pattern has (?P<id>…).
func Legible(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case Unseen(r):
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
