package release

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the Compose and Kubernetes files rest on, on a real WordPress: a site
// whose own address is https and elsewhere is asked over loopback, and takes
// an application password there because of the plugin and only then.
func TestSidecar(t *testing.T) {
	if os.Getenv("TOOLPRESS_TEST_SITE") == "" {
		t.Skip("no TOOLPRESS_TEST_SITE: this needs a machine that can have a WordPress")
	}
	name := binary(t)
	dir := filepath.Join(t.TempDir(), "shop")
	site := filepath.Join(root, "test", "wordpress", "site")
	t.Cleanup(func() { output(t, ".", os.Environ(), site, "stop", dir) })
	output(t, ".", os.Environ(), site, "start", dir)
	settings := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+)='(.*)'$`).FindAllStringSubmatch(read(t, filepath.Join(dir, "env")), -1) {
		settings[m[1]] = m[2]
	}
	// A site in production: its address is public, and https ends in front of it.
	conf := filepath.Join(dir, "wordpress", "wp-config.php")
	address := settings["TOOLPRESS_TEST_SITE"]
	text := strings.ReplaceAll(read(t, conf), address, "https://shop.example")
	write(t, conf, replaced(t, text, map[string]string{"define( 'WP_ENVIRONMENT_TYPE', 'local' );\n": ""}), 0o644)
	// PHP looks at a file again after two seconds.
	await(t, &log{}, "the new configuration", func() bool {
		resp, err := http.Get(address + "/wp-json/")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return strings.Contains(resp.Header.Get("Link"), "<https://shop.example/wp-json/>")
	})
	env := environment("TOOLPRESS_USER="+settings["TOOLPRESS_TEST_EDITOR_USER"], "TOOLPRESS_PASSWORD="+settings["TOOLPRESS_TEST_EDITOR_PASSWORD"],
		"TOOLPRESS_SITE="+address)

	if code, said := exitCode(t, env, name, "call", "find_posts"); code != 4 {
		t.Errorf("without the plugin: exit code %d\n%s", code, said)
	}
	write(t, filepath.Join(dir, "wordpress", "wp-content", "mu-plugins", "application-passwords.php"), read(t, filepath.Join(deploy, "application-passwords.php")), 0o644)
	code, said := exitCode(t, env, name, "call", "find_posts")
	if code != 0 {
		t.Errorf("with the plugin: exit code %d\n%s", code, said)
	}
	lacks(t, said, "https://shop.example/")
}
