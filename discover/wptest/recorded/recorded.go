// Package recorded gives tests the WordPress sites that were recorded: what one
// answered, replayed over HTTP. It decides nothing of its own; what a
// recording does not hold is 404 rest_no_route.
package recorded

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Dir finds a recorded site's folder beside the checkout, or skips the
// test where there is none.
func Dir(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	recording := filepath.Join(dir, "..", "shared", "sites", name)
	if _, err := os.Stat(recording); err != nil {
		t.Skipf("no recording of %s beside the checkout", name)
	}
	return recording
}

// Handler serves the recording in dir: its front page, the index with and
// without the help context, the abilities and their categories.
func Handler(t testing.TB, dir string) http.Handler {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	help, index := read("index-help.json"), read("index.json")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<http://"+r.Host+`/wp-json/>; rel="https://api.w.org/"`)
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	})
	mux.HandleFunc("GET /wp-json/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		if r.URL.Query().Get("context") == "help" {
			_, _ = w.Write(help)
			return
		}
		_, _ = w.Write(index)
	})
	for _, collection := range []string{"abilities", "categories"} {
		var recorded struct {
			Status  int               `json:"status"`
			Headers map[string]string `json:"headers"`
			Body    json.RawMessage   `json:"body"`
		}
		if err := json.Unmarshal(read(collection+".json"), &recorded); err != nil {
			t.Fatal(err)
		}
		mux.HandleFunc("GET /wp-json/wp-abilities/v1/"+collection, func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range recorded.Headers {
				if strings.HasPrefix(name, "X-") || name == "Content-Type" || name == "Allow" {
					w.Header().Set(name, value)
				}
			}
			w.WriteHeader(recorded.Status)
			_, _ = w.Write(recorded.Body)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"code":"rest_no_route","message":"No route was found matching the URL and request method.","data":{"status":404}}`))
	})
	return mux
}
