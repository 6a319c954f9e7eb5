package runtime

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// profiles are a catalog of these profiles, each with one tool of its name.
func profiles(list ...*curate.Profile) *curate.Catalog {
	c := &curate.Catalog{Profiles: map[string]*curate.Profile{}}
	for _, p := range list {
		p.Tools = catalog("one", p.Name+"_tool").Profiles[curate.DefaultProfile].Tools
		c.Profiles[p.Name] = p
	}
	return c
}

// asked is the status of a GET: 401 from the guard, 404 where nothing is
// served, 405 where a profile is.
func asked(s *Server, path, token string) int {
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Code
}

// A profile with tokens of its own is opened by them and by no other; without
// any of them in the environment it is opened by none. What is no profile's asks
// for the server's token (principle 5: a profile only narrows).
func TestProfileTokens(t *testing.T) {
	named := []curate.Text{{Value: "A"}}
	c := profiles(&curate.Profile{Name: "default"}, &curate.Profile{Name: "editor", TokenEnv: named}, &curate.Profile{Name: "lost", TokenEnv: named})
	access := func(p *curate.Profile) Access {
		if p.Name == "editor" {
			return Access{Tokens: []wp.Secret{wp.NewSecret("new"), wp.NewSecret("old"), {}}}
		}
		return Access{}
	}
	for token, want := range map[string]map[string]int{
		"":       {"/mcp": 401, "/mcp/editor": 401, "/mcp/lost": 401, "/mcp/none": 401, "/x": 401},
		"server": {"/mcp": 405, "/mcp/default": 405, "/mcp/editor": 401, "/mcp/lost": 401, "/mcp/none": 404, "/x": 404},
		"new":    {"/mcp": 401, "/mcp/editor": 405, "/mcp/lost": 401, "/mcp/none": 401},
		"old":    {"/mcp": 401, "/mcp/editor": 405, "/mcp/editor/": 401},
	} {
		s := NewServer(c, Options{Token: wp.NewSecret("server"), Access: access})
		for path, status := range want {
			if got := asked(s, path, token); got != status {
				t.Errorf("%s with %q: %d, want %d", path, token, got, status)
			}
		}
	}
	open := NewServer(c, Options{Access: access})
	for path, status := range map[string]int{"/mcp": 405, "/mcp/editor": 401, "/mcp/lost": 401} {
		if got := asked(open, path, ""); got != status {
			t.Errorf("without a server's token, %s: %d, want %d", path, got, status)
		}
	}
	// Where every profile has tokens of its own, none of them tells of what is not
	// there; the server's may come from Access too.
	alone := profiles(&curate.Profile{Name: "editor", TokenFile: curate.Text{Value: "F"}})
	for path, status := range map[string]int{"/mcp/editor": 405, "/mcp": 401, "/mcp/none": 401, "/sse": 401} {
		if got := asked(NewServer(alone, Options{Access: access}), path, "new"); got != status {
			t.Errorf("with an editor's token alone, %s: %d, want %d", path, got, status)
		}
	}
	read := NewServer(profiles(&curate.Profile{Name: "default"}), Options{Access: func(*curate.Profile) Access {
		return Access{Tokens: []wp.Secret{wp.NewSecret("read")}}
	}})
	for path, status := range map[string]int{"/mcp": 405, "/none": 404} {
		if got := asked(read, path, "read"); got != status || asked(read, path, "") != 401 {
			t.Errorf("with a token that Access has, %s: %d, want %d", path, got, status)
		}
	}
	if got := asked(NewServer(c, Options{}), "/mcp/editor", ""); got != 401 {
		t.Errorf("where nothing tells the tokens: %d", got)
	}
	if got := asked(NewServer(profiles(&curate.Profile{Name: "editor"}), Options{}), "/mcp", ""); got != 404 {
		t.Errorf("without a default profile /mcp answers %d", got)
	}
}

// A profile's calls are made as its own user; without that account it is not
// served, since another user's rights are not its own.
func TestProfileAccounts(t *testing.T) {
	own := curate.Auth{UserEnv: curate.Text{Value: "U"}, PasswordEnv: curate.Text{Value: "P"}}
	c := profiles(&curate.Profile{Name: "default"}, &curate.Profile{Name: "editor", Auth: own}, &curate.Profile{Name: "lost", Auth: own})
	var log logs
	s := NewServer(c, Options{Site: answers(`{"as":"server"}`), Log: log.logger(), Access: func(p *curate.Profile) Access {
		if p.Name == "editor" {
			return Access{Site: answers(`{"as":"editor"}`)}
		}
		return Access{}
	}})
	for profile, want := range map[string]string{"default": "server", "editor": "editor"} {
		res, err := s.Call(t.Context(), profile, profile+"_tool", nil)
		if err != nil || !strings.Contains(string(res.StructuredContent.(json.RawMessage)), want) {
			t.Errorf("%s: %v %v", profile, res, err)
		}
		web := httptest.NewServer(s.Handler())
		path := "/mcp/" + profile
		got := send(t, nil, web.URL+path, modernCall("tools/call", `"name":"`+profile+`_tool"`), "Mcp-Name: "+profile+"_tool")
		web.Close()
		if !strings.Contains(got.message, want) {
			t.Errorf("%s over HTTP: %d %s", profile, got.status, got.message)
		}
	}
	if got := asked(s, "/mcp/lost", ""); got != 404 || !strings.Contains(log.String(), "profile left out") {
		t.Errorf("a profile without its account: %d\n%s", got, log.String())
	}
}

// A tool's own timeout is the site's and, a little longer, the call's.
func TestTimeouts(t *testing.T) {
	c := catalog("one", "slow", "usual")
	c.Profiles[curate.DefaultProfile].Tools[0].Timeout = time.Hour
	var asked time.Duration
	var within time.Duration
	s := NewServer(c, Options{Site: siteFunc(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
		deadline, _ := ctx.Deadline()
		asked, within = r.Timeout, time.Until(deadline)
		return &wp.Response{Status: 200, Header: http.Header{}, JSON: json.RawMessage(`{}`)}, nil
	})})
	if _, err := s.Call(t.Context(), curate.DefaultProfile, "slow", nil); err != nil || asked != time.Hour || within < time.Hour {
		t.Errorf("%v: the site has %s, the call %s", err, asked, within)
	}
	if _, err := s.Call(t.Context(), curate.DefaultProfile, "usual", nil); err != nil || asked != 0 || within > time.Minute {
		t.Errorf("%v: the site has %s, the call %s", err, asked, within)
	}
}

// An alias is called like the tool and listed nowhere; a tool's own name is
// stronger.
func TestAliases(t *testing.T) {
	c := catalog("one", "a", "b")
	for _, tool := range c.Profiles[curate.DefaultProfile].Tools {
		tool.Aliases = []string{"old_" + tool.Name, "b"}
	}
	s, web := serve(t, c, Options{})
	if _, err := s.Call(t.Context(), curate.DefaultProfile, "old_a", nil); err != nil {
		t.Error(err)
	}
	if got := send(t, nil, web.URL+"/mcp", modernCall("tools/call", `"name":"old_a"`), "Mcp-Name: old_a"); got.status != 200 || strings.Contains(got.message, "error") {
		t.Errorf("called by its alias: %d %s", got.status, got.message)
	}
	if strings.Contains(string(s.Tools(curate.DefaultProfile)), "old_") {
		t.Errorf("listed: %s", s.Tools(curate.DefaultProfile))
	}
	if got := s.current.Load().profiles[curate.DefaultProfile].byName["b"].Name; got != "b" {
		t.Errorf("b is %s", got)
	}
}
