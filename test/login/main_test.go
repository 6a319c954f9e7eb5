// Package login runs toolpress login and logout against a real WordPress, with
// a real browser where there is a Chromium, else with an HTTP client that fills
// in the same forms. It needs TOOLPRESS_TEST_SITE:
//
//	test/wordpress/site run -- go test ./test/login
//
// TOOLPRESS_TEST_SCREENSHOTS names a directory for pictures of the pages.
package login

import (
	"fmt"
	"os"
	"testing"
	"time"

	"toolpress/test/running"
)

// binary is the toolpress that is tested.
var binary string

// patience is how long anything may take before it is called broken.
const patience = time.Minute

func TestMain(m *testing.M) {
	if os.Getenv("TOOLPRESS_TEST_SITE") == "" {
		fmt.Println("SKIP login: no TOOLPRESS_TEST_SITE; run test/wordpress/site run -- go test ./test/login")
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "toolpress-login-")
	if err == nil {
		binary, err = running.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
