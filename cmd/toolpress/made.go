package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"toolpress/curate"
	"toolpress/curate/change"
	"toolpress/discover"
	"toolpress/generate"
)

// generated is a catalog that is written down, with what it was made from.
type generated struct {
	surface  *generate.Surface
	catalog  *curate.Catalog
	findings curate.Findings
	text     []byte
}

// generated makes the catalog that generate writes.
func (s *source) generated(ctx context.Context) (*generated, error) {
	surface, catalog, findings, err := s.permittedToSite(ctx)
	if err != nil {
		return nil, err
	}
	if catalog.MadeOf, err = s.madeOf(catalog); err != nil {
		return nil, err
	}
	text, err := catalog.Encode()
	return &generated{surface, catalog, findings, text}, err
}

// grave is what is to be said of a catalog beside what changed in it: errors, and what
// waits for an approval and therefore changed nothing.
func (g *generated) grave() curate.Findings {
	return slices.DeleteFunc(slices.Clone(g.findings.Open()), func(f curate.Finding) bool {
		return f.Severity != curate.SeverityError && !slices.Contains([]string{"drift", "drift-preset", "not-approved"}, f.ID)
	})
}

// madeOf are the inputs of a catalog: digests of what it uses of the site, and of
// the curation's files, whatever they are called, and of its lock.
func (s *source) madeOf(catalog *curate.Catalog) (*change.MadeOf, error) {
	site, err := discover.Encode(s.site.Keep(namedIn(catalog)))
	if err != nil {
		return nil, err
	}
	m := &change.MadeOf{Toolpress: version(), Site: digest(site), Curation: digestOfFiles(s.files), Locale: s.site.Locale}
	if l, said := s.curation.Lock(); said && s.files[l.File.Value] != nil {
		m.Curation, m.Lock = digestOfFiles(except(s.files, l.File.Value)), digest(s.files[l.File.Value])
	}
	if s.site.User != nil {
		m.Roles = slices.Sorted(slices.Values(s.site.User.Roles))
	}
	return m, nil
}

// digest names what is in the curation's files and its lock, as they were read last.
func (s *source) digest() string { return digestOfFiles(s.files) }

// digestOfFiles names what is in files, whatever they are called.
func digestOfFiles(files map[string][]byte) string {
	contents := []string{}
	for data := range maps.Values(files) {
		contents = append(contents, string(data))
	}
	slices.Sort(contents)
	return digest(fmt.Appendf(nil, "%q", contents))
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// differences are what changed from a catalog that was written down to this one,
// with the causes.
func (g *generated) differences(before *change.Catalog) ([]change.Difference, error) {
	after, err := change.DecodeCatalog(g.text)
	if err != nil {
		return nil, err
	}
	all, err := change.Catalogs(before, after)
	if err != nil {
		return nil, err
	}
	only := change.Only(before, after)
	for i := range all {
		d := &all[i]
		d.Cause, d.At = g.cause(before, d)
		// A preset's words are no site's; which of the others brought them, it says.
		if only != "" && (d.Cause != change.CausePreset || only == change.CauseSite) {
			d.Cause = only
		}
	}
	return all, nil
}
