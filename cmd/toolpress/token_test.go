package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/test/running"
)

const (
	tokenA = "aaaaaaaaaaaaaaaaaaaaaaaa"
	tokenB = "bbbbbbbbbbbbbbbbbbbbbbbb"
)

func TestTokenFile(t *testing.T) {
	for text, want := range map[string]string{
		tokenA: tokenA,
		"\ufeff# ours\r\n\r\n " + tokenA + " \r\n\t# old\n" + tokenB + "\n": tokenA + " " + tokenB,
		"":                                   "it holds no token",
		"# " + tokenA + "\n":                 "it holds no token",
		tokenA + "\nhunter2\n":               "the token on line 2 has 7 characters",
		"\n\nhunter2 hunter2 hunter2\n":      "line 3 has a space",
		"hünter2hünter2hünter2\n":            "line 1 has a space or a letter beyond ASCII",
		"hunter2hunter2\x00hunter2hunter2\n": "line 1 has a space",
	} {
		list, err := parseTokens(text)
		var got []string
		for _, token := range list {
			got = append(got, token.Reveal())
		}
		if err == nil && strings.Join(got, " ") != want || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter")) {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
}

// curated is a source whose curation says so, in an environment.
func curated(t *testing.T, text string, env map[string]string) *source {
	t.Helper()
	c, err := curate.Parse("c.yaml", []byte("version: 1\n"+text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &source{curation: c, curationName: "c.yaml", app: &app{getenv: func(name string) string { return env[name] }}}
}

// Where others reach the server every profile asks for a token, its own or the
// server's; what is missing is named, with what to write. Nothing is listened on.
func TestListenAsksForTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(tokenA), 0o600); err != nil {
		t.Fatal(err)
	}
	const one, two = "profiles: { posts: {} }", "profiles: { default: {}, the-editor: {}, own: { token_env: OWN } }"
	owned := "profiles: { default: { token_file: " + file + " }, editor: { token_env: OWN } }"
	for _, c := range []struct {
		text, listen string
		noAuth       bool
		env          map[string]string
		want         []string // nothing: it may listen
	}{
		{"", "127.0.0.1:0", false, nil, nil},
		{two, "[::1]:0", false, map[string]string{"OWN": tokenA}, nil},
		{two, "localhost:0", false, map[string]string{"OWN": tokenA}, nil},
		{"", "0.0.0.0:0", false, nil, []string{"no token is asked for", "set TOOLPRESS_TOKEN to a secret"}},
		{"", ":0", false, nil, []string{"no token is asked for"}},
		{"", "[::]:0", false, nil, []string{"--listen [::]:0 is open to other machines"}},
		{"", "0.0.0.0:0", true, nil, nil},
		{one, "0.0.0.0:0", false, nil, []string{"no token is asked for"}},
		{one, "0.0.0.0:0", false, map[string]string{"TOOLPRESS_TOKEN": tokenA}, nil},
		{one, "0.0.0.0:0", false, map[string]string{"TOOLPRESS_TOKEN_FILE": file}, nil},
		{one, "0.0.0.0:0", false, map[string]string{"TOOLPRESS_TOKEN_FILE": file + "x"}, []string{"TOOLPRESS_TOKEN_FILE: the token file of the server: no such file"}},
		{one, "0.0.0.0:0", false, map[string]string{"TOOLPRESS_TOKEN": "hunter2"}, []string{"TOOLPRESS_TOKEN has 7 characters"}},
		{two, "0.0.0.0:0", false, map[string]string{"OWN": tokenA}, []string{"no token is asked for by the profiles default, the-editor", "write profiles: { default: { token_env: TOOLPRESS_DEFAULT_TOKEN } } into c.yaml", "or set TOOLPRESS_TOKEN for the one that has none"}},
		{two, "0.0.0.0:0", false, map[string]string{"TOOLPRESS_TOKEN": tokenB, "OWN": tokenA}, []string{"one token would open the profiles default, the-editor", "write profiles: { the-editor: { token_env: TOOLPRESS_THE_EDITOR_TOKEN } } into c.yaml"}},
		{two, "0.0.0.0:0", true, map[string]string{"TOOLPRESS_TOKEN": tokenB, "OWN": tokenA}, nil},
		{two, "127.0.0.1:0", false, map[string]string{"TOOLPRESS_TOKEN": tokenB, "OWN": tokenA}, nil},
		{"profiles: { default: {}, own: { token_env: OWN } }", "0.0.0.0:0", false, map[string]string{"TOOLPRESS_TOKEN": tokenB, "OWN": tokenA}, nil},
		{owned, "0.0.0.0:0", false, map[string]string{"OWN": tokenB}, nil},
		{owned, "0.0.0.0:0", false, nil, []string{"names a variable that is not set: OWN"}},
		{owned, "0.0.0.0:0", true, nil, []string{"names a variable that is not set: OWN"}},
	} {
		s := curated(t, c.text, c.env)
		err := s.checkListen(serveFlags{listen: c.listen, noAuth: c.noAuth})
		said := ""
		if err != nil {
			said = err.Error() + "\n" + err.(*failure).hint
		}
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s %s %v: %q does not say %q", c.listen, c.text, c.env, said, want)
			}
		}
		if (err == nil) != (len(c.want) == 0) || strings.Contains(said, "hunter2") {
			t.Errorf("%s %s %v: %v", c.listen, c.text, c.env, err)
		}
		// An edit that takes a token away is refused like that as well.
		if err == nil && !c.noAuth && c.listen == "0.0.0.0:0" && !s.tokens.asked() {
			edited := curated(t, "profiles: { default: {}, editor: { token_env: OWN } }", nil).curation
			if err := s.keys(edited.Profiles()); err == nil || !strings.Contains(err.Error(), "by the profile default") {
				t.Errorf("an edit is taken: %v", err)
			}
		}
	}
}

