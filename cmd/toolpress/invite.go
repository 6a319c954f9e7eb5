package main

import (
	"cmp"
	"net"
	"os"
	"path/filepath"
	"strings"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// invite prints where the server listens and how it is added to clients.
func (a *app) invite(f serveFlags, out *outlet, s *source, catalog *curate.Catalog) {
	base := "http://" + reachedBy(f, out.listener.Addr())
	profiles := catalog.ProfileNames()
	url := base + endpoint(profiles[0])
	a.say("\nserving MCP at %s\n", url)
	if len(profiles) > 1 {
		for _, name := range profiles {
			a.say("  %s%s%s", base, endpoint(name), opened(catalog.Profiles[name]))
		}
		a.say("")
	}
	if host, _, err := net.SplitHostPort(f.listen); err == nil && !wp.IsLoopback(host) && len(f.allowedHosts) == 0 {
		a.say("  only this machine is served: name the host others reach it by with --allowed-host\n")
	}
	header, headers := "", ""
	if len(s.opening(catalog.Profiles[profiles[0]])) > 0 {
		a.say("  put the token in place of TOKEN:")
		header = ` --header "Authorization: Bearer TOKEN"`
		headers = `,"headers":{"Authorization":"Bearer TOKEN"}`
	}
	name := cmp.Or(s.curation.Server().Name.Value, "toolpress")
	a.say("  Claude Code     claude mcp add --transport http %s %s%s", name, url, header)
	a.say(`  Claude Desktop  "%s": %s below mcpServers in claude_desktop_config.json`, name, s.startedByClient())
	a.say(`  VS Code         code --add-mcp '{"name":"%s","type":"http","url":"%s"%s}'`, name, url, headers)
	a.say(`  Cursor          "%s": {"url": "%s"%s} below mcpServers in ~/.cursor/mcp.json`, name, url, headers)
	if s.curation.Site().WebhookSecretEnv.Value != "" {
		a.say("  Webhooks        %s/webhook, for the site: docs/reload.md", base)
	}
	a.say("  Inspector       npx @modelcontextprotocol/inspector --cli %s --transport http --method tools/list%s\n", url, header)
}

// opened says which tokens open a profile; nothing where the server's own does.
func opened(p *curate.Profile) string {
	var names []string
	for _, t := range p.TokenEnv {
		names = append(names, t.Value)
	}
	if p.TokenFile.Value != "" {
		names = append(names, p.TokenFile.Value)
	}
	if len(names) == 0 {
		return ""
	}
	return "  with a token of " + strings.Join(names, " or ")
}

// reachedBy is the host and port clients use: the address itself, or the host
// that was named where the address is every one of this machine's.
func reachedBy(f serveFlags, at net.Addr) string {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return at.String()
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsUnspecified() {
		return at.String()
	}
	if len(f.allowedHosts) == 0 {
		return net.JoinHostPort("127.0.0.1", port)
	}
	if _, _, err := net.SplitHostPort(f.allowedHosts[0]); err == nil {
		return f.allowedHosts[0]
	}
	return net.JoinHostPort(f.allowedHosts[0], port)
}

// startedByClient is the configuration of a client that starts toolpress
// itself: this binary, the same site and curation, and the credential's
// variables, for the person to fill in; what login keeps needs none.
func (s *source) startedByClient() string {
	type config struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env,omitempty"`
	}
	c := config{Command: "toolpress", Args: s.desktop}
	if binary, err := os.Executable(); err == nil && !strings.Contains(binary, "go-build") {
		c.Command = binary
	}
	if s.curationName != "" {
		if name, err := filepath.Abs(s.curationName); err == nil {
			c.Args = append(append([]string{}, c.Args...), "--curation", name)
		}
	}
	if s.desktop[0] == "serve" && s.given {
		c.Env = map[string]string{"TOOLPRESS_USER": "…", "TOOLPRESS_PASSWORD": "…"}
	}
	text, err := schema.Encode(c)
	if err != nil {
		return "" // strings alone cannot fail
	}
	return string(text)
}
