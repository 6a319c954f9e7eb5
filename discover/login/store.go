package login

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"toolpress/discover/wp"
)

// format begins every file of the store.
const format = "toolpress/credential/1"

// maxFile bounds a file that is read as a stored credential.
const maxFile = 64 << 10

// Stored is one site's credential, as it is kept.
type Stored struct {
	// Site is the site's front address, with scheme, host, port and path.
	Site       string
	Credential wp.Credential
	// Application is the password's name in WordPress.
	Application string
	// Profile is the page of WordPress where the password can be deleted.
	Profile string
}

// file is a Stored as it lies on disk: the one place where a password is text.
type file struct {
	Format      string `json:"format"`
	Site        string `json:"site"`
	User        string `json:"user"`
	Password    string `json:"password"`
	Application string `json:"application"`
	Profile     string `json:"profile"`
}

// ExposedError is a stored credential that others on this machine can read. It
// is not used.
type ExposedError struct {
	File string
	Mode fs.FileMode
}

// Error names the file and its mode.
func (e *ExposedError) Error() string {
	return fmt.Sprintf("%s holds a password and others can read it (mode %04o)", e.File, e.Mode)
}

// Hint is how to mend it.
func (e *ExposedError) Hint() string {
	return "make it yours alone: chmod 600 '" + e.File + "'; if others use this machine, revoke the password in WordPress and log in again"
}

// key is a site's address as the store knows it: a scheme's own port, a slash
// at the end, the query and the case of the host say nothing.
func key(site string) (string, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("%q is not the address of a site", site)
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := port(u); p != "" {
		host += ":" + p
	}
	return u.Scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/"), nil
}

func folder(configDir string) string { return filepath.Join(configDir, "toolpress", "credentials") }

// fileOf is where a site's credential lies.
func fileOf(configDir, key string) string {
	return filepath.Join(folder(configDir), fileName(key)+".json")
}

// FileName is the part of a file's name that says which site it is about; the
// error is of what is no address of a site.
func FileName(site string) (string, error) {
	site, err := key(site)
	if err != nil {
		return "", err
	}
	return fileName(site), nil
}

// fileName is the host for a person who looks, and what tells the sites of one
// host apart.
func fileName(key string) string {
	sum := sha256.Sum256([]byte(key))
	_, host, _ := strings.Cut(key, "://")
	host, _, _ = strings.Cut(host, "/")
	host = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || (r >= '0' && r <= '9') || (r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, host)
	return host[:min(len(host), 100)] + "-" + hex.EncodeToString(sum[:8])
}

// Save keeps a credential below configDir (os.UserConfigDir), in place of the
// one its site had, and returns the file's name. The file is replaced whole, and
// only this user reads it.
func Save(configDir string, s Stored) (string, error) {
	site, err := key(s.Site)
	if err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(file{format, site, s.Credential.User, s.Credential.Password.Reveal(), s.Application, s.Profile}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encoding the credential: %w", err)
	}
	name := fileOf(configDir, site)
	if err := replace(name, append(text, '\n')); err != nil {
		return "", fmt.Errorf("storing the credential: %w", err)
	}
	return name, nil
}

func replace(name string, text []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, ours := range []string{filepath.Dir(dir), dir} { // they may be older, and open
		if err := os.Chmod(ours, 0o700); err != nil {
			return err
		}
	}
	return Replace(name, text)
}

// Replace puts a file that only this user reads in the place of the one that is
// there, whole or not at all, and makes its directory.
func Replace(name string, text []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".new-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Sync()
	}
	if err := errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

// Lookup returns the credential stored for exactly this site: same scheme, host,
// port and path. No file is no error; a file that others can read is an
// [*ExposedError]. An empty configDir has nothing.
func Lookup(configDir, siteURL string) (wp.Credential, bool, error) {
	s, ok, err := Read(configDir, siteURL)
	return s.Credential, ok, err
}

// Read is [Lookup] with everything that is kept.
func Read(configDir, siteURL string) (Stored, bool, error) {
	site, err := key(siteURL)
	if err != nil || configDir == "" {
		return Stored{}, false, err
	}
	s, err := readFile(fileOf(configDir, site))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Stored{}, false, nil
	case err != nil:
		return Stored{}, false, fmt.Errorf("reading the stored credential of %s: %w", site, err)
	case s.Site != site:
		return Stored{}, false, fmt.Errorf("reading the stored credential of %s: the file is about %s", site, s.Site)
	}
	return s, true, nil
}

func readFile(name string) (Stored, error) {
	f, err := os.Open(name)
	if err != nil {
		return Stored{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Stored{}, err
	}
	// Windows keeps a user's folder from others in another way than modes.
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return Stored{}, &ExposedError{name, mode}
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return Stored{}, err
	}
	var s file
	// What the decoder says may quote the text.
	if json.NewDecoder(bytes.NewReader(text)).Decode(&s) != nil || s.Format != format || s.User == "" || s.Password == "" {
		return Stored{}, fmt.Errorf("%s is not a stored credential (%s): delete it and log in again", name, format)
	}
	return Stored{s.Site, wp.Credential{User: s.User, Password: wp.NewSecret(s.Password)}, s.Application, s.Profile}, nil
}

// Forget deletes what is stored for a site, also what cannot be read, and
// reports whether there was anything.
func Forget(configDir, siteURL string) (bool, error) {
	site, err := key(siteURL)
	if err != nil {
		return false, err
	}
	switch err := os.Remove(fileOf(configDir, site)); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("forgetting the credential of %s: %w", site, err)
	}
	return true, nil
}

// Sites are the addresses a credential is stored for, in order. What cannot be
// read is left out.
func Sites(configDir string) []string {
	names, _ := filepath.Glob(filepath.Join(folder(configDir), "*.json"))
	var sites []string
	for _, name := range names {
		if s, err := readFile(name); err == nil {
			sites = append(sites, s.Site)
		}
	}
	slices.Sort(sites)
	return sites
}
