// Package login runs toolpress login and logout against a real WordPress, with
// a real browser where there is a Chromium, else with an HTTP client that fills
// in the same forms. It needs TOOLPRESS_TEST_SITE:
//
//	test/wordpress/site run -- go test ./test/login
//
// TOOLPRESS_TEST_SCREENSHOTS names a directory for pictures of the pages.
package login

import (
	"os"
	"testing"
	"time"

	"toolpress/test/running"
)

// binary is the toolpress that is tested.
var binary string

// patience is how long anything may take before it is called broken.
const patience = time.Minute

func TestMain(m *testing.M) { os.Exit(running.OnSite(m, "login", &binary)) }
