// Package lastgood keeps the last good reading of a site on disk, so that a start while
// the site is down serves what was there: one file for each site and account, that
// only this user reads. It holds what the site said and what accounts may call, and
// no secret; whether a reading is good enough to be kept, and when one is used, is
// its caller's to say.
package lastgood

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"toolpress/discover"
	"toolpress/discover/login"
	"toolpress/discover/wp"
)

// format begins every file.
const format = "toolpress/last-good/1"

// maxFile bounds a file that is read, in bytes: the largest index, and as much again.
const maxFile = 64 << 20

// Key tells what is kept apart: a site as it is asked, by whom.
type Key struct {
	// Address is the site's, as it was asked for.
	Address string `json:"address"`
	// Host is the name it is asked by, where that is another (site.host), Locale the
	// language it is asked in (site.locale); either may be empty.
	Host   string `json:"host,omitempty"`
	Locale string `json:"locale,omitempty"`
	// Account is who asks ([wp.Client.Account]).
	Account string `json:"account"`
}

// Reading is what a site said.
type Reading struct {
	Key
	// Site is what it said.
	Site *discover.Site
	// May are what accounts may call of it, by [wp.Client.Account].
	May map[string]discover.Permissions
	// At is when the site said so last.
	At time.Time
}

// file is a Reading as it lies on disk. When it was read is the file's time.
type file struct {
	Format string `json:"format"`
	Key
	May  map[string]discover.Permissions `json:"may"`
	Site json.RawMessage                 `json:"site"`
}

// Name is the file of what is kept below dir.
func (k Key) Name(dir string) (string, error) {
	site, err := login.FileName(k.Address)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", k.Host, k.Locale, k.Account))
	return filepath.Join(dir, "sites", site+"-"+hex.EncodeToString(sum[:8])+".json"), nil
}

// Save puts a reading in the place of the one that is kept, whole or not at all.
func (r *Reading) Save(dir string) error {
	name, err := r.Name(dir)
	if err != nil {
		return fmt.Errorf("keeping what the site said: %w", err)
	}
	site, err := discover.Encode(r.Site)
	if err != nil {
		return fmt.Errorf("keeping what the site said: %w", err)
	}
	text, err := wp.EncodeJSON(file{format, r.Key, r.May, site})
	if err == nil {
		err = login.Replace(name, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping what the site said: %w", err)
	}
	return nil
}

// Confirm notes that the site says now what is kept.
func (r *Reading) Confirm(dir string) error {
	name, err := r.Name(dir)
	if err != nil {
		return err
	}
	now := time.Now()
	return os.Chtimes(name, now, now)
}

// Load reads what is kept of a site; nil where nothing is. A file that
// is broken, of another format, or about another site or account is an error.
func Load(dir string, k Key) (*Reading, error) {
	name, err := k.Name(dir)
	if err != nil {
		return nil, err
	}
	text, at, err := read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was kept of the site: %w", err)
	}
	r, err := decode(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading what was kept of the site in %s: %w", name, err)
	case r.Key != k:
		return nil, fmt.Errorf("reading what was kept of the site in %s: it is about %s as %s", name, r.Address, r.Account)
	}
	r.At = at
	return r, nil
}

func read(name string) (text []byte, at time.Time, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, at, err
	case !info.Mode().IsRegular():
		return nil, at, fmt.Errorf("%s is no regular file", name)
	case info.Size() > maxFile:
		return nil, at, fmt.Errorf("%s has %d bytes, more than toolpress writes", name, info.Size())
	}
	text, err = os.ReadFile(name)
	return text, info.ModTime(), err
}

func decode(text []byte) (*Reading, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("it is broken: %w", err)
	}
	if f.Format != format {
		return nil, fmt.Errorf("its format is %q, and this toolpress reads %q", f.Format, format)
	}
	site, err := discover.Decode(f.Site)
	if err != nil {
		return nil, err
	}
	if site.Root == "" || len(site.Routes) == 0 {
		return nil, errors.New("it is broken: it has no routes")
	}
	return &Reading{Key: f.Key, Site: site, May: f.May}, nil
}
