package faults

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolpress/test/running"
)

// outage is one way in which a site is not there.
type outage struct {
	name       string
	begin, end func(t *testing.T)
	// read and written are what a model is told of a call that reads, and of one
	// that writes.
	read, written string
	unknown       bool // the write may have happened
	opens         bool // the site is left alone
}

// What breaks between toolpress and a site, and in it (T09, T15, T16, W78): a model
// reads what it is, in time and before it is over; the tools stay as they are, for
// clients of either era; and the next call after it works, in the same process.
func TestOutages(t *testing.T) {
	site := own(t)
	do := func(action string, args ...string) func(*testing.T) {
		return func(t *testing.T) { t.Helper(); site.Do(t, action, args...) }
	}
	late, away := "The site did not answer in time.", "The site cannot be reached."
	noDatabase := "The site refused with status 500 wp_die. It says: Error establishing a database connection"
	broken := "The site answered with status 500 and an HTML page: WordPress, a plugin or the web server failed."
	page := filepath.Join(site.Dir, "wordpress", "wp-content", "db-error.php")
	t.Run("site", func(t *testing.T) {
		s := serve(t, site, site.Env["TOOLPRESS_TEST_SITE"], curation(t, "timeout: "+timeout.String()), "--poll", "200ms")
		for _, o := range []outage{
			{"killed", do("signal", "php", "KILL"), do("again", "php"), away, away, false, true},
			{"stopped", do("stop", "php"), do("again", "php"), away, away, false, true},
			{"paused", do("signal", "php", "STOP"), do("signal", "php", "CONT"), late, late, true, false},
			{"no database", do("stop", "mariadbd"), do("again", "mariadbd"), noDatabase, noDatabase, true, false},
			{"database killed", do("signal", "mariadbd", "KILL"), do("again", "mariadbd"), noDatabase, noDatabase, true, false},
			{"database paused", do("signal", "mariadbd", "STOP"), do("signal", "mariadbd", "CONT"), late, late, true, false},
			{
				"a page for no database", func(t *testing.T) {
					if err := os.WriteFile(page, []byte("<?php http_response_code( 500 ); ?><!DOCTYPE html><title>Back soon</title>"), 0o600); err != nil {
						t.Fatal(err)
					}
					site.Do(t, "stop", "mariadbd")
				}, do("again", "mariadbd"), broken, broken, true, false,
			},
		} {
			t.Run(o.name, func(t *testing.T) { o.run(t, s) })
		}
		s.unmoved(t)
	})
	t.Run("network", func(t *testing.T) {
		f := newFront(t, site.Env["TOOLPRESS_TEST_SITE"])
		s := serve(t, site, f.url, curation(t, "timeout: "+timeout.String()), "--poll", "200ms")
		is := func(n network) func(*testing.T) { return func(*testing.T) { f.become(n) } }
		broke := "The connection to the site broke before it answered."
		for _, o := range []outage{
			{"reset", is(network{reset: true}), is(network{}), broke, broke, true, true},
			{"latency", is(network{latency: 30 * time.Second}), is(network{}), late, late, true, false},
			{"slow", is(network{rate: 100}), is(network{}), late, late, true, false},
			{"slow close", is(network{linger: 30 * time.Second}), is(network{}), late, late, true, false},
		} {
			t.Run(o.name, func(t *testing.T) { o.run(t, s) })
		}
		t.Run("slow enough", func(t *testing.T) {
			f.become(network{latency: timeout / 10, rate: 4 << 10})
			if text, failed := s.call(t, "find_posts", map[string]any{"query": "Middlemarch"}); failed || !strings.Contains(text, "Middlemarch") {
				t.Error(text)
			}
		})
		s.unmoved(t)
	})
}

// left is how a call begins that was not sent because the site is left alone.
const left = "Nothing was sent: the site did not answer "

func (o outage) run(t *testing.T, s *sidecar) {
	before, title := s.tools(t), "During "+t.Name()
	works := func() (string, bool) {
		text, failed := s.call(t, "find_posts", map[string]any{"query": "Middlemarch"})
		return text, !failed && strings.Contains(text, `"total":1`)
	}
	if text, fine := works(); !fine {
		t.Fatalf("before: %s", text)
	}
	o.begin(t)
	ended := false
	end := func() {
		if !ended {
			ended = true
			o.end(t)
		}
	}
	t.Cleanup(end)

	// Both come back while the outage lasts: that is their deadline. That they do so
	// within a minute is all that is asked of the clock.
	opened := func() int { return strings.Count(s.said.String(), "it is asked once a second until it does") }
	times := opened()
	var read, written string
	var both sync.WaitGroup
	both.Go(func() {
		failed := false
		if read, failed = s.call(t, "find_posts", nil); !failed || !strings.HasPrefix(read, o.read) {
			t.Errorf("a read: %s", read)
		}
	})
	both.Go(func() {
		failed := false
		written, failed = s.call(t, "draft_post", map[string]any{"title": title})
		if unknown := strings.Contains(written, "\nThe outcome is unknown: "); !failed || unknown != o.unknown || !strings.HasPrefix(written, o.written) {
			t.Errorf("a write: %s", written)
		}
	})
	both.Wait()
	if o.opens {
		running.Await(t, patience, func() bool {
			text, _ := s.call(t, "find_posts", nil)
			return strings.HasPrefix(text, left)
		}, func() string { return "the site is never left alone:\n" + s.said.String() })
		times++
	}
	if during := s.tools(t); during != before {
		t.Errorf("the tools were\n%s\nand are\n%s", before, during)
	}
	end()

	// The first call that is sent works: nothing of the outage is left over. One is
	// sent a second after the last at the latest.
	text, fine := works()
	running.Await(t, patience, func() bool {
		if strings.HasPrefix(text, left) && o.opens {
			text, fine = works()
		}
		return !strings.HasPrefix(text, left)
	}, func() string { return "the site stays left alone: " + text })
	if !fine {
		t.Errorf("after: %s", text)
	}
	if text, fine := works(); !fine {
		t.Errorf("and then: %s", text)
	}
	if after := s.tools(t); after != before {
		t.Errorf("the tools were\n%s\nand are\n%s", before, after)
	}
	if n := len(drafts(t, s.site)[title]); n > 1 || n > 0 && !o.unknown {
		t.Errorf("%d drafts of a write that said: %s", n, written)
	}
	if n := opened(); n != times {
		t.Errorf("the site was left alone %d times, want %d", n, times)
	}
	t.Logf("read: %s\nwrite: %s", read, written)
}
