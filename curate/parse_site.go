package curate

import (
	"regexp"

	"gopkg.in/yaml.v3"
)

// Site merges what the layers say about the site; a later layer wins.
func (c *Curation) Site() SiteSettings {
	var s SiteSettings
	for _, f := range c.layers {
		for _, t := range []struct{ into, from *Text }{
			{&s.URL, &f.site.URL},
			{&s.UserEnv, &f.site.UserEnv},
			{&s.PasswordEnv, &f.site.PasswordEnv},
			{&s.PasswordFile, &f.site.PasswordFile},
			{&s.TokenEnv, &f.site.TokenEnv},
			{&s.TokenFile, &f.site.TokenFile},
			{&s.KeyEnv, &f.site.KeyEnv},
			{&s.SecretEnv, &f.site.SecretEnv},
			{&s.Host, &f.site.Host},
			{&s.CAFile, &f.site.CAFile},
			{&s.Locale, &f.site.Locale},
			{&s.WebhookSecretEnv, &f.site.WebhookSecretEnv},
		} {
			if t.from.Value != "" {
				*t.into = *t.from
			}
		}
		later(&s.Poll, f.site.Poll)
		later(&s.Timeout, f.site.Timeout)
		later(&s.MaxResponse, f.site.MaxResponse)
		later(&s.Rate, f.site.Rate)
		later(&s.Burst, f.site.Burst)
		later(&s.Concurrency, f.site.Concurrency)
		if f.site.Media.Roots != nil {
			s.Media.Roots = f.site.Media.Roots
		}
		if f.site.Media.Hosts != nil {
			s.Media.Hosts = f.site.Media.Hosts
		}
	}
	return s
}

// later takes what a layer says, where it says something.
func later[T comparable](into *T, said T) {
	var unsaid T
	if said != unsaid {
		*into = said
	}
}

