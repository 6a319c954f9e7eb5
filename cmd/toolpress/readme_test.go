package main

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wptest"
	"toolpress/test/running"
)

// Every line of the README's shell blocks runs, in its order, with the bookshop
// in the place of https://shop.example and its editor in the place of ana.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	shop := wptest.New()
	address, end, err := startBookshop(shop)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	editor := shop.Users()[1]
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	sample, err := os.ReadFile(filepath.Join(root, "curation.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("curation.yaml", sample, 0o600); err != nil {
		t.Fatal(err)
	}
	session := &shell{t: t, root: root, env: map[string]string{}, browser: approving(editor.Login, editor.Password), replace: strings.NewReplacer(
		"https://shop.example", address, "=ana", "="+editor.Login, "'abcd EFGH 1234 ijkl MNOP 5678'", "'"+editor.Password+"'")}
	ran := 0
	for _, block := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			session.run(strings.TrimSpace(line))
			ran++
		}
	}
	if ran < 10 {
		t.Errorf("only %d lines ran", ran)
	}
}

// shell runs the few forms of lines that the README has.
type shell struct {
	t       *testing.T
	root    string
	env     map[string]string
	browser func(asked *url.URL)
	replace *strings.Replacer
}

func (s *shell) run(line string) {
	s.t.Helper()
	line = s.replace.Replace(line)
	if rest, is := strings.CutPrefix(line, "export "); is {
		name, value, _ := strings.Cut(rest, "=")
		s.env[name] = strings.Trim(value, "'")
		return
	}
	line, into, _ := strings.Cut(line, " >")
	words := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "go install "):
		cmd := exec.Command("go", words[1:]...)
		cmd.Dir, cmd.Env = s.root, append(os.Environ(), "GOBIN="+s.t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Errorf("%s: %v\n%s", line, err, out)
		}
	case strings.HasPrefix(line, "go run ./cmd/toolpress "):
		s.toolpress(words[3:], into)
	case strings.HasPrefix(line, "toolpress login "):
		if code, said := typed(s.t, s.browser, words[1:]...); code != exitOK {
			s.t.Errorf("%s: exit %d\n%s", line, code, said)
		}
	case words[0] == "toolpress":
		s.toolpress(words[1:], into)
	default:
		s.t.Errorf("the test does not know how to run %q", line)
	}
}

// toolpress runs a command to its end, or, when it serves, until it does.
func (s *shell) toolpress(args []string, into string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if args[0] == "serve" || args[0] == "demo" && into == "" {
		args = append(args, "--listen", "127.0.0.1:0") // the default may be taken here
	}
	out, stdout := &running.Log{}, &bytes.Buffer{}
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, args, func(name string) string { return s.env[name] }, nil, io.Writer(stdout), out)
	}()
	if args[len(args)-2] == "--listen" {
		out.Await(s.t, "serving MCP at http://127.0.0.1:", patience)
		cancel()
	}
	if code := <-ended; code != exitOK {
		s.t.Errorf("toolpress %v: exit %d\n%s", args, code, out)
	}
	if into != "" {
		if err := os.WriteFile(into, stdout.Bytes(), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}
