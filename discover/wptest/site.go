package wptest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Version is the WordPress this package imitates.
const Version = "7.1"

// Site is one bookshop. The zero value is not ready: use [New].
type Site struct {
	routes []*route // set by New, never changed
	own    callbacks

	// mu guards everything below; a request holds it from beginning to end.
	mu sync.Mutex
	// home is the site's address as the request at hand reached it.
	home string

	users    []*user
	posts    []*post // posts, pages and attachments, by id
	terms    []*term
	comments []*comment
	settings map[string]any
	nextPost int
	nextTerm int
	nextNote int // of comments
	nextUser int

	prices map[int]float64
	notes  []any

	store *store // nil: without WooCommerce
	files bool   // [Files]
	staff []User
}

// Option changes what a site has.
type Option func(*Site)

// User is somebody who can log in to the site.
type User struct {
	// Login and Password go into Basic authentication; the password is an
	// application password, with its spaces.
	Login, Password string
	// Role is administrator, editor, author or subscriber; with WooCommerce also
	// shop_manager or customer.
	Role string
	// Name is what visitors see.
	Name string
}

// New makes a site with the same content every time.
func New(options ...Option) *Site {
	s := &Site{home: "http://127.0.0.1", own: newCallbacks(), staff: staff}
	s.fill()
	for _, option := range options {
		option(s)
	}
	s.routes = s.table()
	return s
}

// Users are who the site knows at first, the administrator first.
func (s *Site) Users() []User { return slices.Clone(s.staff) }

// maxBody bounds an upload.
const maxBody = 32 << 20

// ServeHTTP answers one request, for the REST API under /wp-json/ and
// ?rest_route=, and for the site's pages elsewhere. Requests are answered one
// after the other; a slow client keeps nobody waiting.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	a := &buffered{header: http.Header{}, status: http.StatusOK}
	s.answer(a, r, body)
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes())
}

func (s *Site) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	s.home = scheme + "://" + r.Host
	// An escaped slash stays escaped: it parts nothing.
	path, isREST := strings.CutPrefix(strings.ReplaceAll(r.URL.EscapedPath(), "%2F", "%252F"), "/wp-json")
	if isREST && (path == "" || path[0] == '/') {
		if plain, err := url.PathUnescape(path); err == nil {
			path = plain
		}
		s.serveREST(w, r, path, body)
		return
	}
	if query := r.URL.Query(); query.Get("rest_route") != "" && (r.URL.Path == "/" || r.URL.Path == "/index.php") {
		s.serveREST(w, r, query.Get("rest_route"), body)
		return
	}
	s.servePage(w, r)
}

// buffered holds an answer until the site is free for others.
type buffered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (b *buffered) Header() http.Header         { return b.header }
func (b *buffered) WriteHeader(status int)      { b.status = status }
func (b *buffered) Write(p []byte) (int, error) { return b.body.Write(p) }

// rest is the address of a route.
func (s *Site) rest(path string) string { return s.home + "/wp-json" + path }
