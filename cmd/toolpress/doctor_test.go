package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolpress/discover/doctor"
	"toolpress/discover/wptest"
)

// diagnose runs a command on a bookshop as its editor.
func diagnose(t *testing.T, front func(http.Handler) http.Handler, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	shop := wptest.New()
	server := httptest.NewServer(front(shop))
	defer server.Close()
	t.Chdir(t.TempDir())
	editor := shop.Users()[1]
	env := map[string]string{"TOOLPRESS_SITE": server.URL, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password}
	var out, said bytes.Buffer
	code = run(t.Context(), args, func(name string) string { return env[name] }, nil, &out, &said)
	return code, out.String(), said.String()
}

func asItIs(shop http.Handler) http.Handler { return shop }

// challenged is a site behind Cloudflare's page for browsers.
func challenged(http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("<!DOCTYPE html><title>Just a moment...</title>"))
	})
}

func TestDoctor(t *testing.T) {
	code, out, said := diagnose(t, asItIs, "doctor")
	if code != exitOK || !strings.Contains(out, "✓ Sign-in                signed in as editor\n") || said != "" {
		t.Errorf("exit %d\n%s%s", code, out, said)
	}
	code, out, said = diagnose(t, challenged, "doctor")
	if code != exitSite || !strings.Contains(out, "✗ Firewall               Cloudflare") || said != "toolpress: the site cannot be used as it is\n" {
		t.Errorf("exit %d\n%s%s", code, out, said)
	}
}

func TestDoctorJSON(t *testing.T) {
	code, out, _ := diagnose(t, challenged, "doctor", "--json")
	var report doctor.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if failing := report.Failing(); code != exitSite || report.OK || len(failing) != 1 || failing[0].ID != "firewall" {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestDoctorUsage(t *testing.T) {
	for _, args := range [][]string{{"doctor", "--from", "site.json"}, {"doctor", "a", "b"}, {"doctor", "http://elsewhere.example", "--site", "http://shop.example"}} {
		if code, _, said := diagnose(t, asItIs, args...); code != exitUsage {
			t.Errorf("%v: exit %d\n%s", args, code, said)
		}
	}
}

// A site that cannot be reached says why, in the failing lines of the list.
func TestWhyNot(t *testing.T) {
	server := httptest.NewServer(challenged(nil))
	defer server.Close()
	var said bytes.Buffer
	a := &app{getenv: func(string) string { return "" }, stderr: &said}
	t.Chdir(t.TempDir())
	s, err := a.open(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	err = s.whyNot(context.Background(), server.URL, s.discover(t.Context(), server.URL))
	var f *failure
	if !errors.As(err, &f) || f.code != exitSite || f.hint != "toolpress doctor prints the whole checklist" {
		t.Errorf("%v", err)
	}
	if text := said.String(); !strings.Contains(text, "✗ Firewall               Cloudflare") || strings.Contains(text, "✓") {
		t.Error(text)
	}
}
