package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// invite prints where the server listens and how it is added to clients.
func (a *app) invite(f serveFlags, out *outlet, s *source) {
	url := "http://" + reachedBy(f, out.listener.Addr()) + "/mcp"
	a.say("\nserving MCP at %s\n", url)
	if host, _, err := net.SplitHostPort(f.listen); err == nil && !wp.IsLoopback(host) && len(f.allowedHosts) == 0 {
		a.say("  only this machine is served: name the host others reach it by with --allowed-host\n")
	}
	header, headers := "", ""
	if !out.token.Empty() {
		a.say("  put the token in place of TOKEN:")
		header = ` --header "Authorization: Bearer TOKEN"`
		headers = `,"headers":{"Authorization":"Bearer TOKEN"}`
	}
	a.say("  Claude Code     claude mcp add --transport http toolpress %s%s", url, header)
	a.say(`  Claude Desktop  "toolpress": %s below mcpServers in claude_desktop_config.json`, s.startedByClient())
	a.say(`  VS Code         code --add-mcp '{"name":"toolpress","type":"http","url":"%s"%s}'`, url, headers)
	a.say(`  Cursor          "toolpress": {"url": "%s"%s} below mcpServers in ~/.cursor/mcp.json`, url, headers)
	a.say("  Inspector       npx @modelcontextprotocol/inspector --cli %s --transport http --method tools/list%s\n", url, header)
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
