package wptest

import (
	"fmt"
	"html"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// servePage answers for the site's front: its pages for visitors, and files.
// Every page names the REST root in its Link header (rest_output_link_header).
func (s *Site) servePage(w http.ResponseWriter, r *http.Request) {
	for _, p := range s.posts {
		if p.file != nil && p.file.serves(r.URL.Path) {
			w.Header().Set("Content-Type", p.file.mime)
			_, _ = w.Write(p.file.data)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	// Texts are stored as they come; nothing in them runs.
	w.Header().Set("Content-Security-Policy", "script-src 'none'")
	if id, err := strconv.Atoi(r.URL.Query().Get("p")); err == nil && r.URL.Path == "/" {
		if p := s.post(id); p != nil && p.status == "publish" {
			http.Redirect(w, r, s.permalink(p), http.StatusMovedPermanently)
			return
		}
	}
	w.Header().Add("Link", "<"+s.rest("/")+`>; rel="https://api.w.org/"`)
	name := text(s.settings["title"])
	if r.URL.Path == "/" || r.URL.Path == "/index.php" {
		s.writePage(w, name, s.front())
		return
	}
	for _, p := range s.posts {
		if at, ok := strings.CutPrefix(s.permalink(p), s.home); ok && at == r.URL.Path && p.status == "publish" && p.password == "" {
			id := strconv.Itoa(p.id)
			w.Header().Add("Link", "<"+s.rest("/wp/v2/"+p.kind.base+"/"+id)+`>; rel="alternate"; title="JSON"; type="application/json"`)
			w.Header().Add("Link", "<"+s.home+"/?p="+id+">; rel=shortlink")
			s.writePage(w, titleHTML(p)+" – "+name, "<h1>"+titleHTML(p)+"</h1>"+contentHTML(p.content))
			return
		}
	}
	w.Header().Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
	w.Header().Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
	w.WriteHeader(http.StatusNotFound)
	s.writePage(w, "Page not found – "+name, "<h1>Page not found</h1>")
}

func (s *Site) front() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1><p>%s</p><ul>", html.EscapeString(text(s.settings["title"])), html.EscapeString(text(s.settings["description"])))
	for i := len(s.posts) - 1; i >= 0; i-- {
		if p := s.posts[i]; p.status == "publish" {
			fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, s.permalink(p), titleHTML(p))
		}
	}
	return b.String() + "</ul>"
}

func (s *Site) writePage(w http.ResponseWriter, title, body string) {
	_, _ = fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en-US\"><head><meta charset=\"UTF-8\"><title>%s</title>"+
		"<link rel=\"https://api.w.org/\" href=\"%s\"></head><body>%s</body></html>\n", title, s.rest("/"), body)
}

// serves tells whether a path is the file's, in any of its sizes.
func (f *file) serves(at string) bool {
	ext := path.Ext(f.name)
	return at == f.path() || strings.HasPrefix(at, strings.TrimSuffix(f.path(), ext)+"-") && path.Ext(at) == ext
}
