package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolpress/runtime"
)

// usualAdmin is where status asks, unless it is told.
const usualAdmin = "http://127.0.0.1:9090"

// maxStatus bounds what status reads, in bytes.
const maxStatus = 16 << 20

func (a *app) statusCommand() *cobra.Command {
	var admin string
	c := &cobra.Command{
		Use: "status", Short: "Say what a running toolpress serves, what is wrong, and what to do", Args: none,
		Long: `Ask the toolpress that runs with --admin-listen what it serves and since when,
whether the curation on disk is what is served, how the site was read last, what is
wrong and where, and what to do next (docs/status.md). It is asked at --admin, else
at TOOLPRESS_ADMIN, else at ` + usualAdmin + `.

Exits 0 when all is well, 1 when something is wrong, 4 when nothing answers.`,
		RunE: func(c *cobra.Command, _ []string) error {
			at, err := adminAddress(cmp.Or(admin, a.getenv("TOOLPRESS_ADMIN"), usualAdmin))
			if err != nil {
				return err
			}
			text, now, err := askStatus(c.Context(), at)
			if err != nil {
				return &failure{
					err: fmt.Errorf("asking %s: %w", at, err), code: exitSite,
					hint: "does serve run there with --admin-listen " + at[strings.Index(at, "://")+len("://"):] + "? --admin, or TOOLPRESS_ADMIN, names another address",
				}
			}
			if a.asJSON {
				_, err = a.stdout.Write(text)
			} else {
				err = printStatus(a.stdout, now, at, time.Now())
			}
			if err == nil && now.Status != "ready" {
				err = &failure{err: errors.New("it is " + printable(now.Status)), code: exitFailed}
			}
			return err
		},
	}
	c.Flags().StringVar(&admin, "admin", "", "the address of serve's --admin-listen (default TOOLPRESS_ADMIN, else "+usualAdmin+")")
	c.Flags().BoolVar(&a.asJSON, "json", false, "print the answer of /-/status as it is")
	return c
}

// adminAddress is an address as a person writes it, with or without http://.
func adminAddress(text string) (string, error) {
	written := text
	if !strings.Contains(text, "://") {
		text = "http://" + ownMachine(text)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return "", usage(fmt.Sprintf("%q is no address", printable(written)), "write it like "+usualAdmin)
	}
	return u.Scheme + "://" + u.Host, nil
}

// askStatus asks a toolpress for its status; text is its answer.
func askStatus(ctx context.Context, at string) (text []byte, now runtime.Told, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at+"/-/status", nil)
	if err != nil {
		return nil, now, err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, now, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusForbidden:
		return nil, now, errors.New("it does not serve this name: --allowed-host of serve allows it")
	case resp.StatusCode != http.StatusOK:
		return nil, now, fmt.Errorf("it answers with status %d, and is no operator's address of toolpress", resp.StatusCode)
	}
	if text, err = io.ReadAll(io.LimitReader(resp.Body, maxStatus)); err != nil {
		return nil, now, err
	}
	if json.Unmarshal(text, &now) != nil || now.Status == "" {
		return nil, now, errors.New("it does not answer as toolpress does")
	}
	return text, now, nil
}
