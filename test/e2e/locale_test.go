package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/test/running"
)

// pack is a language for the test: one text of core's, as a package of translations
// holds it (WP_Translation_File_PHP).
const pack = `<?php return array( 'messages' => array( 'Limit results to those matching a string.' => 'Nur was diesen Text hat.' ) );`

// W71: WordPress answers in the site's language, whatever the user's is. What is pinned
// stays when the site's changes, also over a restart; the must-use plugin that we ship
// answers toolpress, and nobody else, in the language that it asks for.
func TestLocale(t *testing.T) {
	dir := os.Getenv("TOOLPRESS_TEST_DIR")
	if dir == "" {
		t.Skip("no TOOLPRESS_TEST_DIR: no language can be put into the site")
	}
	if version := os.Getenv("TOOLPRESS_TEST_VERSION"); strings.HasPrefix(version, "6.1") {
		t.Skip("translations in PHP came with WordPress 6.5")
	}
	put := func(name, text string) {
		t.Helper()
		putFile(t, filepath.Join(dir, "wordpress", "wp-content", name), text)
	}
	put("languages/de_DE.l10n.php", pack)
	language := func(of, locale string) {
		t.Helper()
		if of == "site" {
			asAdmin(t, "POST", "/wp/v2/settings", `{"language":"`+locale+`"}`, nil)
		} else {
			asAdmin(t, "POST", "/wp/v2/users/me", `{"locale":"`+locale+`"}`, nil)
		}
	}
	t.Cleanup(func() { language("site", ""); language("user", "") })
	curation := func(site string) string {
		name := filepath.Join(t.TempDir(), "curation.yaml")
		if err := os.WriteFile(name, []byte("version: 1\n"+site+"tools: { find: { from: GET /wp/v2/posts, description: Find posts by words., args: { \"*\": hidden, search: {} } } }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	state := t.TempDir()
	serving := func(curation string) (url, admin string, said *running.Log) {
		t.Helper()
		cmd := exec.Command(binary, "serve", "--curation", curation, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--poll", "1h", "--state-dir", state)
		cmd.Env = environment("ADMIN")
		url, said = running.Serve(t, cmd, patience)
		_, rest, _ := strings.Cut(said.String(), "serving the operator at ")
		return url, strings.TrimSuffix(strings.Fields(rest)[0], "/healthz"), said
	}
	expect := func(what, url, word string) {
		t.Helper()
		session, _ := connect(t, url, eras[0])
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(list.Tools)
		if !strings.Contains(string(text), word) {
			t.Errorf("%s: %q is not in %s", what, word, text)
		}
	}
	reload := func(admin string) {
		t.Helper()
		resp, err := http.Post(admin+"/-/reload", "", nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%v %+v", err, resp)
		}
		_ = resp.Body.Close()
	}
	const english, german = "Limit results to those matching a string", "Nur was diesen Text hat"
	free, pinned, german2 := curation(""), curation("site: { locale: en_US }\n"), curation("site: { locale: de_DE }\n")

	language("user", "de_DE")
	url, admin, said := serving(free)
	expect("the user's language", url, english)
	held, heldAdmin, heldSaid := serving(pinned)
	language("site", "de_DE")
	reload(admin)
	expect("the site's language", url, german)
	hold(t, said.String(), "the wording of the site changed: ")
	reload(heldAdmin)
	expect("what is pinned", held, english)
	hold(t, heldSaid.String(), "the site answers in de_DE, and is to be in en_US: its texts stay as they were before")

	language("site", "")
	put("mu-plugins/toolpress-locale.php", readAll(t, "../../docs/deploy/toolpress-locale.php"))
	asked, _, askedSaid := serving(german2)
	expect("the language that is asked for", asked, german)
	if strings.Contains(askedSaid.String(), "other-locale") || strings.Contains(askedSaid.String(), "is to be in") {
		t.Errorf("it is not taken for what it is:\n%s", askedSaid)
	}
	reload(admin)
	expect("nobody else's", url, english)
}

func readAll(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
