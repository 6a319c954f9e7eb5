package login

import (
	"html/template"
	"net/http"
)

// page is what the browser shows of a visit. None holds anything of the answer.
type page struct{ Title, Text string }

var (
	pageApproved = page{"Back to the terminal", "toolpress has its password for this site, and is trying it now. You can close this window."}
	pageRejected = page{"Not connected", "You did not approve the connection. Nothing was changed. You can close this window."}
	pageFailed   = page{"Not connected", "toolpress does not take this answer; the terminal says why. You can close this window."}
	pageUsed     = page{"Already answered", "This address works once. Start again in the terminal: toolpress login."}
	pageNothing  = page{"Nothing here", "toolpress waits for a site's answer at another address."}
)

var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{{.Title}} · toolpress</title>
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.6rem; margin: 0 0 .5rem }
p { margin: 0 0 1.5rem }
small { opacity: .6 }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
{{with .Site}}<small>{{.}}</small>{{end}}
</body>
</html>
`))

// protect keeps an answer out of caches, frames and the Referer of others.
func protect(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
}

func (v *Visit) page(w http.ResponseWriter, status int, p page) {
	site := ""
	if p == pageApproved || p == pageRejected {
		site = v.site.URL
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	// A browser that is gone needs no page.
	_ = pageTemplate.Execute(w, struct {
		page
		Site string
	}{p, site})
}
