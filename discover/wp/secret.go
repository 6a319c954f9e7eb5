package wp

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Secret holds a password or key. Whatever prints it, prints "[redacted]";
// [Secret.Reveal] is the only way to the value.
//
// The value lives in a function: fmt reads unexported fields of whatever holds
// a Secret without calling its methods, and a function shows nothing.
type Secret struct{ value func() string }

const redacted = "[redacted]"

// NewSecret wraps value.
func NewSecret(value string) Secret {
	if value == "" {
		return Secret{}
	}
	return Secret{func() string { return value }}
}

// Reveal returns the value itself, for where it goes on the wire or is compared.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return s.value()
}

// Empty reports whether there is no value.
func (s Secret) Empty() bool { return s.value == nil }

// String implements [fmt.Stringer].
func (s Secret) String() string { return redacted }

// Format implements [fmt.Formatter], so that no verb shows the value.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(redacted)) }

// MarshalText implements [encoding.TextMarshaler] for JSON, YAML and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue implements [slog.LogValuer].
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// Credential is who toolpress is on the site. The zero value is nobody: no
// Authorization header is sent.
type Credential struct {
	// Token is a bearer token, for a site with a plugin that takes one. Where it
	// is set, User and Password are not sent.
	Token Secret
	// User is the login name the application password belongs to.
	User string
	// Password is an application password, with or without its spaces:
	// WordPress drops them (wp-includes/user.php,
	// wp_authenticate_application_password).
	Password Secret
}

// Anonymous reports whether the credential is nobody's.
func (c Credential) Anonymous() bool {
	return c.User == "" && c.Password.Empty() && c.Token.Empty()
}

func (c Credential) equal(other Credential) bool {
	return c.User == other.User && c.Password.Reveal() == other.Password.Reveal() && c.Token.Reveal() == other.Token.Reveal()
}

// minSecret is the length from which a secret is looked for: a shorter one is part
// of many a word. An application password has 24 letters and digits.
const minSecret = 12

// in reports that a text holds a secret of the credential: with or without spaces,
// as the header has it, escaped once or twice (JSON, PHP's too, URLs, HTML).
func (c Credential) in(text []byte) bool {
	if c.Anonymous() {
		return false
	}
	forms := []string{string(text)}
	for range 2 {
		last := percent.ReplaceAllStringFunc(forms[len(forms)-1], func(m string) string { return string(rune(number(m[1:]))) })
		last = escaped.ReplaceAllStringFunc(last, func(m string) string { return string(rune(number(m[2:]))) })
		forms = append(forms, html.UnescapeString(last))
	}
	token, password := c.Token.Reveal(), c.Password.Reveal()
	for _, s := range []string{token, password, encoded(token), encoded(password), encoded(c.User + ":" + password)} {
		if s = compact.Replace(s); len(s) >= minSecret && slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(compact.Replace(form), s) }) {
			return true
		}
	}
	return false
}

var (
	percent = regexp.MustCompile(`%[0-7][0-9a-fA-F]`)
	escaped = regexp.MustCompile(`\\u00[0-7][0-9a-fA-F]`)
	// compact drops what is written in more than one way: a space is a + in a URL,
	// and PHP escapes slashes.
	compact = strings.NewReplacer(" ", "", "+", "", `\`, "")
)

// number reads hexadecimal digits.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 16, 32) // matched before
	return n
}

func encoded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// quiet is an error without its text where that holds a secret: net/http quotes
// what it cannot read.
func (c Credential) quiet(err error) error {
	if c.in([]byte(err.Error())) {
		return errors.New(redacted)
	}
	return err
}

// Sign puts the credential into a request.
func (c Credential) Sign(r *http.Request) {
	switch {
	case !c.Token.Empty():
		r.Header.Set("Authorization", "Bearer "+c.Token.Reveal())
	case !c.Anonymous():
		r.SetBasicAuth(c.User, c.Password.Reveal())
	}
}
