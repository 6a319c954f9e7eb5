package wptest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// The pages visitors see, and the picture.
func TestPages(t *testing.T) {
	_, at := start(t)
	for path, want := range map[string]string{"/": "Haiku Workshop", "/about-the-shop/": "Quarto", "/2025/10/11/haiku-workshop/": "bring a pencil", "/wp-content/uploads/2025/01/shelf-150x150.png": "PNG"} {
		resp, err := http.Get(at.JoinPath(path).String())
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d, %v: %.200q", path, resp.StatusCode, err, body)
		}
	}
}