// What the tokens of profiles have in common is told, and none of them is shown.
func TestSharedTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(tokenA+"\n"+tokenB+"\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		env  map[string]string
		want []string
	}{
		{"profiles: { a: { token_env: A }, b: { token_env: B } }", map[string]string{"A": tokenA, "B": tokenB}, nil},
		{"profiles: { a: { token_env: A }, b: { token_env: [C, B] } }", map[string]string{"A": tokenA, "B": tokenA, "C": tokenB}, []string{"c.yaml:2:51: warning: the profiles a and b are opened by the same token"}},
		{"profiles: { a: { token_env: A }, b: {} }", map[string]string{"A": tokenA, "TOOLPRESS_TOKEN": tokenA}, []string{"TOOLPRESS_TOKEN: warning: the profiles a and b"}},
		{"profiles: { a: {}, b: {}, c: { token_env: A } }", map[string]string{"A": tokenA, "TOOLPRESS_TOKEN": tokenB}, []string{"TOOLPRESS_TOKEN: warning: the profiles a and b"}},
		{"profiles: { a: {}, b: {} }", nil, nil},
		{"profiles: { a: { token_env: A }, b: { token_file: " + file + " } }", map[string]string{"A": tokenB}, []string{
			"c.yaml:2:51: warning: others on this machine can read the token file of the profile b (mode 0640)", "c.yaml:2:51: warning: the profiles a and b are opened by the same token",
		}},
	} {
		s := curated(t, c.text, c.env)
		if err := s.checkListen(serveFlags{listen: "127.0.0.1:0"}); err != nil {
			t.Fatal(err)
		}
		catalog := &curate.Catalog{Profiles: map[string]*curate.Profile{}}
		for _, p := range s.curation.Profiles() {
			catalog.Profiles[p.Name] = p
		}
		found := s.cautions(catalog)
		for i, want := range c.want {
			if i >= len(found) || !strings.HasPrefix(found[i].String(), want) {
				t.Errorf("%s: %v, want %s", c.text, found, want)
			}
		}
		if len(found) != len(c.want) || strings.Contains(found.Error(), tokenA) || strings.Contains(found.Error(), tokenB) {
			t.Errorf("%s: %v", c.text, found)
		}
	}
	if shared([]wp.Secret{wp.NewSecret(tokenA)}, nil) || shared(nil, nil) {
		t.Error("nothing is shared with nobody")
	}
}

