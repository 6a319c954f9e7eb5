package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
)

func (a *app) healthCommand() *cobra.Command {
	var listen string
	var ready bool
	c := &cobra.Command{
		Use: "health", Short: "Ask a running toolpress whether it serves", Args: none,
		Long: `Ask the toolpress that listens on this machine whether it serves. Exits 0 when it
does and 1 when it does not: what a container's health check wants. With --ready,
and the address of --admin-listen, whether what it serves is up to date.`,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(c.Context(), 5*time.Second)
			defer cancel()
			path, hint := "/healthz", "is toolpress serve running there? --listen names another address"
			if ready {
				path, hint = "/readyz", "--ready asks what serve has at --admin-listen: name that address with --listen"
			}
			text, err := health(ctx, ownMachine(listen), path)
			if err != nil {
				return &failure{err: fmt.Errorf("asking %s: %w", listen, err), code: exitFailed, hint: hint}
			}
			_, err = io.WriteString(a.stdout, text)
			return err
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "the address toolpress listens on")
	c.Flags().BoolVar(&ready, "ready", false, "ask the address of --admin-listen for readiness")
	return c
}

// health asks the server at an address it listens on; one that listens on all
// addresses is asked on loopback.
func health(ctx context.Context, listen, path string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	text := printable(string(body))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("it answers with status %d: %s", resp.StatusCode, strings.TrimSpace(text))
	}
	return text, err
}

// printable is a text without what could move a terminal's cursor: it may be
// anybody's.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return -1
		}
		return r
	}, text)
}
