// Package ci plays the runners of GitHub Actions and GitLab: it takes the action and
// the job as they are published, with nothing but their own steps, variables and
// scripts, and runs them in a repository like an agency's. What comments is a
// program in place of gh and curl that writes down what it was asked. The site is
// the test site where there is one, and a plugin of it is really updated.
package ci

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"toolpress/test/running"
)

const root = "../.."

// binary is the toolpress that is tested; empty where there is no site.
var binary string

func TestMain(m *testing.M) { os.Exit(running.OnSite(m, "the catalog in CI", &binary)) }

// runner is one repository and its runner.
type runner struct {
	t *testing.T
	// dir is the checkout, temp the runner's own.
	dir, temp string
	// asked is what the comment's program was asked, summary the summary of the run.
	asked, summary string
}

// newRunner makes a repository with files, committed on main.
func newRunner(t *testing.T, files map[string]string) *runner {
	t.Helper()
	r := &runner{t: t, dir: t.TempDir(), temp: t.TempDir()}
	r.asked, r.summary = filepath.Join(r.temp, "asked"), filepath.Join(r.temp, "summary")
	for name, text := range files {
		r.write(name, text)
	}
	r.git("init", "--quiet", "--initial-branch", "main")
	r.commit("begin")
	r.git("remote", "add", "origin", r.dir)
	r.git("fetch", "--quiet")
	// In place of gh and curl: what was asked, with the text that is sent.
	for _, name := range []string{"gh", "curl"} {
		script := fmt.Sprintf("#!/bin/sh\necho \"%s $*\" >>%q\nfor a; do case $a in *@*) cat \"${a#*@}\" >>%q;; esac; done\n", name, r.asked, r.asked)
		if err := os.WriteFile(filepath.Join(r.temp, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *runner) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=ci", "-c", "user.email=ci@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = r.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (r *runner) commit(message string) {
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message", message)
}

// toolpress runs the binary in the repository as the site's editor.
func (r *runner) toolpress(args ...string) {
	r.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), credential()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("toolpress %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func credential() []string {
	return []string{"TOOLPRESS_SITE=" + os.Getenv("TOOLPRESS_TEST_SITE"), "TOOLPRESS_USER=" + os.Getenv("TOOLPRESS_TEST_EDITOR_USER"), "TOOLPRESS_PASSWORD=" + os.Getenv("TOOLPRESS_TEST_EDITOR_PASSWORD")}
}

// step runs a script as a runner does, and returns its exit code and what it said.
func (r *runner) step(script string, env map[string]string) (code int, said string) {
	r.t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + r.temp + ":" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "GOCACHE=" + output(r.t, "go", "env", "GOCACHE"), "GOMODCACHE=" + output(r.t, "go", "env", "GOMODCACHE"), "GOFLAGS=" + os.Getenv("GOFLAGS"), "GOPROXY=" + output(r.t, "go", "env", "GOPROXY")}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(out))
}

// read is a file, or nothing where there is none yet.
func read(name string) string {
	text, _ := os.ReadFile(name)
	return string(text)
}

// expression is one of GitHub's, where a value is taken and nothing computed.
var expression = regexp.MustCompile(`\$\{\{ ([\w.-]+) \}\}`)

// action runs the composite action's own steps, up to the first that fails and
// then those that always run. Its inputs are the defaults but for with.
func (r *runner) action(with, context map[string]string) (code int, said string) {
	r.t.Helper()
	path, err := filepath.Abs(filepath.Join(root, ".github", "actions", "catalog"))
	if err != nil {
		r.t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []struct {
				Name, Uses, Run, Shell, If string
				Env                        map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(filepath.Join(path, "action.yml"))), &action); err != nil {
		r.t.Fatal(err)
	}
	values := map[string]string{"runner.temp": r.temp, "github.token": "a token", "github.repository": "agency/shop"}
	maps.Copy(values, context)
	resolve := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(e string) string { return values[expression.FindStringSubmatch(e)[1]] })
	}
	for name, input := range action.Inputs {
		values["inputs."+name] = resolve(input.Default)
	}
	for name, value := range with {
		if _, known := action.Inputs[name]; !known {
			r.t.Fatalf("the action has no input %s", name)
		}
		values["inputs."+name] = value
	}
	for _, s := range action.Runs.Steps {
		if s.Uses != "" || code != 0 && s.If != "always()" {
			continue
		}
		if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
			r.t.Errorf("%s: shell %q runs %s", s.Name, s.Shell, s.Run)
		}
		env := map[string]string{"GITHUB_ACTION_PATH": path, "RUNNER_TEMP": r.temp, "GITHUB_STEP_SUMMARY": r.summary}
		for name, value := range s.Env {
			env[name] = resolve(value)
		}
		exit, out := r.step(s.Run, env)
		if said += out; code == 0 {
			code = exit
		}
	}
	return code, said
}