// A token file is read again when it changes: at once a new token opens and an old
// one does not. What cannot be used leaves the tokens in force; a curation that is
// refused holds no renewal up, and one that waits for its file is taken with it.
func TestTokensAreRenewed(t *testing.T) {
	dir := t.TempDir()
	file, curation := filepath.Join(dir, "tokens"), filepath.Join(dir, "c.yaml")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name+".tmp", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(name+".tmp", name); err != nil {
			t.Fatal(err)
		}
	}
	const head = "version: 1\nextends: [preset:wordpress@1]\nprofiles:\n"
	write(file, "# first\n"+tokenA+"\n")
	write(curation, head+"  default: { token_file: "+file+" }\n")
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--curation", curation)
	log.Await(t, "Inspector", patience)
	after := func(mark string) string {
		_, rest, _ := strings.Cut(log.String(), mark)
		return strings.Fields(rest)[0]
	}
	base, _ := strings.CutSuffix(after("serving MCP at "), "/mcp")
	answer := func(path, token string) int {
		t.Helper()
		r, _ := http.NewRequest(http.MethodGet, base+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	expect := func(a, b int) {
		t.Helper()
		if gotA, gotB := answer("/mcp", tokenA), answer("/mcp", tokenB); gotA != a || gotB != b {
			t.Errorf("%d and %d, want %d and %d\n%s", gotA, gotB, a, b, log)
		}
	}
	expect(405, 401)
	write(file, tokenA+"\n"+tokenB+"\n")
	log.Await(t, "the tokens were read again", patience)
	expect(405, 405)
	write(file, "hunter2\n")
	log.Await(t, "its tokens stay as they were", patience)
	expect(405, 405)

	write(curation, "version: 1\nprofile: {}\n")
	log.Await(t, "is not used", patience)
	write(file, tokenB+"\n")
	running.Await(t, patience, func() bool { return strings.Count(log.String(), "the tokens were read again") == 2 }, log.String)
	expect(401, 405)

	more := filepath.Join(dir, "more")
	write(curation, head+"  default: { token_file: "+file+" }\n  more: { token_file: "+more+" }\n")
	log.Await(t, "the token file of the profile more: no such file", patience)
	if got := answer("/mcp/more", tokenB); got != 401 {
		t.Errorf("before it is served: %d", got)
	}
	write(more, tokenA+"\n")
	log.Await(t, "the curation changed: more: ", patience)
	expect(401, 405)
	if a, b := answer("/mcp/more", tokenA), answer("/mcp/more", tokenB); a != 405 || b != 401 {
		t.Errorf("more: %d and %d", a, b)
	}
	if said := log.String(); strings.Contains(said, tokenA) || strings.Contains(said, tokenB) || strings.Contains(said, "hunter2") || strings.Contains(said, "warning") {
		t.Errorf("%s", said)
	}

	// The operator's own listener, and the command that asks it.
	admin := strings.TrimSuffix(strings.TrimPrefix(after("serving the operator at "), "http://"), "/healthz")
	if host, _, err := net.SplitHostPort(admin); err != nil || host != "127.0.0.1" {
		t.Errorf("the operator is served at %s", admin)
	}
	for args, want := range map[string]string{"--ready --listen " + admin: `{"status":"ready","digest":"`, "--listen " + admin: `{"status":"ok"}`} {
		var out strings.Builder
		if code := run(t.Context(), append([]string{"health"}, strings.Fields(args)...), func(string) string { return "" }, nil, &out, &out); code != exitOK || !strings.HasPrefix(out.String(), want) {
			t.Errorf("health %s: %d %s", args, code, &out)
		}
	}
}

// What a listener cannot have is told with what to do.
func TestListenFailures(t *testing.T) {
	busy, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6")
	}
	defer busy.Close()
	for address, want := range map[string]string{
		busy.Addr().String(): "name another, such as --listen " + nextPort(busy.Addr().String()),
		"192.0.2.1:0":        "this machine has no such address",
		"127.0.0.1:99999":    "a port of 0 to 65535",
		"8080":               "such as 127.0.0.1:8080",
		"::1:8080":           "such as [::1]:8080",
		"::1":                "such as [::1]:8080",
	} {
		l, err := listen("--listen", address)
		if l != nil {
			_ = l.Close()
		}
		if f, is := err.(*failure); !is || !strings.Contains(f.hint, want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	l, err := listen("--listen", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := reachedBy(serveFlags{}, l.Addr()); !strings.HasPrefix(got, "[::1]:") || strings.HasSuffix(got, ":0") {
		t.Errorf("it is reached by %s", got)
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]byteSize{"16MiB": 16 << 20, "64 KiB": 64 << 10, "1048576": 1 << 20, "64MiB": 64 << 20, "64KiB": 64 << 10, "63KiB": 0, "65MiB": 0, "0": 0, "-1": 0, "16MB": 0, "": 0, "999999999MiB": 0} {
		var b byteSize
		if err := b.Set(text); b != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %d, %v", text, b, err)
		}
	}
}
