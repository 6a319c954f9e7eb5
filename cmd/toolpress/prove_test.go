package main

import (
	"bytes"
	"testing"

	"toolpress/curate"
)

// A leak is an error at the curation that has it, and the verdict counts it.
func TestLeakIsAFinding(t *testing.T) {
	p := &proof{
		Profiles: map[string]map[string]int{"default": {"orders": 120, "hours": 0}, "shop": {"orders": 20}},
		Leaks:    []leaked{{"shop", "orders", "billing.email"}},
	}
	found := p.findings("curation.yaml")
	if len(found.Errors()) != 1 || found[0].Message != "orders of the profile shop gives billing.email, which is private" || found[0].Pos.File != "curation.yaml" {
		t.Errorf("%+v", found)
	}
	var out bytes.Buffer
	p.print(&out)
	if want := "private: 140 made-up answers through orders: 1 private field left\nprivate: no field of hours\n"; out.String() != want {
		t.Errorf("got %s", &out)
	}
	out.Reset()
	(*proof)(nil).print(&out)
	if out.Len() > 0 || len((&proof{}).findings("")) > 0 {
		t.Errorf("got %s", &out)
	}
}

// Every tool of every profile is tried, with what is private there.
func TestProvePrivate(t *testing.T) {
	secret := func(name string, private curate.Fields) *curate.Tool {
		return &curate.Tool{Name: name, Result: curate.ResultShape{Private: private}}
	}
	p, err := provePrivate(&curate.Catalog{Profiles: map[string]*curate.Profile{
		"default": {Tools: []*curate.Tool{secret("orders", curate.Fields{{"billing", "**"}}), secret("hours", nil)}},
		"shop":    {Tools: []*curate.Tool{secret("orders", curate.Fields{{"key"}})}},
	}})
	if err != nil || len(p.Leaks) > 0 || p.Profiles["default"]["orders"] == 0 || p.Profiles["default"]["hours"] != 0 || p.Profiles["shop"]["orders"] == 0 {
		t.Errorf("%v %+v", err, p)
	}
}
