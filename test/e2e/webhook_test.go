package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolpress/test/running"
)

// extraPlugin has one route.
const extraPlugin = `<?php
/* Plugin Name: Toolpress test, things */
add_action( 'rest_api_init', function () {
	register_rest_route( 'things/v1', '/list', array(
		'methods' => 'GET', 'permission_callback' => '__return_true', 'callback' => function () { return array( 1, 2 ); },
	) );
} );
`

// The must-use plugin that we ship tells toolpress what happens to the site: a plugin
// comes and goes, a user gets another role. Clients know within seconds, an hour
// before the next poll.
func TestWebhookPlugin(t *testing.T) {
	dir := os.Getenv("TOOLPRESS_TEST_DIR")
	if dir == "" {
		t.Skip("no TOOLPRESS_TEST_DIR: no plugin can be put into the site")
	}
	put := func(name, text string) {
		t.Helper()
		putFile(t, filepath.Join(dir, "wordpress", "wp-content", name), text)
	}
	const secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	curation := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(curation, []byte(`version: 1
extends: [preset:wordpress@1]
site: { webhook: { secret_env: HOOK } }
tools: { list_things: { from: GET /things/v1/list, optional: true, groups: [read] } }
profiles: { default: { groups: [read, write] } }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "serve", "--curation", curation, "--listen", "127.0.0.1:0", "--poll", "1h")
	cmd.Env = append(environment("EDITOR"), "HOOK="+secret)
	url, _ := running.Serve(t, cmd, patience)
	plugin, err := os.ReadFile("../../docs/deploy/toolpress-webhook.php")
	if err != nil {
		t.Fatal(err)
	}
	put("plugins/toolpress-things/toolpress-things.php", extraPlugin)
	put("mu-plugins/toolpress-webhook.php", string(plugin))
	put("mu-plugins/toolpress-settings.php", "<?php define( 'TOOLPRESS_WEBHOOK_URL', '"+strings.TrimSuffix(url, "/mcp")+"/webhook' ); define( 'TOOLPRESS_WEBHOOK_SECRET', '"+secret+"' );")

	session, changes := connect(t, url, eras[0])
	expect := func(tool string, there bool) {
		t.Helper()
		await(t, changes)
		if got := tools(t, session); slices.Contains(got, tool) != there {
			t.Errorf("%s is there: %t; %v", tool, !there, got)
		}
	}
	if got := tools(t, session); slices.Contains(got, "list_things") || !slices.Contains(got, "draft_post") {
		t.Fatalf("%v", got)
	}
	const things = "/wp/v2/plugins/toolpress-things/toolpress-things"
	asAdmin(t, "POST", things, `{"status":"active"}`, nil)
	expect("list_things", true)
	hold(t, call(t, session, "list_things", `{}`), `{"items":[1,2]}`)
	asAdmin(t, "POST", things, `{"status":"inactive"}`, nil)
	expect("list_things", false)

	var users []struct{ ID int }
	asAdmin(t, "GET", "/wp/v2/users?context=edit&search="+os.Getenv("TOOLPRESS_TEST_EDITOR_USER"), "", &users)
	if len(users) != 1 {
		t.Fatalf("%v", users)
	}
	role := func(name string) {
		asAdmin(t, "POST", "/wp/v2/users/"+strconv.Itoa(users[0].ID), `{"roles":["`+name+`"]}`, nil)
	}
	t.Cleanup(func() { role("editor") })
	role("subscriber")
	expect("draft_post", false)
	role("editor")
	expect("draft_post", true)
	if len(changes) != 0 {
		t.Errorf("%d more notifications", len(changes))
	}
}
