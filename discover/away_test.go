package discover

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"toolpress/discover/wp"
)

// What passes by itself, and what does not.
func TestAway(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&wp.Error{Kind: wp.Unreachable}, true},
		{&wp.Error{Kind: wp.TimedOut}, true},
		{&wp.Error{Kind: wp.Broken}, true},
		{&wp.Error{Kind: wp.Refused, Status: 503, Code: "rest_maintenance"}, true},
		{&wp.Error{Kind: wp.Refused, Status: 429}, true},
		{&wp.Error{Kind: wp.NotJSON, Status: 200}, true},
		{fmt.Errorf("%w at x: %w", ErrNoRoot, &wp.Error{Kind: wp.NotJSON, Status: 503}), true},
		{fmt.Errorf("%w: it has no routes", ErrNoRoot), true},
		{fmt.Errorf("probing: %w", context.DeadlineExceeded), true},
		{fmt.Errorf("%w: %w", ErrCredential, &wp.Error{Kind: wp.Refused, Status: 401, Code: "rest_not_logged_in"}), false},
		{&wp.Error{Kind: wp.Refused, Status: 403, Code: "rest_forbidden"}, false},
		{&wp.Error{Kind: wp.NotJSON, Status: 401}, false},
		{&wp.Error{Kind: wp.BadTLS}, false},
		{&wp.Error{Kind: wp.Redirected, Status: 301}, false},
		{wp.ErrPlainHTTP, false},
		{context.Canceled, false},
		{errors.New("anything"), false},
		{nil, false},
	} {
		if got := Away(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}

// T01: of a reading that is resumed only the path and rest_route are used.
func TestResume(t *testing.T) {
	address, _ := url.Parse("https://shop.example/blog")
	for root, want := range map[string]string{
		"https://evil.example/blog/wp-json/":                  "https://shop.example/blog/wp-json/",
		"http://evil.example:8080/index.php?rest_route=/&x=1": "https://shop.example/index.php?rest_route=/",
	} {
		got, err := Resume(address, &Site{Root: root, RootFrom: FromLink}, wp.Options{})
		if err != nil || got.Client().Root() != want || got.From != FromLink {
			t.Errorf("%s: %v %+v", root, err, got)
		}
	}
	if _, err := Resume(&url.URL{Scheme: "http", Host: "shop.example"}, &Site{Root: "/"}, wp.Options{Credential: wp.Credential{User: "a", Password: wp.NewSecret("b")}}); !errors.Is(err, wp.ErrPlainHTTP) {
		t.Error(err)
	}
}
