package curate

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/generate"
	"toolpress/generate/schema"
)

const today = "2026-10-02"

// approveAll is the lock after a person has accepted everything that surfaces
// show, on top of what was approved before.
func approveAll(t tester, c *Curation, before *Approvals, surfaces ...*generate.Surface) *Approvals {
	t.Helper()
	a := c.With(before).Approve(showings(surfaces...), false)
	return reread(t, a.Next(a.Subjects, false, today))
}

func showings(surfaces ...*generate.Surface) []Showing {
	var list []Showing
	for _, s := range surfaces {
		list = append(list, Showing{Surface: s})
	}
	return list
}

// reread is a lock as it is read from its file.
func reread(t tester, a *Approvals) *Approvals {
	t.Helper()
	text, err := a.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseLock("curation.lock.json", text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	again, err := read.Encode()
	if err != nil || !bytes.Equal(text, again) {
		t.Fatalf("read and written it differs:\n%s\n%s\n%v", text, again, err)
	}
	return read
}

// An operation that is put together again from the lock is the one that was
// approved, whatever the site says of it now: what models see of it is the same
// to the byte, and so is what is sent.
func TestApprovedIsRestored(t *testing.T) {
	n := 0
	for _, s := range []*generate.Surface{shop(t), generate.FromSite(decodedSite(t, "testdata/store.json")), generate.FromSite(decodedSite(t, "testdata/talk.json"))} {
		n += restores(t, s)
	}
	if n < 20 {
		t.Errorf("only %d operations", n)
	}
}

func TestRecordedIsRestored(t *testing.T) {
	for _, name := range recordings {
		restores(t, generate.FromSite(recordedSite(t, name)))
	}
}

func restores(t *testing.T, s *generate.Surface) int {
	t.Helper()
	for _, o := range s.Operations {
		form, ok := formOf(o)
		if !ok {
			t.Fatalf("%s has no form", o.ID)
		}
		text, _ := schema.Encode(form)
		var read approvedForm
		if err := json.Unmarshal(text, &read); err != nil || read.sum() != form.Digest {
			t.Fatalf("%s: %v", o.ID, err)
		}
		bare := *o
		bare.Title, bare.Description, bare.Name, bare.Annotations = "", "", "", generate.Annotations{}
		back := read.restore(&bare)
		again, _ := formOf(back)
		if again.Digest != form.Digest {
			t.Errorf("%s comes back as another", o.ID)
		}
		for _, dialect := range []schema.Dialect{schema.Common, schema.Modern} {
			before, _ := schema.Encode(generate.InputSchema(o.Args, o.Extra).In(dialect))
			after, _ := schema.Encode(generate.InputSchema(back.Args, back.Extra).In(dialect))
			if string(before) != string(after) {
				t.Errorf("%s\n%s\n%s", o.ID, before, after)
			}
		}
		for i := range o.Args {
			if x, y := o.Args[i], back.Args[i]; x.Name != y.Name || x.Wire != y.Wire || x.In != y.In || x.Raw != y.Raw {
				t.Errorf("%s: %+v and %+v", o.ID, x, y)
			}
		}
	}
	return len(s.Operations)
}

// Every testdata/lock/*.json is refused as its .out says.
func TestLockErrors(t *testing.T) {
	files, _ := filepath.Glob("testdata/lock/*.json")
	if len(files) < 10 {
		t.Fatalf("only %d files", len(files))
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, _ := os.ReadFile(name)
			_, err := ParseLock(name, data)
			if err == nil {
				t.Fatal("nothing is wrong with it")
			}
			golden(t, strings.TrimSuffix(name, ".json")+".out", err.Error()+"\n")
		})
	}
}

// Whatever a lock holds, reading it does not panic, a fault has a place, and what is
// read is written as it was.
func FuzzParseLock(f *testing.F) {
	files, _ := filepath.Glob("testdata/lock/*.json")
	for _, name := range files {
		data, _ := os.ReadFile(name)
		f.Add(data)
	}
	c := parsed(f, lockedShop)
	a := c.Approve(showings(changedShop(f)), false)
	f.Add([]byte(lockText(f, a.Next(a.Subjects, false, today))))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := ParseLock("a.json", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.json:") {
				t.Errorf("no place: %v", err)
			}
			return
		}
		reread(t, read)
	})
}
