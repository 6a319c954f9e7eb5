package release

import (
	"debug/elf"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// stage is one FROM of a Dockerfile: its image, and each instruction's
// arguments in order.
type stage struct {
	from string
	does map[string][]string
}

// dockerfile reads the instructions as an engine does, as far as ours needs.
func dockerfile(t *testing.T) []stage {
	t.Helper()
	text := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(read(t, filepath.Join(root, "Dockerfile")), "")
	var stages []stage
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		instruction, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case instruction == "":
		case instruction == "FROM":
			stages = append(stages, stage{from: args, does: map[string][]string{}})
		default:
			last := stages[len(stages)-1].does
			last[instruction] = append(last[instruction], args)
		}
	}
	if len(stages) != 2 {
		t.Fatalf("%d stages, want 2", len(stages))
	}
	return stages
}

// only is an instruction that occurs once.
func (s stage) only(t *testing.T, instruction string) string {
	t.Helper()
	if len(s.does[instruction]) != 1 {
		t.Fatalf("%s: %q, want one", instruction, s.does[instruction])
	}
	return s.does[instruction][0]
}

// exec is an instruction in the form that needs no shell.
func execForm(t *testing.T, text string) []string {
	t.Helper()
	var words []string
	if err := json.Unmarshal([]byte(text), &words); err != nil || len(words) == 0 {
		t.Fatalf("%s is not a list of words: %v", text, err)
	}
	return words
}

var built sync.Once

// binary is what the Dockerfile's own build line makes of the copied checkout.
func binary(t *testing.T) string {
	t.Helper()
	dir := checkout(t)
	out := filepath.Join(scratch, "image", "toolpress")
	built.Do(func() {
		var line string
		for _, run := range dockerfile(t)[0].does["RUN"] {
			if strings.Contains(run, "go build") {
				line = run
			}
		}
		if !strings.Contains(line, "/out/toolpress") {
			t.Fatalf("RUN %s does not write /out/toolpress", line)
		}
		output(t, dir, environment("TARGETOS="+runtime.GOOS, "TARGETARCH="+runtime.GOARCH), "sh", "-c", strings.ReplaceAll(line, "/out/toolpress", out))
	})
	if !exists(out) {
		t.Fatal("the Dockerfile's build line made no binary")
	}
	return out
}

// The image: what it is built from, and that it can run as it says.
func TestDockerfile(t *testing.T) {
	stages := dockerfile(t)
	build, image := stages[0], stages[1]
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, filepath.Join(root, "go.mod")))
	if !strings.Contains(build.from, "golang:"+wanted[1]+"-") {
		t.Errorf("FROM %s, but go.mod says %s", build.from, wanted[1])
	}
	if image.from != "scratch" {
		t.Errorf("FROM %s, want scratch", image.from)
	}
	if user := image.only(t, "USER"); !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) {
		t.Errorf("USER %s is not a number that is not root's", user)
	}
	if port := image.only(t, "EXPOSE"); port != "8080" {
		t.Errorf("EXPOSE %s", port)
	}
	lacks(t, strings.Join(image.does["COPY"], "\n"), "/etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/", "/out/toolpress "+execForm(t, image.only(t, "ENTRYPOINT"))[0])
	if len(image.does["RUN"]) > 0 {
		t.Error("scratch has nothing to RUN")
	}
}

// The build line makes a static binary that knows its version.
func TestImageBinary(t *testing.T) {
	name := binary(t)
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("it has a %v: it is not static", p.Type)
		}
	}
	if f.Section(".dynamic") != nil || f.Section(".symtab") != nil {
		t.Error("it has a dynamic section or a symbol table")
	}
	commit := strings.TrimSpace(output(t, checkout(t), environment(), "git", "rev-parse", "--short=12", "HEAD"))
	lacks(t, output(t, t.TempDir(), nil, name, "version"), "toolpress "+version+" (go", ", commit "+commit)
}

// The image's command serves, and its health check tells whether it does.
func TestImageRuns(t *testing.T) {
	image := dockerfile(t)[1]
	entry, command := execForm(t, image.only(t, "ENTRYPOINT")), execForm(t, image.only(t, "CMD"))
	_, check, _ := strings.Cut(image.only(t, "HEALTHCHECK"), "CMD ")
	health := execForm(t, check)
	if len(entry) != 1 || health[0] != entry[0] {
		t.Fatalf("ENTRYPOINT %q, HEALTHCHECK %q", entry, health)
	}
	site := "TOOLPRESS_SITE=" + wordpress(t)

	if slices.Contains(command, "--no-auth") {
		t.Fatal("the image would serve anybody") // and so would this test
	}
	code, said := exitCode(t, environment(site), binary(t), command...)
	if code != 2 {
		t.Errorf("without a token: exit code %d\n%s", code, said)
	}
	lacks(t, said, "no token is asked for", "TOOLPRESS_TOKEN")

	address, _, stop := serve(t, command, []string{site, "TOOLPRESS_TOKEN=" + token})
	asked := append(health[1:], "--listen", address)
	if code, said := exitCode(t, nil, binary(t), asked...); code != 0 {
		t.Errorf("while it serves: exit code %d\n%s", code, said)
	}
	stop()
	if code, said := exitCode(t, nil, binary(t), asked...); code != 1 {
		t.Errorf("after it stopped: exit code %d\n%s", code, said)
	}
}

// What is tracked reaches the build: without any of it git would find files
// deleted and the version would be +dirty.
func TestDockerignore(t *testing.T) {
	var patterns []string
	for line := range strings.Lines(read(t, filepath.Join(root, ".dockerignore"))) {
		if line = strings.Trim(strings.TrimSpace(line), "/"); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, line)
		}
	}
	ignored := func(name string) bool {
		for ; name != "."; name = filepath.Dir(name) {
			if slices.ContainsFunc(patterns, func(p string) bool { ok, _ := doublestar.Match(p, name); return ok }) {
				return true
			}
		}
		return false
	}
	for _, name := range []string{"dist/bin/linux_amd64/toolpress", "toolpress", "docs/deploy/.env", "docs/deploy/secrets/wordpress_password"} {
		if !ignored(name) {
			t.Errorf("%s would reach the build", name)
		}
	}
	err := filepath.WalkDir(checkout(t), func(path string, d os.DirEntry, err error) error {
		if name, _ := filepath.Rel(checkout(t), path); err == nil && ignored(name) {
			t.Errorf("%s would not reach the build", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
