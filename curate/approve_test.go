package curate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"toolpress/generate"
)

// drawSite draws what became of the shop: some of siteChanges together.
func drawSite(t *rapid.T, label string) *generate.Surface {
	all := slices.Sorted(maps.Keys(siteChanges))
	var names []string
	for _, name := range all {
		if name != "gone" && rapid.IntRange(0, 3).Draw(t, label+" "+name) == 0 {
			names = append(names, name)
		}
	}
	return changedShop(t, names...)
}

// The laws of the lock, for any two states of the site and any curation of it
// (curation.md, principle 12): what is served is what was approved, or it is not
// there; what is accepted is served as it would be without a lock, on each site its
// own, and the lock of both serves both; accepting twice is accepting once; what no
// site shows is pruned and nothing else.
func TestLockLaws(t *testing.T) {
	held, gone, changed := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		one, two := drawSite(t, "one"), drawSite(t, "two")
		text := "lock: { file: a.lock.json }\n" + drawCuration(t, one)
		c, free := parsed(t, text), parsed(t, strings.TrimPrefix(text, "lock: { file: a.lock.json }\n"))
		lock := approveAll(t, c, nil, one)
		onOne, onTwo := list(t, applied(free, one)), list(t, applied(free, two))

		if got := list(t, applied(c.With(lock), one)); !maps.Equal(got, onOne) {
			t.Fatalf("%s\nwhat was approved is served otherwise:\n%s", text, cmp.Diff(onOne, got))
		}
		for key, served := range list(t, applied(c.With(lock), two)) {
			if served != onOne[key] {
				t.Fatalf("%s\n%s was not approved:\n%s\n%s", text, key, served, onOne[key])
			}
			held++
		}
		gone += len(onOne) - len(list(t, applied(c.With(lock), two)))

		both := approveAll(t, c, lock, two)
		if got := list(t, applied(c.With(both), two)); !maps.Equal(got, onTwo) {
			t.Fatalf("%s\nit is not served as it was approved:\n%s", text, cmp.Diff(onTwo, got))
		}
		// What the site says otherwise in a form that nobody accepted is as on the other.
		for key, served := range list(t, applied(c.With(both), one)) {
			if was, there := onOne[key]; served != was && (there || served != onTwo[key]) {
				t.Fatalf("%s\n%s is served otherwise\n%s", text, key, cmp.Diff(was, served))
			}
		}
		if !maps.Equal(onOne, onTwo) {
			changed++
		}
		if x, y := lockText(t, approveAll(t, c, nil, one, two)), lockText(t, approveAll(t, c, nil, two, one)); x != y {
			t.Fatalf("%s\nin another order the lock is another:\n%s\n%s", text, x, y)
		}
		both = approveAll(t, c, both, one, two)
		if again := c.With(both).Approve(showings(one, two), true); len(again.Subjects) > 0 {
			t.Fatalf("%s\nit is asked again, or pruned: %+v", text, *again.Subjects[0])
		}
		pruned := c.With(both).Approve(showings(one), true)
		after := reread(t, pruned.Next(pruned.Subjects, true, today))
		if got := list(t, applied(c.With(after), one)); !maps.Equal(got, onOne) {
			t.Fatalf("%s\npruned, it is served otherwise:\n%s", text, cmp.Diff(onOne, got))
		}
		for id, o := range after.operations {
			if was, used := lock.operations[id]; one.Operation(id) == nil || used && len(o.Approved) != len(was.Approved) {
				t.Fatalf("%s\nof %s %d forms are left", text, id, len(o.Approved))
			}
		}
		if !maps.EqualFunc(after.tools, lock.tools, func(x, y map[string][]string) bool { return maps.EqualFunc(x, y, slices.Equal) }) {
			t.Fatalf("%s\npublished forms are left:\n%v\n%v", text, after.tools, lock.tools)
		}
	})
	if held == 0 || gone == 0 || changed == 0 {
		t.Errorf("%d tools were held, %d gone, %d sites differed", held, gone, changed)
	}
}

func applied(c *Curation, s *generate.Surface) *Catalog {
	catalog, _ := c.Apply(s, nil)
	return catalog
}

// What is accepted is what was named, and nothing else; what waits says why.
func TestApproveOne(t *testing.T) {
	c := parsed(t, lockedShop)
	lock := approveAll(t, c, nil, changedShop(t))
	now := changedShop(t, "text", "safer", "another")
	a := c.With(lock).Approve(showings(now), false)
	var told []string
	for _, s := range a.Subjects {
		told = append(told, fmt.Sprintf("%v %s new=%t site=%d curation=%v", s.Tools, s.Operation, s.New, len(s.Site), s.Curation))
	}
	want := []string{
		"[shop_add_note] ability:shop/add-note new=false site=3 curation=[]",
		"[shop_search] ability:shop/search new=false site=3 curation=[]",
		"[shop_zeal] ability:shop/zeal new=true site=0 curation=[]",
	}
	if !slices.Equal(told, want) {
		t.Errorf("got  %q\nwant %q", told, want)
	}
	if s := a.Subjects[2]; len(s.Shown) != 1 || s.Shown[0].Description != poison {
		t.Errorf("what a model would read is not shown: %+v", s)
	}
	next := reread(t, a.Next([]*Subject{a.Called("shop_search")}, false, today))
	served := applied(c.With(next), now).Profiles[DefaultProfile]
	if tool := served.Tool("shop_search"); tool.Description != poison || served.Tool("shop_zeal") != nil {
		t.Errorf("%+v", tool)
	}
	if again := c.With(next).Approve(showings(now), false); len(again.Subjects) != 2 {
		t.Errorf("%d subjects are left", len(again.Subjects))
	}
	// A tool that only the curation changed is told as its doing, and held by nothing.
	other := parsed(t, strings.Replace(lockedShop, "tools:", "tools:\n  shop_search: { description: Search the shop. }\n  closing: { from: \"ability:shop/hours\", groups: [read] }", 1))
	a = other.With(lock).Approve(showings(changedShop(t)), false)
	if len(a.Subjects) != 2 || fmt.Sprint(a.Subjects[0].Curation, a.Subjects[1].Curation) != "[default/closing editor/closing] [default/shop_search editor/shop_search]" {
		for _, s := range a.Subjects {
			t.Errorf("%+v", *s)
		}
	}
	if tool := applied(other.With(lock), changedShop(t)).Profiles[DefaultProfile].Tool("shop_search"); tool.Description != "Search the shop." {
		t.Error("the curation's own words wait for an approval")
	}
}

// T42: a lock beyond its bound is refused before it is read.
func TestLockBounds(t *testing.T) {
	_, err := ParseLock("a.json", []byte(strings.Repeat(" ", maxLock+1)))
	if err == nil || !strings.HasPrefix(err.Error(), "a.json:1:1: the lock is larger than 16777216 bytes") {
		t.Error(err)
	}
}
