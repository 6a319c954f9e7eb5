package doctor

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nginx starts one in front of the site with these lines in its server block,
// and returns its address.
func nginx(t *testing.T, behind, lines string) string {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // where Debian has it; not on every user's path
		if _, err := os.Stat(program); err != nil {
			t.Skip("SKIP doctor behind nginx: there is none; see test/release/front")
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	dir, user := t.TempDir(), ""
	if os.Geteuid() == 0 {
		user = "user root;" // its workers have to reach dir
	}
	conf := filepath.Join(dir, "nginx.conf")
	text := fmt.Sprintf(`%s worker_processes 1; pid %[2]s/pid; error_log %[2]s/error.log;
events {}
http {
	access_log off; client_body_temp_path %[2]s/body; proxy_temp_path %[2]s/proxy; fastcgi_temp_path %[2]s/f; uwsgi_temp_path %[2]s/u; scgi_temp_path %[2]s/s;
	proxy_cache_path %[2]s/cache keys_zone=kept:1m;
	server { listen %s; %s
		location / { proxy_pass %s; }
	}
}
`, user, dir, address, strings.ReplaceAll(lines, "SITE", behind), behind)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(program, append([]string{"-p", dir, "-e", dir + "/error.log", "-c", conf}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("nginx %v: %v\n%s", args, err, out)
		}
	}
	run() // a daemon: it listens when this returns
	t.Cleanup(func() { run("-s", "stop") })
	return "http://" + address
}

// misbehaving is a must-use plugin that does what it is told in a header which
// only the nginx of these tests sends: others may use the site meanwhile.
const misbehaving = `<?php
// Written and removed by test/doctor.
switch ( $_SERVER['HTTP_X_MISBEHAVE'] ?? '' ) {
	case 'notice':
		add_filter( 'rest_pre_serve_request', static function ( $served ) {
			echo "<br />\n<b>Deprecated</b>:  Function old() is deprecated in <b>" . __FILE__ . "</b> on line <b>7</b><br />\n";
			return $served;
		} );
		break;
	case 'bom':
		add_filter( 'rest_pre_serve_request', static function ( $served ) {
			echo "\xEF\xBB\xBF";
			return $served;
		} );
		break;
	case 'off':
		add_filter( 'wp_is_application_passwords_available', '__return_false' );
		break;
	case 'closed':
		add_filter( 'rest_authentication_errors', static fn() => new WP_Error( 'rest_disabled', 'The REST API is disabled.', array( 'status' => 403 ) ), 200 );
		break;
	case 'hidden':
		add_filter( 'rest_endpoints', static fn( $routes ) => array_filter( $routes, static fn( $route ) => ! str_starts_with( $route, '/wp/v2/users' ), ARRAY_FILTER_USE_KEY ) );
		break;
	case 'fatal':
		add_action( 'rest_api_init', static function () {
			undefined_function_of_a_plugin();
		} );
		break;
}
`

// plugin puts it into the site until the test ends.
func plugin(t *testing.T) {
	t.Helper()
	dir := os.Getenv("TOOLPRESS_TEST_DIR")
	if dir == "" {
		t.Skip("SKIP doctor and plugins: the site's files are elsewhere (no TOOLPRESS_TEST_DIR)")
	}
	name := filepath.Join(dir, "wordpress", "wp-content", "mu-plugins", "toolpress-doctor.php")
	if err := os.WriteFile(name, []byte(misbehaving), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(name) })
}
