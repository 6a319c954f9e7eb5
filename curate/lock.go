package curate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/generate/schema"
)

// LockFormat begins every lock.
const LockFormat = "toolpress/lock/1"

// Approvals are what a lock holds: what a person has accepted of the site and of
// presets. They are immutable; an [Approval] makes the next ones.
type Approvals struct {
	// operations are by identity.
	operations map[string]approvedOperation
	// words are those of presets, by where they stand in a curation: tools.NAME,
	// groups.NAME or server.
	words map[string][]approvedWords
	// tools are the digests of tools as they were published, by profile/name and
	// then by what they called.
	tools map[string]map[string][]string
}

// approvedOperation is one operation in all forms that were approved: staging and
// production may have one each.
type approvedOperation struct {
	Approved []approvedForm `json:"approved"`
}

// last is the day of the last approval.
func (o approvedOperation) last() string {
	day := ""
	for _, f := range o.Approved {
		day = max(day, f.Date)
	}
	return day
}

// approvedWords are the words of one entry of a preset.
type approvedWords struct {
	// Date is the day of the approval.
	Date   string `json:"date"`
	Digest string `json:"digest"`
	// Preset is the one that said them, with its version.
	Preset string `json:"preset"`
	// Texts are by field, as an entry writes it: description, args.per_page.describe.
	Texts map[string]string `json:"texts"`
}

// wordsOf are the words of an entry now.
func wordsOf(preset string, texts map[string]string) approvedWords {
	w := approvedWords{Preset: preset, Texts: texts}
	w.Digest = digest(texts)
	return w
}

// says reports that every text now is one of the approved words. What a curation
// has put its own words in the place of is not asked for.
func (w approvedWords) says(texts map[string]string) bool {
	for field, text := range texts {
		if was, said := w.Texts[field]; !said || was != text {
			return false
		}
	}
	return true
}

// digest is the SHA-256 of a value's JSON with its keys sorted.
func digest(v any) string {
	text, _ := schema.Encode(v) // texts, and what was JSON before
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// published is the digest of a tool as a client lists it.
func (t *Tool) published() string { return digest(t.listed()) }

// Encode writes the lock: every key sorted, two spaces of indent, one final
// newline. The same approvals give the same bytes.
func (a *Approvals) Encode() ([]byte, error) {
	sorted, err := plain(map[string]any{"format": LockFormat, "operations": a.operations, "presets": a.words, "tools": a.tools})
	if err != nil {
		return nil, fmt.Errorf("encoding the lock: %w", err)
	}
	text, err := schema.Encode(sorted)
	if err != nil {
		return nil, fmt.Errorf("encoding the lock: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, fmt.Errorf("encoding the lock: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// plain is a value as JSON has it, without types, so that all of its keys are
// written sorted.
func plain(v any) (any, error) {
	text, err := schema.Encode(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var all any
	return all, dec.Decode(&all)
}

// clone is a copy whose maps and lists may be changed; nil is nothing approved.
func (a *Approvals) clone() *Approvals {
	c := &Approvals{operations: map[string]approvedOperation{}, words: map[string][]approvedWords{}, tools: map[string]map[string][]string{}}
	if a == nil {
		return c
	}
	for id, o := range a.operations {
		o.Approved = slices.Clone(o.Approved)
		c.operations[id] = o
	}
	for key, list := range a.words {
		c.words[key] = slices.Clone(list)
	}
	for key, of := range a.tools {
		c.tools[key] = maps.Clone(of)
		for id, list := range of {
			c.tools[key][id] = slices.Clone(list)
		}
	}
	return c
}

// sort puts lists into the order of the file.
func (a *Approvals) sort() {
	for _, o := range a.operations {
		slices.SortFunc(o.Approved, func(x, y approvedForm) int {
			return cmp.Or(cmp.Compare(x.Date, y.Date), cmp.Compare(x.Digest, y.Digest))
		})
	}
	for _, list := range a.words {
		slices.SortFunc(list, func(x, y approvedWords) int {
			return cmp.Or(cmp.Compare(x.Date, y.Date), cmp.Compare(x.Digest, y.Digest))
		})
	}
	for _, of := range a.tools {
		for _, list := range of {
			slices.Sort(list)
		}
	}
}

// calls reports that a tool of that name, in any profile, was approved as one
// that calls an operation.
func (a *Approvals) calls(tool, operation string) bool {
	for key, of := range a.tools {
		if _, name, _ := strings.Cut(key, "/"); name == tool && of[operation] != nil {
			return true
		}
	}
	return false
}
