package main

import (
	"cmp"
	"crypto/x509"
	"fmt"
	"strings"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/runtime/watch"
)

// options are how the site is asked: as whom, under which name, within which
// bounds.
func (s *source) options() (wp.Options, error) {
	site := s.curation.Site()
	opts, err := s.anonymous()
	if err != nil {
		return opts, err
	}
	if opts.Credential, err = s.credential(site.Auth); err != nil {
		return opts, err
	}
	opts.Store, err = s.store(site)
	return opts, err
}

// anonymous are options without what says who is asking.
func (s *source) anonymous() (wp.Options, error) {
	site := s.curation.Site()
	authorities, err := s.authorities(site)
	return wp.Options{
		Host: site.Host.Value, Authorities: authorities, InsecureHTTP: s.app.insecureHTTP,
		Timeout: site.Timeout, MaxBytes: int64(site.MaxResponse), UserAgent: userAgent(), Locale: site.Locale.Value,
		Pace: wp.Pace{Requests: site.Rate.Calls, Per: site.Rate.Per, Burst: site.Burst, Concurrency: site.Concurrency},
	}, err
}

// credential reads who toolpress is: a bearer token where one is named, else a
// user and an application password.
func (s *source) credential(auth curate.Auth) (wp.Credential, error) {
	token, from, err := s.secret(auth.TokenEnv, auth.TokenFile, "TOOLPRESS_SITE_TOKEN")
	if err != nil || token != "" {
		return wp.Credential{Token: wp.NewSecret(token)}, err
	}
	// Who is named and not there is not nobody.
	if auth.TokenEnv.Value != "" || auth.TokenFile.Value != "" {
		return wp.Credential{}, missingCredential(cmp.Or(auth.TokenEnv.Pos, auth.TokenFile.Pos), from+" is empty or not set")
	}
	password, from, err := s.secret(auth.PasswordEnv, auth.PasswordFile, "TOOLPRESS_PASSWORD")
	if err != nil {
		return wp.Credential{}, err
	}
	variable := named(auth.UserEnv, "TOOLPRESS_USER")
	c := wp.Credential{User: strings.TrimSpace(s.app.getenv(variable)), Password: wp.NewSecret(password)}
	switch {
	case c.User != "" && c.Password.Empty():
		return c, usage(fmt.Sprintf("%s is set and %s is not", variable, from), "an application password is made under Users → Profile in WordPress")
	case c.User == "" && !c.Password.Empty():
		return c, usage(fmt.Sprintf("%s is set and %s is not", from, variable), variable+" is the login name of the user whose application password it is")
	case c.User == "" && (auth.UserEnv.Value != "" || auth.PasswordEnv.Value != "" || auth.PasswordFile.Value != ""):
		return c, missingCredential(cmp.Or(auth.UserEnv.Pos, auth.PasswordEnv.Pos, auth.PasswordFile.Pos), fmt.Sprintf("%s and %s are empty or not set", variable, from))
	}
	return c, nil
}

// missingCredential says that a curation names who is asking, and nobody is there.
func missingCredential(at curate.Pos, what string) error {
	return usage(fmt.Sprintf("%s: the account of site.auth is not there: %s", at, what), "set what it names, or leave site.auth out for TOOLPRESS_USER and TOOLPRESS_PASSWORD")
}

// authorities are the machine's own and those of a PEM file; nil without one.
func (s *source) authorities(site curate.SiteSettings) (*x509.CertPool, error) {
	file, from := site.CAFile.Value, site.CAFile.Pos.String()
	if file == "" {
		file, from = s.app.getenv("TOOLPRESS_CA_FILE"), "TOOLPRESS_CA_FILE"
	}
	if file == "" {
		return nil, nil
	}
	text, err := watch.ReadFile(file)
	if err != nil {
		return nil, usage(fmt.Sprintf("%s: reading the authorities: %v", from, err), "")
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, usage(fmt.Sprintf("%s: %s holds no certificate in PEM", from, file), `such a file has lines "-----BEGIN CERTIFICATE-----"`)
	}
	return pool, nil
}

// store reads the keys of the site's WooCommerce; none is no error.
func (s *source) store(site curate.SiteSettings) (wp.Credential, error) {
	key, secret := named(site.KeyEnv, "TOOLPRESS_WC_KEY"), named(site.SecretEnv, "TOOLPRESS_WC_SECRET")
	c := wp.Credential{Key: wp.NewSecret(strings.TrimSpace(s.app.getenv(key))), Password: wp.NewSecret(strings.TrimSpace(s.app.getenv(secret)))}
	switch {
	case strings.HasPrefix(c.Key.Reveal(), "cs_") || strings.HasPrefix(c.Password.Reveal(), "ck_"):
		return c, usage(fmt.Sprintf("%s holds a consumer secret, or %s a consumer key: they are exchanged", key, secret), "a key begins with ck_, its secret with cs_")
	case c.Key.Empty() != c.Password.Empty():
		return c, usage(fmt.Sprintf("one of %s and %s is set, and the other is not", key, secret), "WooCommerce shows both once, when a key is made under WooCommerce → Settings → Advanced → REST API")
	}
	return c, nil
}

// secret reads a secret from the file a curation names, or from the environment
// variable it names or that is usual; from says where it was looked for.
func (s *source) secret(variable, file curate.Text, usual string) (value, from string, err error) {
	if file.Value != "" {
		data, err := watch.ReadFile(file.Value)
		if err != nil {
			return "", "", usage(fmt.Sprintf("%s: reading the secret: %v", file.Pos, err), "")
		}
		return strings.TrimSpace(string(data)), file.Value, nil
	}
	from = named(variable, usual)
	return strings.TrimSpace(s.app.getenv(from)), from, nil
}

// named is the environment variable a curation names, or the usual one.
func named(written curate.Text, usual string) string {
	if written.Value != "" {
		return written.Value
	}
	return usual
}
