package wp

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync"
)

// Secret holds a password or key. Whatever prints it, prints "[redacted]";
// [Secret.Reveal] is the only way to the value.
//
// The value lives in a function: fmt reads unexported fields of whatever holds
// a Secret without calling its methods, and a function shows nothing.
type Secret struct {
	value func() string
	// forms are what an answer may repeat it as; made when they are first asked for.
	forms func() []string
}

const redacted = "[redacted]"

// NewSecret wraps value.
func NewSecret(value string) Secret {
	if value == "" {
		return Secret{}
	}
	return Secret{func() string { return value }, sync.OnceValue(func() []string { return formsOf(value) })}
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
	// Key is a WooCommerce consumer key, "ck_…", whose secret is Password. Where it
	// is set, User is not sent: the key names its user.
	Key Secret
	// User is the login name the application password belongs to.
	User string
	// Password is an application password, with or without its spaces:
	// WordPress drops them (wp-includes/user.php,
	// wp_authenticate_application_password).
	Password Secret
}

// Anonymous reports whether the credential is nobody's.
func (c Credential) Anonymous() bool {
	return c.User == "" && c.Key.Empty() && c.Password.Empty() && c.Token.Empty()
}

func (c Credential) equal(other Credential) bool {
	return c.User == other.User && c.Key.Reveal() == other.Key.Reveal() && c.Password.Reveal() == other.Password.Reveal() && c.Token.Reveal() == other.Token.Reveal()
}

// Sign puts the credential into a request.
func (c Credential) Sign(r *http.Request) {
	switch {
	case !c.Token.Empty():
		r.Header.Set("Authorization", "Bearer "+c.Token.Reveal())
	case !c.Key.Empty():
		r.SetBasicAuth(c.Key.Reveal(), c.Password.Reveal())
	case !c.Anonymous():
		r.SetBasicAuth(c.User, c.Password.Reveal())
	}
}
