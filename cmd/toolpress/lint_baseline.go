package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"toolpress/generate/lint"
)

// baselineFormat begins every baseline.
const baselineFormat = "toolpress/lint-baseline/1"

// baseline is a file of findings that are known and accepted.
type baseline struct {
	Format   string     `json:"format"`
	Accepted []accepted `json:"accepted"`
}

// accepted is one of them. What stands there and who refuses it may change.
type accepted struct {
	Operation string `json:"operation"`
	ID        string `json:"id"`
	Path      string `json:"path"`
}

// String is the entry as it is told.
func (k accepted) String() string { return k.ID + " of " + k.Operation + " at " + k.Path }

func entryOf(f lint.Finding) accepted { return accepted{f.Operation, f.ID, f.Path} }

// readBaseline reads the file that is asked for. One that is to be written need not
// be there.
func readBaseline(f *lintFlags) (*baseline, error) {
	b := &baseline{}
	if f.baseline == "" {
		return b, nil
	}
	data, err := os.ReadFile(f.baseline)
	switch {
	case errors.Is(err, os.ErrNotExist) && f.write:
		return b, nil
	case err != nil:
		return nil, usage(fmt.Sprintf("reading the baseline %s: %v", f.baseline, cause(err)), "make it with --write-baseline")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(b); err != nil || b.Format != baselineFormat {
		if err == nil {
			err = fmt.Errorf("its format is %q, want %q", b.Format, baselineFormat)
		}
		return nil, usage(fmt.Sprintf("%s is no baseline: %v", f.baseline, err), "make it with --write-baseline, in a file of its own")
	}
	return b, nil
}

func (b *baseline) has(f lint.Finding) bool { return slices.Contains(b.Accepted, entryOf(f)) }

// gone are the entries about what is asked for that are not found.
func (b *baseline) gone(f *lintFlags, found []linting) (gone []accepted) {
	for _, k := range b.Accepted {
		if f.shows(k.Operation) && !slices.ContainsFunc(found, func(l linting) bool { return entryOf(l.Finding) == k }) {
			gone = append(gone, k)
		}
	}
	return gone
}

// writeBaseline accepts what was found. Entries about what is not asked for stay.
func (a *app) writeBaseline(f *lintFlags, found *linted, before *baseline) error {
	now := baseline{Format: baselineFormat, Accepted: []accepted{}}
	for _, l := range found.Findings {
		now.Accepted = append(now.Accepted, entryOf(l.Finding))
	}
	for _, k := range before.Accepted {
		if !f.shows(k.Operation) {
			now.Accepted = append(now.Accepted, k)
		}
	}
	slices.SortFunc(now.Accepted, func(x, y accepted) int {
		return slices.Compare([]string{x.Operation, x.ID, x.Path}, []string{y.Operation, y.ID, y.Path})
	})
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(now); err != nil {
		return err
	}
	if err := a.write(f.baseline, b.Bytes()); err != nil {
		return err
	}
	a.say("accepted: %s", count(len(now.Accepted), "finding"))
	return nil
}
