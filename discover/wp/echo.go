package wp

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A site knows the credential it was sent, and may repeat it: a page of PHP that
// dumps the request's headers, a notice, an error of a proxy, a plugin's debugging.
// What repeats it is told to nobody.

// minSecret is the length from which a secret is looked for: a shorter one is part
// of many a word. An application password has 24 letters and digits.
const minSecret = 12

// formsOf are the ways in which a secret is written: with its spaces and without,
// escaped for URLs, HTML and JSON, in hexadecimal, and in base64 after any number of
// bytes, so that "user:password" holds that of the password. None of a short one.
func formsOf(secret string) []string {
	var forms []string
	for _, s := range []string{secret, strings.ReplaceAll(secret, " ", "")} {
		if len(s) < minSecret {
			continue
		}
		quoted, _ := json.Marshal(s) // a string cannot fail
		digits := hex.EncodeToString([]byte(s))
		forms = append(forms, s, url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s), strings.Trim(string(quoted), `"`), digits, strings.ToUpper(digits))
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for before := range 3 {
				forms = append(forms, encodedWithin(alphabet, s, before))
			}
		}
	}
	for _, form := range forms { // PHP writes a slash in JSON so
		forms = append(forms, strings.ReplaceAll(form, "/", `\/`))
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// encodedWithin is what the base64 of a text that has s after a number of bytes is sure to
// hold: without the characters at its ends that others have a part in.
func encodedWithin(alphabet *base64.Encoding, s string, before int) string {
	text := alphabet.EncodeToString(append(make([]byte, before), s...))
	if (before+len(s))%3 != 0 {
		text = text[:len(text)-1]
	}
	return text[[]int{0, 2, 3}[before]:]
}

// secrets are what nobody but the site is told.
func (c Credential) secrets() []Secret {
	return slices.DeleteFunc([]Secret{c.Token, c.Key, c.Password}, Secret.Empty)
}

// repeated reports that a text holds a secret of the credential in one of its forms.
func (c Credential) repeated(text []byte) bool {
	return slices.ContainsFunc(c.secrets(), func(s Secret) bool {
		return slices.ContainsFunc(s.forms(), func(form string) bool { return bytes.Contains(text, []byte(form)) })
	})
}

// Repeats reports that a text holds a secret of the credential, in one of its forms or
// like one: in other case, with other signs between, escaped once or twice more.
func (c Credential) Repeats(text string) bool { return anyIn(c.secrets(), []byte(text)) }

// RepeatsOf reports the same of the body of an answer, which may hold as well what
// the answer sets as a cookie.
func (c Credential) RepeatsOf(h http.Header, body []byte) bool {
	return anyIn(append(c.secrets(), cookies(h)...), body)
}

func anyIn(secrets []Secret, text []byte) bool {
	if len(secrets) == 0 {
		return false
	}
	unescaped := string(text)
	for range 3 {
		folded := fold(unescaped)
		for _, s := range secrets {
			if slices.ContainsFunc(s.forms(), func(form string) bool {
				form = fold(form)
				return len(form) >= minSecret && strings.Contains(folded, form)
			}) {
				return true
			}
		}
		unescaped = unescape(unescaped)
	}
	return false
}

// fold leaves the letters and digits of a text, in one case.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

var (
	percent = regexp.MustCompile(`%[0-7][0-9a-fA-F]`)
	escaped = regexp.MustCompile(`\\u00[0-7][0-9a-fA-F]`)
)

// unescape takes one layer of escapes of URLs, JSON and HTML off.
func unescape(text string) string {
	text = percent.ReplaceAllStringFunc(text, func(m string) string { return string(rune(number(m[1:]))) })
	text = escaped.ReplaceAllStringFunc(text, func(m string) string { return string(rune(number(m[2:]))) })
	return html.UnescapeString(text)
}

// number reads hexadecimal digits.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 16, 32) // matched before
	return n
}

// cookies are the values that an answer sets: a session of somebody's, to whoever
// reads them.
func cookies(h http.Header) []Secret {
	var values []Secret
	for _, c := range (&http.Response{Header: h}).Cookies() {
		values = append(values, NewSecret(c.Value))
	}
	return slices.DeleteFunc(values, Secret.Empty)
}

// Quiet is an error of an exchange without what the other side said: net/http quotes
// what it cannot read.
func (c Credential) Quiet(err error) error {
	said, _, quotes := strings.Cut(err.Error(), `"`)
	switch {
	case c.Repeats(err.Error()):
		return errors.New(redacted)
	case quotes && kindOf(err) == Broken:
		return errors.New(strings.TrimRight(said, ": "))
	}
	return err
}