var (
	hostName = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:\d{1,5})?$`)
	// locale is the name of one as WordPress writes it (sanitize_locale_name, and
	// the packages of wordpress.org): a language, a country, a variant.
	locale = regexp.MustCompile(`^[a-z]{2,3}(_[a-zA-Z0-9]{2,10}){0,2}$`)
	// mediaRoot is the whole path of a directory, other than the root of a disk.
	mediaRoot = regexp.MustCompile(`^(/|[A-Za-z]:[/\\])[^/\\]`)
	upwards   = regexp.MustCompile(`(^|[/\\])\.\.([/\\]|$)`)
)

// Bounds of what is sent to a site at once.
const (
	maxBurst       = 1000
	maxConcurrency = 100
)

func (r *reader) site(s *SiteSettings, n *yaml.Node) {
	into := func(t *Text, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *t, _ = r.text(v, what) }
	}
	r.mapping(n, "site", keys{
		"url": into(&s.URL, "site.url"), "ca_file": into(&s.CAFile, "site.ca_file"),
		"poll":     func(_, v *yaml.Node) { s.Poll, _ = r.duration(v, "site.poll") },
		"auth":     func(_, v *yaml.Node) { r.auth(&s.Auth, v, "site.auth") },
		"upstream": func(_, v *yaml.Node) { r.upstream(s, v) },
		"woocommerce": func(_, v *yaml.Node) {
			r.secretKeys(v, "site.woocommerce", keys{"key_env": r.variable(&s.KeyEnv, "key_env"), "secret_env": r.variable(&s.SecretEnv, "secret_env")})
		},
		"host": func(_, v *yaml.Node) { s.Host = r.host(v, "site.host") },
		"locale": func(_, v *yaml.Node) {
			t, ok := r.text(v, "site.locale")
			if s.Locale = t; ok && !locale.MatchString(t.Value) {
				r.fail(v, "write it as WordPress does, like pt_PT or de_DE_formal", "%q is no locale", short(t.Value))
			}
		},
		"webhook": func(_, v *yaml.Node) { r.webhook(s, v) },
		"media":   func(_, v *yaml.Node) { r.media(&s.Media, v) },
	})
}

// upstream reads the bounds of what is asked of the site.
func (r *reader) upstream(s *SiteSettings, n *yaml.Node) {
	r.mapping(n, "site.upstream", keys{
		"timeout":      func(_, v *yaml.Node) { s.Timeout, _ = r.duration(v, "timeout") },
		"max_response": func(_, v *yaml.Node) { s.MaxResponse, _ = r.size(v, "max_response") },
		"rate": func(_, v *yaml.Node) {
			if rate := r.rate(v, "rate"); rate != nil {
				s.Rate = *rate
			}
		},
		"burst":       func(_, v *yaml.Node) { s.Burst = r.within(v, "burst", maxBurst) },
		"concurrency": func(_, v *yaml.Node) { s.Concurrency = r.within(v, "concurrency", maxConcurrency) },
	})
}

// host reads a host's name, with or without a port.
func (r *reader) host(n *yaml.Node, what string) Text {
	t, ok := r.text(n, what)
	if ok && !hostName.MatchString(t.Value) {
		r.fail(n, "write it like shop.example", "%s is not a host's name", kind(r.resolve(n)))
	}
	return t
}

// webhook reads which variable holds the secret that signs what the site sends.
func (r *reader) webhook(s *SiteSettings, n *yaml.Node) {
	r.unseen(func() {
		named := false
		r.mapping(n, "site.webhook", keys{"secret_env": func(k, v *yaml.Node) {
			named = true
			r.variable(&s.WebhookSecretEnv, "secret_env")(k, v)
		}})
		if !named && r.resolve(n).Kind == yaml.MappingNode {
			r.fail(n, "write webhook: { secret_env: TOOLPRESS_WEBHOOK_SECRET }", "site.webhook has no secret_env")
		}
	})
}

// media reads where files for the media library may come from.
func (r *reader) media(m *Media, n *yaml.Node) {
	r.mapping(n, "site.media", keys{
		"roots": func(_, v *yaml.Node) {
			m.Roots = []Text{}
			for _, t := range r.texts(v, "roots") {
				if m.Roots = append(m.Roots, t); !mediaRoot.MatchString(t.Value) || upwards.MatchString(t.Value) {
					r.add(t.Pos, "write the whole path of a directory below the root, without .., like /srv/media", "files cannot be taken from %q", short(t.Value))
				}
			}
		},
		"hosts": func(_, v *yaml.Node) {
			m.Hosts = []Text{}
			for _, item := range r.items(v) {
				m.Hosts = append(m.Hosts, r.host(item, "a host"))
			}
		},
	})
}

// auth reads where a credential is kept.
func (r *reader) auth(a *Auth, n *yaml.Node, what string) {
	into := func(t *Text, what string) func(k, v *yaml.Node) {
		return func(_, v *yaml.Node) { *t, _ = r.text(v, what) }
	}
	r.secretKeys(n, what, keys{
		"user_env": r.variable(&a.UserEnv, "user_env"), "password_env": r.variable(&a.PasswordEnv, "password_env"),
		"password_file": into(&a.PasswordFile, "password_file"),
		"token_env":     r.variable(&a.TokenEnv, "token_env"), "token_file": into(&a.TokenFile, "token_file"),
	})
}

// secretKeys reads a mapping in whose place somebody may have written a secret.
func (r *reader) secretKeys(n *yaml.Node, what string, known keys) {
	r.unseen(func() {
		if n = r.resolve(n); n.Kind == yaml.ScalarNode {
			r.fail(n, unknownKeys[what], "%s must be a mapping of keys", what)
			return
		}
		r.mapping(n, what, known)
	})
}

// variable reads the name of an environment variable. What is none may be a
// secret itself, and is not shown.
func (r *reader) variable(into *Text, what string) func(k, v *yaml.Node) {
	return func(_, v *yaml.Node) {
		t, ok := r.text(v, what)
		if *into = t; ok && !variable.MatchString(t.Value) {
			r.fail(v, "a secret is never written into this file: put it into the environment and name the variable", "%s must be the name of an environment variable", what)
		}
	}
}
