package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/runtime/watch"
)

// source is where everything served comes from: the curation and the site.
type source struct {
	app *app
	// curationName is the curation file's name; empty for the one of without,
	// which withoutName describes.
	curationName string
	without      func() (*curate.Curation, error)
	withoutName  string
	passedOver   bool // there is a curation.yaml that is not used
	// desktop are the arguments with which a client that starts toolpress itself
	// gets the same; the curation is added.
	desktop []string
	// files are the curation's, as they were last read; nil contents for one
	// that could not be.
	files    map[string][]byte
	curation *curate.Curation
	lockName string // of the lock that was there; empty: none was
	// lockMarks is where it is kept that a lock was there; empty: nowhere.
	lockMarks string
	// steady are files as they were found when they could be read: while that is set
	// they are read so, whatever is there by now.
	steady map[string][]byte

	root *discover.Root // nil with --from
	// given is whether settings say who is asking; else it is nobody, or who logged in.
	given  bool
	site   *discover.Site
	tokens tokens
	// may is what accounts may call, by where a profile keeps its credential,
	// [unplaced]; the site's own is under none. asked are the clients that know.
	may   map[curate.Auth]discover.Permissions
	asked map[curate.Auth]*wp.Client

	// shelf is where the last good reading is kept; nil: nowhere.
	shelf *shelf
}

// open settles which curation and which site are meant and reads the curation.
// Nothing is sent yet.
func (a *app) open(address string) (*source, error) {
	s := &source{
		app: a, curationName: a.curation, without: curate.BuiltIn,
		withoutName: "none: read-only abilities, find and read posts and pages. Write a curation.yaml to decide",
	}
	if _, err := os.Stat("curation.yaml"); err == nil && s.curationName == "" {
		if s.passedOver = address != "" || a.site != ""; !s.passedOver {
			s.curationName = "curation.yaml"
		}
	}
	curation, err := s.readCuration()
	if err != nil {
		return nil, err
	}
	s.curation = curation
	return s, nil
}

// readCuration reads the curation and what it extends. Where it fails,
// s.curation stays; s.files is what was read either way.
func (s *source) readCuration() (*curate.Curation, error) {
	if s.curationName == "" {
		return s.without()
	}
	files := map[string][]byte{}
	open := func(name string) ([]byte, error) {
		data, err := s.readFile(name)
		if err != nil {
			files[name] = nil
			return nil, cause(err)
		}
		if data == nil {
			data = []byte{}
		}
		files[name] = data
		return data, nil
	}
	s.files = files
	data, err := open(s.curationName)
	if err != nil {
		hint := "is it in another directory? Otherwise name it: check FILE, or --curation FILE"
		if strings.Contains(s.curationName, "://") {
			hint = "a site is named with --site; a curation is a file"
		}
		return nil, &failure{err: fmt.Errorf("reading the curation %s: %w", s.curationName, err), code: exitFindings, hint: hint}
	}
	curation, err := curate.Parse(s.curationName, data, open)
	if err != nil {
		return nil, err
	}
	return s.readLock(curation, open)
}

// readFile reads a file of the curation or of tokens.
func (s *source) readFile(name string) ([]byte, error) {
	if data := s.steady[name]; data != nil {
		return data, nil
	}
	return watch.ReadFile(name)
}

// cause drops the operation and the name from a file's error; the message has them.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// address settles which site is meant, and who said so.
func (s *source) address(positional string) (at *url.URL, from string, err error) {
	a := s.app
	if positional != "" && a.site != "" && positional != a.site {
		return nil, "", usage(fmt.Sprintf("two sites are named: %s and --site %s", positional, a.site), "name one")
	}
	written := s.curation.Site().URL
	for _, said := range []struct{ address, from string }{
		{positional, ""}, {a.site, ""}, {a.getenv("TOOLPRESS_SITE"), " (TOOLPRESS_SITE)"}, {written.Value, " (" + written.Pos.String() + ")"},
	} {
		if said.address != "" {
			u, err := discover.ParseAddress(said.address)
			if err != nil {
				return nil, "", usage(err.Error()+said.from, "")
			}
			return u, said.from, nil
		}
	}
	return nil, "", usage("no site is named", "give its address, set TOOLPRESS_SITE, or write site: { url: … } into the curation")
}

// discover reads the site, or the recording that stands for it.
func (s *source) discover(ctx context.Context, positional string) error {
	if s.app.from != "" {
		data, err := os.ReadFile(s.app.from)
		if err != nil {
			return usage(fmt.Sprintf("reading the recording: %v", err), "make one with toolpress discover -o site.json")
		}
		site, err := discover.Decode(data)
		if err != nil {
			return usage(fmt.Sprintf("%s: %v", s.app.from, err), "")
		}
		s.site, s.may = site, map[curate.Auth]discover.Permissions{{}: site.Permissions}
		return nil
	}
	address, from, err := s.address(positional)
	if err != nil {
		return err
	}
	opts, err := s.options()
	if err != nil {
		return err
	}
	s.given = !opts.Credential.Anonymous()
	root, err := s.app.find(ctx, address, from, opts)
	if err != nil {
		return err
	}
	site, err := root.Read(ctx)
	if err != nil {
		return siteFailure(fmt.Errorf("reading the site at %s%s: %w", address, from, err))
	}
	s.found(root, site)
	return nil
}

// found takes what was read, and that nothing is known of accounts yet.
func (s *source) found(root *discover.Root, site *discover.Site) {
	s.root, s.site, s.may, s.asked = root, site, map[curate.Auth]discover.Permissions{}, map[curate.Auth]*wp.Client{}
	if s.shelf != nil {
		s.shelf.account = root.Client().Account()
	}
	if s.desktop == nil {
		s.desktop = []string{"serve", "--stdio", root.URL}
	}
}

// passedOver is said where a curation.yaml that lies there is not used.
const passedOver = "there is a curation.yaml here, not used because a URL is given: add --curation curation.yaml"

// load opens and discovers in one go.
func (a *app) load(ctx context.Context, positional string) (*source, error) {
	s, err := a.open(positional)
	if err != nil {
		return nil, err
	}
	if s.passedOver {
		a.say("%s", passedOver)
	}
	return s, s.discover(ctx, positional)
}

// close drops the connections to the site.
func (s *source) close() {
	if s.root != nil {
		s.root.Client().Close()
	}
}

// apply makes the catalog of what was read last.
func (s *source) apply() (*generate.Surface, *curate.Catalog, curate.Findings) {
	surface := generate.FromSite(s.site)
	catalog, findings := s.curation.Apply(surface, s.rights())
	return surface, catalog, findings
}

// review is apply, with what is to be said of the tools' words.
func (s *source) review() (*generate.Surface, *curate.Catalog, curate.Findings) {
	surface := generate.FromSite(s.site)
	catalog, findings := s.curation.Check(surface, s.rights())
	return surface, catalog, findings
}

// poll is how often the site is read again.
func (s *source) poll() time.Duration {
	if p := s.curation.Site().Poll; p > 0 {
		return p
	}
	return 5 * time.Minute
}

// describe says which curation is used.
func (s *source) describe() string {
	switch {
	case s.curationName != "":
		return s.curationName
	case s.passedOver:
		return "none: " + passedOver
	}
	return s.withoutName
}

// name is the curation as messages call it.
func (s *source) name() string {
	if s.curationName == "" {
		return "the built-in curation"
	}
	return s.curationName
}
