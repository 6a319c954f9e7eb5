package login

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toolpress/discover/login"
	"toolpress/discover/wp"
	"toolpress/test/running"
)

// desk is a person's machine: a home of its own, and nothing in the environment
// that says who they are.
type desk struct {
	config string
	env    []string
}

func newDesk(t *testing.T) *desk {
	d := &desk{config: t.TempDir()}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TOOLPRESS_") {
			d.env = append(d.env, v)
		}
	}
	d.env = append(d.env, "XDG_CONFIG_HOME="+d.config)
	return d
}

// run runs toolpress to its end; visit gets the address it asks to open.
func (d *desk) run(t *testing.T, visit func(address string), args ...string) (code int, said string) {
	t.Helper()
	var log running.Log
	c := exec.Command(binary, args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = d.config, d.env, &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }()
	if visit != nil {
		log.Await(t, "Waiting", patience)
		address := regexp.MustCompile(`\n\n  (\S+)\n`).FindStringSubmatch(log.String())
		if address == nil {
			t.Fatalf("no address:\n%s", &log)
		}
		visit(address[1])
	}
	_ = c.Wait()
	return c.ProcessState.ExitCode(), log.String()
}

// known is the status of asking the site who a credential is.
func known(t *testing.T, c wp.Credential) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, os.Getenv("TOOLPRESS_TEST_SITE")+"/index.php?rest_route=/wp/v2/users/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(c.User, c.Password.Reveal())
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// A person approves in the browser, the next command is that user, and logout
// deletes the password in WordPress.
func TestLogin(t *testing.T) {
	for name, open := range browsers(t) {
		t.Run(name, func(t *testing.T) {
			d, b, site := newDesk(t), open(t), os.Getenv("TOOLPRESS_TEST_SITE")
			var at, page string
			code, said := d.run(t, func(address string) { at, page = b.approve(t, address, "editor", true) }, "login", "--no-browser", site)
			if code != 0 || !strings.Contains(said, "Logged in to Maple Street Books as editor (editor)") || strings.Contains(said, "administrator") {
				t.Fatalf("exit %d\n%s", code, said)
			}
			c, kept, err := login.Lookup(d.config, site)
			if err != nil || !kept || c.User != "editor" || known(t, c) != http.StatusOK {
				t.Fatalf("kept: %v, %v, %v", c, kept, err)
			}
			secret := c.Password.Reveal()
			if !strings.HasSuffix(at, "/done") || !strings.Contains(page, "Back to the terminal") || strings.Contains(page, secret) || strings.Contains(said, secret) {
				t.Errorf("the browser ends at %s:\n%s", at, page)
			}
			d.checkModes(t)
			code, text := d.run(t, nil, "discover", site, "-o", "site.json")
			recording, err := os.ReadFile(filepath.Join(d.config, "site.json"))
			var as struct{ User struct{ Login string } }
			if code != 0 || err != nil || json.Unmarshal(recording, &as) != nil || as.User.Login != "editor" || strings.Contains(string(recording), secret) {
				t.Errorf("discover is %q, exit %d\n%s", as.User.Login, code, text)
			}
			code, said = d.run(t, nil, "logout", "--revoke", site)
			if code != 0 || !strings.Contains(said, `Deleted the application password "toolpress on `) || known(t, c) != http.StatusUnauthorized {
				t.Errorf("logout: exit %d, the password gives %d\n%s", code, known(t, c), said)
			}
			if _, kept, err := login.Lookup(d.config, site); kept || err != nil {
				t.Errorf("still kept: %v, %v", kept, err)
			}
		})
	}
}

// checkModes sees that nobody else reads what is kept.
func (d *desk) checkModes(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(d.config, "toolpress"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A person says no: nothing is made and nothing kept.
func TestRejected(t *testing.T) {
	for name, open := range browsers(t) {
		t.Run(name, func(t *testing.T) {
			d, b := newDesk(t), open(t)
			var page string
			code, said := d.run(t, func(address string) { _, page = b.approve(t, address, "author", false) }, "login", "--no-browser", os.Getenv("TOOLPRESS_TEST_SITE"))
			if code != 1 || !strings.Contains(said, "was not approved in the browser") || !strings.Contains(page, "Not connected") {
				t.Errorf("exit %d\n%s\n%s", code, said, page)
			}
			if sites := login.Sites(d.config); len(sites) > 0 {
				t.Errorf("kept: %v", sites)
			}
		})
	}
}

// An administrator is told how to make a smaller user. An account can have two
// passwords of toolpress; the second login says that the first is still valid.
func TestAdministrator(t *testing.T) {
	d, site := newDesk(t), os.Getenv("TOOLPRESS_TEST_SITE")
	for _, want := range []string{"wp user create toolpress ", "a password of admin was kept; it is valid until it is deleted"} {
		b := newForms(t)
		before, had, _ := login.Lookup(d.config, site)
		code, said := d.run(t, func(address string) { b.approve(t, address, "admin", true) }, "login", "--no-browser", site)
		if code != 0 || !strings.Contains(said, "warning: this user is an administrator") || !strings.Contains(said, want) {
			t.Fatalf("exit %d, want %q\n%s", code, want, said)
		}
		if had && known(t, before) != http.StatusOK {
			t.Error("the first password is gone")
		}
	}
	if code, said := d.run(t, nil, "logout", "--revoke", site); code != 0 {
		t.Errorf("exit %d\n%s", code, said)
	}
}
