package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
)

// What stands before the bookshop, each as a host or a plugin does it.

type front = func(http.Handler) http.Handler

// both puts one front behind another.
func both(outer, inner front) front {
	return func(shop http.Handler) http.Handler { return outer(inner(shop)) }
}

// strips drops the Authorization header, as Apache with CGI does.
func strips(shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Authorization")
		shop.ServeHTTP(w, r)
	})
}

// xmlrpc is WordPress's XML-RPC server, which looks for the password in the
// body; test/doctor compares with the real one.
func xmlrpc(password string) front {
	return func(shop http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/xmlrpc.php" {
				shop.ServeHTTP(w, r)
				return
			}
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "text/xml; charset=UTF-8")
			if r.Header.Get("Authorization") == "" && bytes.Contains(body, []byte("<string>"+password+"</string>")) {
				fmt.Fprint(w, `<?xml version="1.0"?><methodResponse><params><param><value><array><data><value><struct><member><name>blogid</name><value><string>1</string></value></member></struct></value></data></array></value></param></params></methodResponse>`)
				return
			}
			fmt.Fprint(w, `<?xml version="1.0"?><methodResponse><fault><value><struct><member><name>faultCode</name><value><int>403</int></value></member></struct></value></fault></methodResponse>`)
		})
	}
}

// answers gives one fixed answer to the paths below a prefix.
func answers(prefix string, status int, body string, headers ...string) front {
	return func(shop http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, prefix) {
				shop.ServeHTTP(w, r)
				return
			}
			kind := "text/html; charset=UTF-8"
			if strings.HasPrefix(body, "{") {
				kind = "application/json; charset=UTF-8"
			}
			w.Header().Set("Content-Type", kind)
			for i := 0; i+1 < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
}

// page is a document as firewalls and plugins show it.
func page(title, text string) string {
	return "<!DOCTYPE html>\n<html><head><title>" + title + "</title></head><body><script>document.cookie</script>" + text + "</body></html>"
}

// refusal is WordPress's error envelope.
func refusal(status int, code string) string {
	return fmt.Sprintf(`{"code":%q,"message":"Sorry, you are not allowed to do that.","data":{"status":%d}}`, code, status)
}

// rewrites changes the body of what the bookshop answers below a prefix.
func rewrites(prefix string, change func(h http.Header, body []byte) []byte) front {
	return func(shop http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inner := httptest.NewRecorder()
			shop.ServeHTTP(inner, r)
			maps.Copy(w.Header(), inner.Header())
			body := inner.Body.Bytes()
			if strings.HasPrefix(r.URL.Path, prefix) {
				body = change(w.Header(), body)
			}
			w.WriteHeader(inner.Code)
			_, _ = w.Write(body)
		})
	}
}

// prints puts text before the JSON, as a PHP notice does.
func prints(text string) front {
	return rewrites("/wp-json", func(_ http.Header, body []byte) []byte { return append([]byte(text), body...) })
}

// says sets headers on REST answers.
func says(headers ...string) front {
	return rewrites("/wp-json", func(h http.Header, body []byte) []byte {
		for i := 0; i+1 < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		return body
	})
}

// indexed changes the REST index.
func indexed(change func(index map[string]any)) front {
	return rewrites("/wp-json/", func(_ http.Header, body []byte) []byte {
		var index map[string]any
		if json.Unmarshal(body, &index) != nil || index["namespaces"] == nil {
			return body
		}
		change(index)
		changed, _ := json.Marshal(index)
		return changed
	})
}

// passwordsOff is an index without application passwords, and a site that has
// this namespace as well.
func passwordsOff(namespace, url string) front {
	return indexed(func(index map[string]any) {
		index["authentication"] = []any{}
		if namespace != "" {
			index["namespaces"] = append(index["namespaces"].([]any), namespace)
		}
		if url != "" {
			index["url"] = url
		}
	})
}

// moves sends every request elsewhere, with what it carries.
func moves(to string) front {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, to+r.URL.Path+"?token=s3cret", http.StatusMovedPermanently)
		})
	}
}

// pagesMove sends visitors to their language, and leaves the REST API alone.
func pagesMove(shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/en/", http.StatusFound)
			return
		}
		shop.ServeHTTP(w, r)
	})
}

// stale keeps what visitors got, by the address alone, and gives it to everybody.
func stale(shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/wp-json") || r.URL.Query().Has("_") || strings.Contains(r.URL.Path, "abilities") {
			shop.ServeHTTP(w, r)
			return
		}
		w.Header().Set("X-Cache", "HIT from edge")
		strips(shop).ServeHTTP(w, r)
	})
}

// mounted serves the bookshop below dir, with its REST root at dir+rest.
func mounted(dir, rest string) front {
	return func(shop http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, dir+"/") {
				http.NotFound(w, r)
				return
			}
			inner := r.Clone(r.Context())
			inner.URL.RawPath = ""
			inner.URL.Path = strings.TrimPrefix(inner.URL.Path, dir)
			if after, is := strings.CutPrefix(inner.URL.Path, rest); is {
				inner.URL.Path = "/wp-json/" + after
			}
			rewrites("/", func(h http.Header, body []byte) []byte {
				if h.Get("Link") != "" {
					h.Set("Link", "<https://"+r.Host+dir+rest+`>; rel="https://api.w.org/"`)
				}
				return body
			})(shop).ServeHTTP(w, inner)
		})
	}
}

// plainPermalinks has its REST root in the query only, and names it nowhere.
func plainPermalinks(shop http.Handler) http.Handler {
	nameless := rewrites("/", func(h http.Header, body []byte) []byte {
		h.Del("Link")
		return bytes.ReplaceAll(body, []byte("https://api.w.org/"), []byte("nothing"))
	})(shop)
	return answers("/wp-json", http.StatusNotFound, page("404 Not Found", "nginx"))(nameless)
}
