package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/discover/wp"
	"toolpress/runtime/watch"
)

// webhookSecret is what signs the site's webhooks; none where the curation names
// none. One that is missing is no secret, and everybody could sign with it (R50).
func (s *source) webhookSecret() (wp.Secret, error) {
	named := s.curation.Site().WebhookSecretEnv
	if named.Value == "" {
		return wp.Secret{}, nil
	}
	const hint = "set it to the secret that the site signs with; make one with: openssl rand -hex 32"
	from := named.Value
	secret := strings.TrimSpace(s.app.getenv(from))
	switch {
	case secret == "":
		return wp.Secret{}, usage(fmt.Sprintf("%s: the secret of the site's webhooks is not there: %s is empty or not set", named.Pos, from), hint)
	case len(secret) < minToken:
		return wp.Secret{}, usage(fmt.Sprintf("%s: the secret of the site's webhooks in %s has %d characters, and one of fewer than %d is guessed", named.Pos, from, len(secret), minToken), hint)
	case strings.ContainsFunc(secret, mangled):
		return wp.Secret{}, usage(fmt.Sprintf("%s: the secret of the site's webhooks in %s has a space, a letter beyond ASCII or one of & < > \" ' \\", named.Pos, from), "WordPress's forms change these, and it would sign with another; "+makeToken)
	}
	return wp.NewSecret(secret), nil
}

// mangled are characters that a secret does not survive on its way through
// WordPress's forms.
func mangled(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`&<>"'\`, r) }

// warnPinned says which files of the curation are mounted by themselves (R04).
func (a *app) warnPinned(s *source) {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if watch.Pinned(name) {
			a.say("%s is mounted by itself: when it is replaced outside, as editors do, the old one stays here. Mount the directory that it is in", name)
		}
	}
}
