package curate

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What the layers say of the site merges, the later one wins, and lists replace;
// of locks only that of the outermost file counts, by a name relative to it.
func TestSiteAndLock(t *testing.T) {
	files := map[string]string{
		"shops/house/style.yaml": "version: 1\nlock: { file: house.lock.json, drift: warn }\nsite:\n  locale: pt_PT\n  upstream: { rate: 5/s, burst: 10, timeout: 9s }\n  media: { roots: [/srv/a, /srv/b], hosts: [a.example] }\n  webhook: { secret_env: HOUSE }\n",
	}
	read := func(lock string) *Curation {
		text := "version: 1\nextends: house/style.yaml\n" + lock + "site:\n  upstream: { rate: 300/m, concurrency: 6 }\n  media: { roots: /srv/c }\n  webhook: { secret_env: SHOP }\n"
		c, err := Parse("shops/curation.yaml", []byte(text), func(name string) ([]byte, error) { return []byte(files[name]), nil })
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	s := read("").Site()
	got := []any{s.Locale.Value, s.Rate, s.Burst, s.Concurrency, s.Timeout, textsOf(s.Media.Roots), textsOf(s.Media.Hosts), s.WebhookSecretEnv.Value}
	if diff := cmp.Diff([]any{"pt_PT", Rate{300, time.Minute}, 10, 6, 9 * time.Second, []string{"/srv/c"}, []string{"a.example"}, "SHOP"}, got); diff != "" {
		t.Error(diff)
	}
	if l, said := read("").Lock(); said {
		t.Errorf("an earlier layer's lock counts: %+v", l)
	}
	for written, want := range map[string]Lock{
		"lock: { file: a.lock.json, drift: warn }\n": {Text{Value: "shops/a.lock.json"}, "warn"},
		"lock: { file: ../locks/a.json }\n":          {Text{Value: "locks/a.json"}, "hold"},
		"lock: { file: /var/a.json }\n":              {Text{Value: "/var/a.json"}, "hold"},
	} {
		l, said := read(written).Lock()
		if l.File.Pos = (Pos{}); !said || l != want {
			t.Errorf("%s: %+v, %t", written, l, said)
		}
	}
	// All of it counts, or is a lock of an earlier layer, which does not: neither is told.
	_, findings := read("").Apply(shop(t), nil)
	var told []string
	for _, f := range findings {
		if f.ID == "not-enforced" {
			told = append(told, f.Pos.File+" "+f.Message[:7])
		}
	}
	if len(told) > 0 {
		t.Error(told)
	}
}

// A preset that is not there: which version to write, or that a newer toolpress
// has it.
func TestPresetHint(t *testing.T) {
	there := []string{"shop@3", "shop@4", "wordpress@1"}
	for asked, want := range map[string]string{
		"shop@5": "it needs a newer toolpress; the newest that this one has is preset:shop@4", "shop@2": "it is too old for this toolpress: extend preset:shop@3",
		"shop": "name its version: preset:shop@4", "shop@x": "name its version: preset:shop@4", "shop@": "name its version: preset:shop@4", "shop@03": "extend preset:shop@4",
		"wordpres@1": `did you mean "preset:wordpress@1"?`, "jetpack@1": "it is misspelt, or came with a newer toolpress", "": "it is misspelt, or came with a newer toolpress",
	} {
		if got := presetHint(asked, there); got != want {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
}
