package main

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/lastgood"
	"toolpress/discover/login"
	"toolpress/discover/wp"
)

// shelf is where the last good reading of the site is kept (package lastgood), for a
// start while the site is down.
type shelf struct {
	app  *app
	dir  string
	at   *url.URL
	opts wp.Options // as whom the site is asked, as far as that is known without it
	// account is who the site is read as.
	account string
	// failed is what was told already.
	failed string
}

// shelve gives the source a shelf, where there is a place for one. What is wrong with
// the address and the credential, reading the site says.
func (s *source) shelve(positional, dir string) {
	at, _, err := s.address(positional)
	if err != nil {
		return
	}
	if dir == "" {
		if dir, err = s.app.stateDir(); err != nil {
			return
		}
	}
	opts, err := s.options()
	if err == nil && opts.Credential.Anonymous() {
		opts.Credential, _, err = login.Lookup(configDir(), at.String())
	}
	if err == nil {
		s.shelf = &shelf{app: s.app, dir: dir, at: at, opts: opts}
	}
}

// key is what is kept, as it is told from others.
func (h *shelf) key() lastgood.Key {
	return lastgood.Key{Address: strings.TrimRight(h.at.String(), "/"), Host: h.opts.Host, Locale: h.opts.Locale, Account: h.account}
}

// recall is what was kept of the site as this account; nil without any. What cannot
// be used is said, and replaced by the next reading.
func (h *shelf) recall() *lastgood.Reading {
	client, err := wp.NewClient(h.at, h.opts)
	if err != nil {
		return nil // reading the site says why
	}
	h.account = client.Account()
	old, err := lastgood.Load(h.dir, h.key())
	if err != nil {
		h.app.say("%v: it is not used", err)
	}
	return old
}

// keep puts what is served of the site, and what accounts may call of it, in the
// place of what was kept.
func (s *source) keep() {
	if s.shelf == nil {
		return
	}
	now := s.reading()
	now.May = map[string]discover.Permissions{}
	for key, client := range s.asked {
		now.May[client.Account()] = s.may[key]
	}
	s.shelf.told(now.Save(s.shelf.dir))
}

// confirm notes that what is kept is what the site says now.
func (s *source) confirm() {
	if s.shelf != nil && s.reading().Confirm(s.shelf.dir) != nil {
		s.keep() // it may be gone
	}
}

// reading is what is served of the site, under the names of who it is kept for.
func (s *source) reading() *lastgood.Reading {
	return &lastgood.Reading{Key: s.shelf.key(), Site: s.site}
}

// told says once that nothing can be kept: what is served needs it not.
func (h *shelf) told(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != h.failed {
		h.app.say("%s: a start while the site is down will find nothing. --state-dir DIR names another directory", text)
	}
	h.failed = text
}

// resume makes what was kept the site, as if it had just been read: nothing is asked.
func (s *source) resume(old *lastgood.Reading) error {
	root, err := discover.Resume(s.shelf.at, old.Site, s.shelf.opts)
	if err != nil {
		return err
	}
	s.found(root, old.Site)
	s.remember(curate.Auth{}, root.Client(), old)
	for _, auth := range slices.Collect(maps.Values(s.curation.Accounts())) {
		account, err := s.account(&curate.Profile{Auth: auth})
		if err == nil && account != nil {
			s.remember(unplaced(auth), account.Client(), old)
		}
	}
	return nil
}

// remember takes what was kept of an account.
func (s *source) remember(key curate.Auth, client *wp.Client, old *lastgood.Reading) {
	if may, had := old.May[client.Account()]; had {
		s.may[key], s.asked[key] = may, client
	}
}
