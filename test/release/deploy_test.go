package release

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// deploy is where the files lie.
const deploy = root + "/docs/deploy"

// documents decodes every document of a YAML file.
func documents[T any](t *testing.T, name string) []T {
	t.Helper()
	dec := yaml.NewDecoder(strings.NewReader(read(t, name)))
	var all []T
	for {
		var one T
		err := dec.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
}

// curation puts a curation into a folder of its own, with the password's file
// exchanged for one that exists, and returns its name.
func curation(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	password := filepath.Join(dir, "password")
	write(t, password, "abcd EFGH\n", 0o600)
	name := filepath.Join(dir, "curation.yaml")
	write(t, name, regexp.MustCompile(`/run/[\w./-]*password`).ReplaceAllString(text, password), 0o644)
	return name
}

// checked holds a curation to what check says of it, on the recorded shop.
func checked(t *testing.T, name string) {
	t.Helper()
	shop, err := filepath.Abs(filepath.Join(root, "curate", "testdata", "shop.json"))
	if err != nil {
		t.Fatal(err)
	}
	code, said := exitCode(t, environment(), binary(t), "check", "--from", shop, name)
	if code != 0 || strings.Contains(said, "hint:") {
		t.Errorf("check: exit code %d\n%s", code, said)
	}
	lacks(t, said, "draft_post", "find_posts")
}

// at exchanges a word of a command line.
func at(t *testing.T, args []string, from, to string) []string {
	t.Helper()
	changed := 0
	args = slices.Clone(args)
	for i := range args {
		if strings.Contains(args[i], from) {
			args[i], changed = strings.ReplaceAll(args[i], from, to), changed+1
		}
	}
	if changed != 1 {
		t.Fatalf("%q occurs %d times in %q", from, changed, args)
	}
	return args
}

// loopback is a site to take the place of one that a file names, which has to
// be on loopback: the credential goes there in the clear.
func loopback(t *testing.T, named string) string {
	t.Helper()
	if named != "http://127.0.0.1" {
		t.Errorf("the site is %s", named)
	}
	return wordpress(t)
}

// status asks an address under the name of a host.
func status(t *testing.T, address, path, host string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// docs/deploy.md names every file beside it, and nothing that is not there.
func TestDeployDocument(t *testing.T) {
	text := read(t, filepath.Join(root, "docs", "deploy.md"))
	for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(text, -1) {
		if !exists(filepath.Join(root, "docs", m[1])) {
			t.Errorf("it names %s, which is not there", m[1])
		}
	}
	err := filepath.WalkDir(deploy, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(deploy, path)
		if err == nil && !d.IsDir() && !strings.Contains(text, "(deploy/"+filepath.ToSlash(name)+")") {
			t.Errorf("it does not name deploy/%s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCompose(t *testing.T) {
	type service struct {
		Image, Build string
		Command      []string
		Environment  map[string]string
		NetworkMode  string `yaml:"network_mode"`
		Ports        []string
		Volumes      []string
		Secrets      []string
	}
	file := documents[struct {
		Services map[string]service
		Secrets  map[string]struct{ File string }
	}](t, filepath.Join(deploy, "compose.yaml"))[0]
	us, site := file.Services["toolpress"], file.Services["wordpress"]
	if us.NetworkMode != "service:wordpress" || len(us.Ports) > 0 {
		t.Errorf("toolpress: %+v", us)
	}
	for _, port := range site.Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("port %s is open to other machines", port)
		}
	}
	if !exists(filepath.Join(deploy, us.Build, "Dockerfile")) {
		t.Errorf("build: %s holds no Dockerfile", us.Build)
	}
	// Volumes from the host are folders for what is edited, and exist.
	if !slices.Contains(us.Volumes, "./curation:/etc/toolpress:ro") || !exists(filepath.Join(deploy, "curation", "curation.yaml")) {
		t.Errorf("volumes: %q", us.Volumes)
	}
	lacks(t, strings.Join(site.Volumes, "\n"), "./application-passwords.php:")
	if _, named := file.Secrets["wordpress_password"]; !named || !slices.Equal(us.Secrets, []string{"wordpress_password"}) {
		t.Errorf("secrets: %q", us.Secrets)
	}
	example := read(t, filepath.Join(deploy, "env.example"))
	for _, s := range file.Services {
		for _, value := range s.Environment {
			if m := regexp.MustCompile(`\$\{(\w+)`).FindStringSubmatch(value); m != nil {
				lacks(t, example, "\n"+m[1]+"=")
			}
		}
	}

	text := read(t, filepath.Join(deploy, "curation", "curation.yaml"))
	lacks(t, text, "password_file: /run/secrets/wordpress_password")
	name := curation(t, text)
	checked(t, name)
	address, _, _ := serve(t, at(t, us.Command, "/etc/toolpress/curation.yaml", name), []string{
		"TOOLPRESS_SITE=" + loopback(t, us.Environment["TOOLPRESS_SITE"]),
		"TOOLPRESS_USER=ana", "TOOLPRESS_TOKEN=" + token,
	})
	if got := status(t, address, "/mcp", "127.0.0.1:8080"); got != http.StatusUnauthorized {
		t.Errorf("without the token: %d", got)
	}
}

// container is what is read of one in a pod.
type container struct {
	Name string
	Args []string
	Env  []struct {
		Name, Value string
		ValueFrom   struct {
			SecretKeyRef struct{ Name, Key string } `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	Startup   probe `yaml:"startupProbe"`
	Readiness probe `yaml:"readinessProbe"`
	Liveness  probe `yaml:"livenessProbe"`
	Mounts    []struct {
		Name    string
		SubPath *string `yaml:"subPath"`
	} `yaml:"volumeMounts"`
	Security struct {
		NonRoot bool `yaml:"runAsNonRoot"`
	} `yaml:"securityContext"`
}

type probe struct {
	Exec struct{ Command []string }
	HTTP struct {
		Path    string
		Headers []struct{ Name, Value string } `yaml:"httpHeaders"`
	} `yaml:"httpGet"`
}

// object is what is read of any object.
type object struct {
	Kind       string
	Metadata   struct{ Name string }
	Data       map[string]string
	StringData map[string]string `yaml:"stringData"`
	Spec       struct {
		Rules    []struct{ Host string }
		Template struct {
			Spec struct {
				Containers []container
				Volumes    []struct {
					Name      string
					ConfigMap struct{ Name string } `yaml:"configMap"`
				}
			}
		}
	}
}

func TestKubernetes(t *testing.T) {
	objects := map[string]object{}
	for _, o := range documents[object](t, filepath.Join(deploy, "kubernetes.yaml")) {
		objects[o.Kind+"/"+o.Metadata.Name] = o
	}
	pod := objects["Deployment/wordpress"].Spec.Template.Spec
	i := slices.IndexFunc(pod.Containers, func(c container) bool { return c.Name == "toolpress" })
	if i < 0 {
		t.Fatal("the pod has no toolpress")
	}
	us := pod.Containers[i]
	if !us.Security.NonRoot {
		t.Error("it may run as root")
	}
	lacks(t, strings.Join(us.Args, " "), "--allowed-host="+objects["Ingress/toolpress"].Spec.Rules[0].Host, "--allowed-host="+objects["Service/toolpress"].Metadata.Name)
	if m := us.Mounts; len(m) != 1 || m[0].SubPath != nil {
		t.Errorf("the curation is not mounted as a folder: %+v", m)
	}
	env := []string{}
	for _, e := range us.Env {
		value := e.Value
		switch ref := e.ValueFrom.SecretKeyRef; {
		case e.Name == "TOOLPRESS_SITE":
			value = loopback(t, value)
		case e.Name == "TOOLPRESS_TOKEN":
			// Empty as it stands, so that an unedited manifest is refused.
			if unset, there := objects["Secret/"+ref.Name].StringData[ref.Key]; !there || unset != "" {
				t.Errorf("the manifest's token is %q", unset)
			}
			value = token
		case objects["Secret/"+ref.Name].StringData[ref.Key] == "":
			t.Errorf("%s: there is no secret %s with %s", e.Name, ref.Name, ref.Key)
		case e.Name == "TOOLPRESS_PASSWORD":
			value = "abcd EFGH"
		default:
			value = objects["Secret/"+ref.Name].StringData[ref.Key]
		}
		env = append(env, e.Name+"="+value)
	}

	// As kubelet lays a ConfigMap: a link to a folder's link, exchanged at once.
	text := objects["ConfigMap/toolpress-curation"].Data["curation.yaml"]
	checked(t, curation(t, text))
	dir := t.TempDir()
	lay := func(version, text string) {
		t.Helper()
		write(t, filepath.Join(dir, version, "curation.yaml"), text, 0o644)
		next := filepath.Join(dir, "..next")
		if err := errors.Join(os.Symlink(version, next), os.Rename(next, filepath.Join(dir, "..data"))); err != nil {
			t.Fatal(err)
		}
	}
	lay("..1", text)
	if err := os.Symlink(filepath.Join("..data", "curation.yaml"), filepath.Join(dir, "curation.yaml")); err != nil {
		t.Fatal(err)
	}
	address, said, _ := serve(t, at(t, us.Args, "/etc/toolpress", dir), env)
	lay("..2", strings.Replace(text, "draft_post:", "write_post:", 1))
	await(t, said, "the edit of the ConfigMap", func() bool { return strings.Contains(said.String(), "write_post") })

	for _, p := range []probe{us.Startup, us.Liveness} {
		if !slices.Equal(p.Exec.Command, []string{"/toolpress", "health"}) {
			t.Errorf("%q is not the image's health command", p.Exec.Command)
		}
	}
	ready := us.Readiness.HTTP
	if len(ready.Headers) != 1 || ready.Headers[0].Name != "Host" {
		t.Fatalf("kubelet would send the pod's address: %+v", ready)
	}
	if got := status(t, address, ready.Path, ready.Headers[0].Value); got != http.StatusOK {
		t.Errorf("the readiness probe: %d", got)
	}
	if got := status(t, address, ready.Path, "10.0.0.7:8080"); got != http.StatusForbidden {
		t.Errorf("the pod's address as Host: %d; the note in the file is wrong", got)
	}

	// The plugin is the file that is tried on a real WordPress, less its comment.
	plugin := regexp.MustCompile(`(?s)/\*\*.*?\*/\n`).ReplaceAllString(read(t, filepath.Join(deploy, "application-passwords.php")), "")
	if got := objects["ConfigMap/toolpress-mu-plugin"].Data["application-passwords.php"]; got != plugin {
		t.Errorf("the must-use plugin is another:\n%s", got)
	}
}

func TestUnit(t *testing.T) {
	text := read(t, filepath.Join(deploy, "toolpress.service"))
	settings := map[string][]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			settings[name] = append(settings[name], value)
		}
	}
	for name, value := range map[string]string{
		"DynamicUser": "yes", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "CapabilityBoundingSet": "",
		"EnvironmentFile": "/etc/toolpress/env", "LoadCredential": "password:/etc/toolpress/password",
	} {
		if got := settings[name]; !slices.Equal(got, []string{value}) {
			t.Errorf("%s=%q, want %q", name, got, value)
		}
	}
	command := strings.Fields(settings["ExecStart"][0])
	name := curation(t, "version: 1\nextends: [preset:wordpress@1]\nsite: { auth: { password_file: /run/credentials/toolpress.service/password } }\n")
	address, _, _ := serve(t, at(t, command[1:], "/etc/toolpress/curation.yaml", name), []string{
		"TOOLPRESS_SITE=" + wordpress(t), "TOOLPRESS_USER=ana", "TOOLPRESS_TOKEN=" + token,
	})
	if got := status(t, address, "/healthz", "tools.shop.example"); got != http.StatusOK {
		t.Errorf("under the name in the unit: %d", got)
	}

	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Log("systemd-analyze is not installed: the unit is not verified by it")
		return
	}
	unit := filepath.Join(t.TempDir(), "toolpress.service")
	write(t, unit, strings.ReplaceAll(text, command[0], binary(t)), 0o644)
	verify := exec.Command("systemd-analyze", "verify", "--man=no", unit)
	if out, err := verify.CombinedOutput(); err != nil || bytes.Contains(out, []byte("toolpress.service:")) {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}
